import type { Json, JsonObject } from '../../reference/json.ts';
import { type Alter, type Answer, answer, Text } from '../../reference/site.ts';
import type { Alteration } from '../alteration.ts';
import { type AskedFor, sending, withRecords } from '../handling.ts';

/** The change that a comparison must report. */
interface Shows {
  readonly class: 'exposed' | 'breaking' | 'unknown';
  readonly kind: string;
  readonly subject: string;
}

/** Two sites with a difference that does not affect clients. */
export interface Twin extends Pick<Alteration, 'id' | 'behaviour'> {
  /** How the earlier site differs from the usual one, such as by a header. */
  readonly before?: Alter;
}

/** An alteration that affects clients, with the change that a comparison must report. */
export interface Exhibit extends Twin {
  readonly shows: Shows;
}

/** Makes two sites. */
export function twin(id: string, behaviour: Alter, before?: Alter): Twin {
  return { id, behaviour, ...(before !== undefined && { before }) };
}

/** Makes an exhibit that breaks clients. @param kind of change, and @param subject of it, as a comparison names them */
export function exhibit(kind: string, subject: string, ...sites: Parameters<typeof twin>): Exhibit {
  return { ...twin(...sites), shows: { class: 'breaking', kind, subject } };
}

/** Exhibits of one kind of change, by id. */
export function breaking(
  kind: string,
  rows: Readonly<Record<string, readonly [subject: string, after: Alter, before?: Alter]>>,
): Exhibit[] {
  return Object.entries(rows).map(([id, [subject, ...sites]]) => exhibit(kind, subject, id, ...sites));
}

/** The exhibit with an unknown effect on clients. */
export function unknown({ shows, ...other }: Exhibit): Exhibit {
  return { ...other, shows: { ...shows, class: 'unknown' } };
}

/** An unaltered site. */
export const usual: Alter = () => ({});

/** A list that every site has. */
export const LIST = '/cms/v2/posts';

export type Which = (asked: AskedFor, shown: Answer) => boolean;

/** Whether an answer is one of records. */
export const isOfRecords: Which = ({ route, method }, { status, body }) =>
  status === 200 && method === 'GET' && /^\/cms\/v2\/\w/.test(route) && !(body instanceof Text);

/** Selects by the method of the request. */
export function by(method: string): Which {
  return (asked) => asked.method === method;
}

/** Selects answers that both select. */
export function both(one: Which, other: Which): Which {
  return (asked, shown) => one(asked, shown) && other(asked, shown);
}

type TurnAnswer = (shown: Answer, asked: AskedFor) => Answer;

/** Changes some answers. */
export function answering(which: Which, turn: TurnAnswer): Alter {
  return sending((shown, asked) => (which(asked, shown) ? turn(shown, asked) : shown));
}

/** Gives some callers one fixed answer. */
export function giving(own: Answer, whom: Which): Alter {
  return answering(whom, () => own);
}

/** The refusal of a request. */
export function refusal(code: string, status: number): Answer {
  return answer({ code, message: 'No.', data: { status } }, status);
}

/** Adds or replaces headers of an answer; an empty text removes one. */
export function withHeaders(headers: Readonly<Record<string, string>>): TurnAnswer {
  return (shown) => ({ ...shown, headers: { ...shown.headers, ...headers } });
}

/** An HTML page where JSON is expected. */
export function page(number: number): Answer {
  return {
    ...answer(null, number),
    body: new Text('text/html; charset=UTF-8', '<!doctype html><p>Error'),
  };
}

/** Changes the text of JSON answers. */
export function spelling(spell: (json: string) => string | Uint8Array): TurnAnswer {
  return (shown) => ({
    ...shown,
    body: new Text('application/json; charset=UTF-8', spell(JSON.stringify(shown.body))),
  });
}

/** Selects answers to requests with a parameter. */
export function asking(name: string): Which {
  return ({ query }) => query.has(name);
}

/** Changes records. @param which of the answers of records; default: all */
export function turningRecords(turn: (record: JsonObject) => JsonObject, which: Which = () => true): Alter {
  return answering(both(isOfRecords, which), (shown) => withRecords(shown, turn));
}

/** Adds a member to records. */
export function adding(name: string, value: Json | ((record: JsonObject) => Json)): Alter {
  return turningRecords((record) => ({
    ...record,
    [name]: typeof value === 'function' ? value(record) : value,
  }));
}

/** Changes headers. */
export function turningHeaders(
  turn: (headers: Readonly<Record<string, string>>) => Record<string, string>,
): Alter {
  return sending((shown) => ({ ...shown, headers: turn(shown.headers) }));
}

/** Adds or replaces headers of all answers; an empty text removes one. */
export function heading(headers: Readonly<Record<string, string>>): Alter {
  return sending(withHeaders(headers));
}

/** Changes a header where it is present. */
export function rewriting(name: string, turn: (value: string) => string): Alter {
  return turningHeaders((own) => ({ ...own, ...(own[name] && { [name]: turn(own[name]) }) }));
}
