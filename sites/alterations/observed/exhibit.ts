import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import { type Alter, type Answer, Text } from '../../reference/site.ts';
import type { Alteration } from '../alteration.ts';
import { type AskedFor, sending, withRecords } from '../handling.ts';

/** The change that a comparison must report. */
interface Shows {
  readonly class: 'exposed' | 'breaking' | 'unknown';
  readonly kind: string;
  readonly subject: string;
}

/** Two sites with a difference that does not affect clients. */
export interface Twin extends Alteration {
  /** How the earlier site differs from the usual one, such as by a header. */
  readonly before?: Alter;
}

/** An alteration that affects clients, with the change that a comparison must report. */
export interface Exhibit extends Twin {
  readonly shows: Shows;
}

/** Makes exhibits that show one change. */
type Exhibiting = (id: string, title: string, behaviour: Alter, before?: Alter) => Exhibit;

/** Exhibits that break clients. @param kind of change, and @param subject of it, as a comparison names them */
export function breaking(kind: string, subject: string): Exhibiting {
  const shows = { class: 'breaking', kind, subject } as const;
  return (id, title, behaviour, before) => ({
    id,
    title,
    shows,
    behaviour,
    ...(before !== undefined && { before }),
  });
}

/** The exhibit with another effect on clients. */
export function withClass(effect: Shows['class'], { shows, ...exhibit }: Exhibit): Exhibit {
  return { ...exhibit, shows: { ...shows, class: effect } };
}

/** The exhibit with an unknown effect on clients. */
export function unknown(exhibit: Exhibit): Exhibit {
  return withClass('unknown', exhibit);
}

/** An unaltered site. */
export const usual: Alter = () => ({});

/** A list that every site has. */
export const LIST = '/cms/v2/posts';

/** Selects answers. */
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

/** Changes an answer before it is sent. */
export type TurnAnswer = (shown: Answer, asked: AskedFor) => Answer;

/** Changes some answers. */
export function answering(which: Which, turn: TurnAnswer): Alter {
  return sending((shown, asked) => (which(asked, shown) ? turn(shown, asked) : shown));
}

/** Adds or replaces headers of an answer; an empty text removes one. */
export function withHeaders(headers: Readonly<Record<string, string>>): TurnAnswer {
  return (shown) => ({ ...shown, headers: { ...shown.headers, ...headers } });
}

/** Changes the text of JSON answers. */
export function spelling(spell: (json: string) => string | Uint8Array): TurnAnswer {
  return (shown) => ({
    ...shown,
    body: new Text('application/json; charset=UTF-8', spell(JSON.stringify(shown.body))),
  });
}

/** Changes records. */
export function turningRecords(turn: (record: JsonObject) => JsonObject): Alter {
  return answering(isOfRecords, (shown) => withRecords(shown, turn));
}

/** Changes a value of records. @param path a member, or one of a member: `title.rendered` */
export function turningAt(path: string, turn: (value: Json) => Json): Alter {
  return turningRecords((record) => withAt(record, path, turn));
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

/** The record with a changed member, if it has it. */
export function withMember(record: JsonObject, name: string, turn: (value: Json) => Json): JsonObject {
  const value = record[name];
  return value === undefined ? record : { ...record, [name]: turn(value) };
}

/** The record with a changed member, or member of a member. @param path such as `title.rendered` */
export function withAt(record: JsonObject, path: string, turn: (value: Json) => Json): JsonObject {
  const [name = '', inner] = path.split('.');
  if (inner === undefined) return withMember(record, name, turn);
  return withMember(record, name, (value) => (isObject(value) ? withMember(value, inner, turn) : value));
}
