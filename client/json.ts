import { hash } from 'node:crypto';

/** A JSON object of a target, with nothing known about its members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member of an object, never an inherited one such as `constructor`. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The object that a value stands for. An empty array is an empty object, as the interface prints it (R30). */
export function asObject(value: unknown): JsonObject | undefined {
  if (isObject(value)) return value;
  return Array.isArray(value) && value.length === 0 ? {} : undefined;
}

/** A list that is printed as an object with numbers for names, as PHP does after a removal from a list. */
export function numberedList(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value)) return undefined;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : undefined;
}

/** Whether a text is a JSON document. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** An object without the members that are undefined. */
type Defined<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/** The members of an object that are not undefined. */
export function defined<T extends object>(members: T): Defined<T>;
export function defined(members: Readonly<Record<string, unknown>>): object {
  const there: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    if (members[name] !== undefined) there[name] = members[name];
  }
  return there;
}

/** The first `most` UTF-16 units of a text, one less where that would split a surrogate pair. */
export function beginning(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/** A JSON value with each plain value inside it replaced. */
export function mapLeaves(value: unknown, turn: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => mapLeaves(inner, turn));
  if (!isObject(value)) return turn(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapLeaves(inner, turn)]));
}

/** Orders texts by their code units, the same on every machine. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Orders entries, such as the members of an object, by their names. */
export function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return byText(one, other);
}

/**
 * A text that equal values share: the order of members means nothing, nor the zone of an instant, white space, words in
 * markup that software makes anew, or where a file is kept and who signed its address.
 */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'string') return plainText(inner);
    return isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(byName)) : inner;
  });
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

const FILE =
  /https?:\/\/[^\s"'<>,]{0,400}\/([^\s"'<>,/?#]{1,100}\.(?!php|html?)\w{2,4})\b(?:[?#][^\s"'<>,]{0,400})?/g;

/** Words in markup that software makes anew, such as nonces and parts of class names. */
const GENERATED =
  /\b(?=[a-f]*\d)(?=\d*[a-f])[a-f\d]{8,64}\b|(?<=\b(?:secret|nonce|token)=["']?)[\w-]{8,64}/gi;

function plainText(text: string): string {
  const time = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  const steady = text.includes('<') ? text.replace(GENERATED, '') : text;
  return steady
    .replace(FILE, '$1')
    .replace(/[^\S\u00a0]+/g, ' ')
    .replaceAll('> <', '><')
    .trim();
}

/** The digest by which documents name a value, whatever the layout of its file. */
export function digestOfJson(value: unknown): string {
  return `sha256:${hash('sha256', JSON.stringify(value))}`;
}
