import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import { type Alter, type Answer, Text } from '../../reference/site.ts';
import type { Alteration } from '../alteration.ts';
import { type AskedFor, sending, withRecords } from '../handling.ts';

/** What a comparison must say of a site that was altered so. */
interface Shows {
  readonly class: 'exposed' | 'breaking' | 'unknown';
  readonly kind: string;
  readonly subject: string;
}

/** Two sites that differ, and in nothing that harms a client. */
export interface Twin extends Alteration {
  /** What the site before did otherwise than the usual one, such as a header that it sent. */
  readonly before?: Alter;
}

/** An alteration that clients notice, with what a comparison with the site before must say of it. */
export interface Exhibit extends Twin {
  readonly shows: Shows;
}

/** An exhibit that breaks clients. @param kind of change, and @param subject of it, as a comparison names them */
export function breaking(
  id: string,
  title: string,
  kind: string,
  subject: string,
  behaviour: Alter,
  before?: Alter,
): Exhibit {
  const shows = { class: 'breaking', kind, subject } as const;
  return { id, title, shows, behaviour, ...(before !== undefined && { before }) };
}

/** The same exhibit where it is unknown whether clients break. */
export function unknown({ shows, ...exhibit }: Exhibit): Exhibit {
  return { ...exhibit, shows: { ...shows, class: 'unknown' } };
}

/** A site that is altered in nothing. */
export const usual: Alter = () => ({});

/** A list that every site has. */
export const LIST = '/cms/v2/posts';

/** Whether an answer is one of records. */
export function isOfRecords({ status, body }: Answer, { route, method }: AskedFor): boolean {
  return status === 200 && method === 'GET' && /^\/cms\/v2\/\w/.test(route) && !(body instanceof Text);
}

/** Changes an answer before it is sent. */
export type TurnAnswer = (shown: Answer, asked: AskedFor) => Answer;

/** Sends some answers otherwise. */
export function answering(which: (asked: AskedFor, shown: Answer) => boolean, turn: TurnAnswer): Alter {
  return sending((shown, asked) => (which(asked, shown) ? turn(shown, asked) : shown));
}

/** Sends the JSON of an answer in other text. */
export function spelling(spell: (json: string) => string | Uint8Array): TurnAnswer {
  return (shown) => ({
    ...shown,
    body: new Text('application/json; charset=UTF-8', spell(JSON.stringify(shown.body))),
  });
}

/** Sends other records. */
export function turningRecords(turn: (record: JsonObject) => JsonObject): Alter {
  return answering(
    (asked, shown) => isOfRecords(shown, asked),
    (shown) => withRecords(shown, turn),
  );
}

/** Sends records with other values. @param path a member, or one of a member: `title.rendered` */
export function turningAt(path: string, turn: (value: Json) => Json): Alter {
  const [name = '', inner] = path.split('.');
  return turningRecords((record) =>
    inner === undefined ? withMember(record, name, turn) : withInner(record, name, inner, turn),
  );
}

/** Sends other headers. */
export function turningHeaders(
  turn: (headers: Readonly<Record<string, string>>) => Record<string, string>,
): Alter {
  return sending((shown) => ({ ...shown, headers: turn(shown.headers) }));
}

/** Sends headers beside the others, or in their place; an empty text takes one away. */
export function heading(headers: Readonly<Record<string, string>>): Alter {
  return turningHeaders((own) => ({ ...own, ...headers }));
}

/** Sends a header otherwise where it is sent at all. */
export function rewriting(name: string, turn: (value: string) => string): Alter {
  return turningHeaders((own) => ({ ...own, ...(own[name] && { [name]: turn(own[name]) }) }));
}

/** The same record with another value of a member, where it has one. */
export function withMember(record: JsonObject, name: string, turn: (value: Json) => Json): JsonObject {
  const value = record[name];
  return value === undefined ? record : { ...record, [name]: turn(value) };
}

/** The same with another value of a member of a member. */
export function withInner(
  record: JsonObject,
  name: string,
  inner: string,
  turn: (value: Json) => Json,
): JsonObject {
  return withMember(record, name, (value) => (isObject(value) ? withMember(value, inner, turn) : value));
}
