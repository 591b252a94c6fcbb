import { isJson, isObject, type JsonObject } from '../../reference/json.ts';
import type { Operation, ResourceKind } from '../../reference/load-contract.ts';
import type { IndexDocument } from '../../reference/site.ts';
import { type Alter, type Answer, type Asked, Text } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Alteration, together } from '../alteration.ts';
import { type AskedFor, handling, reading, sending, shownRecord, withObject } from '../handling.ts';

/** An answer of the healthy site, on its way to the caller. */
export interface Passing extends AskedFor {
  status: number;
  readonly headers: Record<string, string>;
  json: unknown;
}

/** A change of unspecified behaviour. */
export interface Change {
  /** In the index. */
  readonly index?: (index: IndexDocument) => void;
  /** In any other answer. */
  readonly answer?: (passing: Passing) => void;
  /** In what it does. */
  readonly behaviour?: Alter;
  /** Requests to a new site whose answers differ only at that point; default: one for the index. */
  readonly shows?: readonly Request[];
  /** The only deployment with that point; default: all. */
  readonly deployment?: 'b';
}

/** A site with all of some changes. */
export function otherwise(changes: readonly Change[]): Alteration {
  return {
    id: 'otherwise',
    title: `the site does otherwise in ${changes.length} places where the specification is silent`,
    behaviour: together(
      ...changes.flatMap(({ behaviour }) => behaviour ?? []),
      sending((shown, asked) => answeredOtherwise(changes, shown, asked)),
    ),
  };
}

function answeredOtherwise(changes: readonly Change[], shown: Answer, asked: AskedFor): Answer {
  const { status, headers, body } = shown;
  if (body instanceof Text || asked.method === 'HEAD') return shown;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const passing = {
    ...asked,
    status,
    headers: Object.fromEntries(lower),
    json: structuredClone<unknown>(body),
  };
  for (const change of changes) {
    if (asked.route !== '/') change.answer?.(passing);
    else if (isIndex(passing.json)) change.index?.(passing.json);
  }
  const json = isJson(passing.json) ? passing.json : null;
  return { status: passing.status, headers: passing.headers, body: json };
}

/** Whether a body of the reference is its index. */
export function isIndex(json: unknown): json is IndexDocument {
  return isObject(json) && 'routes' in json && 'namespaces' in json;
}

/** A request of a demonstration. */
export interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly route: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent without credentials; default: as the administrator. */
  readonly anonymous?: boolean;
}

/** An answer, with the address of the site as `{site}`. */
interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

/** Sends one request to a site and returns any answer. */
export type Ask = (asked: Request) => Promise<SeenAnswer>;

type Meant = (operation: Operation) => boolean;

/** The operations of some roles on resources of one kind. */
export function on(kind: ResourceKind, ...roles: readonly string[]): Meant {
  return ({ resource, role = '' }) => resource?.kind === kind && roles.includes(role);
}

/** Changes a record after each write, and answers with the changed one. */
export function settling(meant: Meant, settle: (record: StoredRecord, args: JsonObject) => void): Alter {
  return handling(meant, async (call, next) => {
    const done = await next(call);
    const record = shownRecord(done, call);
    if (record === undefined) return done;
    settle(record, call.args);
    return withObject(done, (body) => ({ ...body, status: record.status, slug: record.slug }));
  });
}

/** Changes or refuses the arguments of an operation before they are validated. */
export function rereading(turn: (given: JsonObject, asked: Asked) => JsonObject): Alter {
  return reading(
    () => true,
    (given, read, asked) => read(turn(given, asked)),
  );
}
