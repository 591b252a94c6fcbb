import { isJson, isObject, type JsonObject } from '../../reference/json.ts';
import type { Operation, ResourceKind } from '../../reference/load-contract.ts';
import { type Alter, type Answer, type Asked, Text } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Alteration, together } from '../alteration.ts';
import type { IndexDocument } from '../declarations.ts';
import { type AskedFor, handling, reading, sending, shownRecord, withObject } from '../handling.ts';

/** An answer of the healthy site, on its way to the caller. */
export interface Passing extends AskedFor {
  status: number;
  readonly headers: Record<string, string>;
  json: unknown;
}

/** What a site does otherwise where the specification is silent. */
export interface Change {
  /** In the index. */
  readonly index?: (index: IndexDocument) => void;
  /** In any other answer. */
  readonly answer?: (passing: Passing) => void;
  /** In what it does. */
  readonly behaviour?: Alter;
  /** What a caller sees in that place and no other; the index where it is left out. Every call has a fresh site. */
  readonly shows?: (ask: Ask) => Promise<unknown>;
  /** The one deployment that has the place; every one where it is left out. */
  readonly deployment?: 'b';
}

/** A site that does otherwise in all places that some changes are about. */
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

function isIndex(json: unknown): json is IndexDocument {
  return isObject(json) && 'routes' in json && 'namespaces' in json;
}

/** A request of a demonstration. */
interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly route: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Without credentials; the administrator asks otherwise. */
  readonly anonymous?: boolean;
}

/** What came back, the address of the site as `{site}`. */
export interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

/** Sends one request to a site; whatever is answered is seen. */
export type Ask = (asked: Request) => Promise<SeenAnswer>;

type Meant = (operation: Operation) => boolean;

/** Those of some roles on resources of one kind. */
export function on(kind: ResourceKind, ...roles: readonly string[]): Meant {
  return ({ resource, role = '' }) => resource?.kind === kind && roles.includes(role);
}

/** Changes a record once it was written, and answers it as it is then. */
export function settling(meant: Meant, settle: (record: StoredRecord, args: JsonObject) => void): Alter {
  return handling(meant, async (call, next) => {
    const done = await next(call);
    const record = shownRecord(done, call);
    if (record === undefined) return done;
    settle(record, call.args);
    return withObject(done, (body) => ({ ...body, status: record.status, slug: record.slug }));
  });
}

/** Looks at what is given to an operation, and may change or refuse it, before it is checked. */
export function rereading(turn: (given: JsonObject, asked: Asked) => JsonObject): Alter {
  return reading(
    () => true,
    (given, read, asked) => read(turn(given, asked)),
  );
}
