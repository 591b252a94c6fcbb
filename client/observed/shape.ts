import { byName, defined, isObject, type JsonObject } from '../json.ts';
import { Counter } from './counter.ts';
import type { MemberNotes, NumberSign, TextKind, ValueType } from './document.ts';

const DEEPEST = 8;
/** Objects with more names than this are maps; their further names are noted as one. */
const MOST_NAMES = 80;
/** Longer names are not names of members. */
export const LONGEST_NAME = 80;
const MOST_ELEMENTS = 30;
const MOST_PATHS = 600;
/** Longer texts are `long`, or markup if their beginning shows any. */
const LONGEST_LOOK = 400;
/** So many first characters of a text are searched for marks. */
const LONGEST_MARKED = 50_000;
const ANY_NAME = '*';
/** Names that are numbers belong to a map, unless every object has the same few, such as the sizes of a picture. */
const FEW_NUMBERS = 8;
const FEWEST_OBJECTS = 3;

class PathNotes {
  /** In how many records there is a value, and an object. */
  readonly records: Counter<'value' | 'object'> = new Counter();
  /** Values, and how many of them were objects, to know which members are always present. */
  values = 0;
  objects = 0;
  readonly types: Counter<ValueType> = new Counter();
  readonly texts: Counter<TextKind> = new Counter();
  readonly signs: Counter<NumberSign> = new Counter();
  readonly marks: Counter = new Counter();
  readonly names: Map<string, PathNotes> = new Map();
  /** How many objects had each name that is a number. */
  readonly numbers: Map<string, number> = new Map();
  elements: PathNotes | undefined;
}

/** What is looked for in texts, by name. */
export type Marks = readonly (readonly [name: string, pattern: RegExp])[];

/** Whether an address is one of the site itself. */
export type IsOwn = (address: string) => boolean;

/** Whether an address is one of the site itself but for `http` instead of `https`, or the reverse. */
export function isOtherScheme(address: string, isOwn: IsOwn): boolean {
  return isOwn(address.replace(/^http(s?):/i, (_, secure: string) => (secure === '' ? 'https:' : 'http:')));
}

/** Notes the shape of records: types at each path, without values. */
export class ShapeNotes {
  readonly #root = new PathNotes();
  readonly #isOwn: IsOwn;
  readonly #marks: Marks;
  records = 0;
  /** How many paths are noted, as a measure of memory. */
  paths = 0;
  isCut = false;

  constructor(isOwn: IsOwn, marks: Marks = []) {
    this.#isOwn = isOwn;
    this.#marks = marks;
  }

  note(value: unknown): void {
    this.#walk(this.#root, value, 0);
    this.records += 1;
  }

  members(shown: (name: string) => string): Record<string, MemberNotes> {
    const all = new Map<string, MemberNotes>();
    const visit = (node: PathNotes, path: string): void => {
      for (const [name, inner] of [...node.names].sort(byName)) {
        const below = path === '' ? shown(name) : `${path}.${shown(name)}`;
        all.set(below, memberNotes(inner, node.records.count('object'), inner.values < node.objects));
        visit(inner, below);
      }
      const of = node.records.count('object');
      const before = path === '' ? '' : `${path}.`;
      for (const name of fixedNumbers(node)) all.set(before + name, { seen: of, of, types: {} });
      if (node.elements === undefined) return;
      all.set(`${path}[]`, memberNotes(node.elements, node.elements.records.count('value'), false));
      visit(node.elements, `${path}[]`);
    };
    visit(this.#root, '');
    return Object.fromEntries(all);
  }

  #walk(node: PathNotes, value: unknown, depth: number): void {
    const record = this.records;
    node.values += 1;
    node.records.add('value', record);
    node.types.add(typeOf(value), record);
    if (typeof value === 'string') this.#walkText(node, value);
    else if (typeof value === 'number')
      node.signs.add(value === 0 ? 'zero' : value < 0 ? 'negative' : 'positive', record);
    else if (Array.isArray(value)) this.#walkList(node, value, depth);
    else if (isObject(value)) this.#walkObject(node, value, depth);
  }

  #walkText(node: PathNotes, text: string): void {
    node.texts.add(textKind(text, this.#isOwn), this.records);
    const looked = text.slice(0, LONGEST_MARKED);
    for (const [name, pattern] of this.#marks) if (pattern.test(looked)) node.marks.add(name, this.records);
  }

  #walkList(node: PathNotes, list: readonly unknown[], depth: number): void {
    if (list.length === 0 || depth === DEEPEST) return;
    node.elements ??= this.#newPath();
    if (node.elements === undefined) return;
    for (const element of list.slice(0, MOST_ELEMENTS)) this.#walk(node.elements, element, depth + 1);
  }

  #walkObject(node: PathNotes, object: JsonObject, depth: number): void {
    node.objects += 1;
    node.records.add('object', this.records);
    if (depth === DEEPEST) return;
    for (const name of Object.keys(object)) {
      if (isNumber(name) && node.numbers.size <= FEW_NUMBERS) {
        node.numbers.set(name, (node.numbers.get(name) ?? 0) + 1);
      }
      const inner = this.#memberOf(node, name);
      if (inner !== undefined) this.#walk(inner, object[name], depth + 1);
    }
  }

  /** Too many names, or names that are numbers, belong to a map. */
  #memberOf(node: PathNotes, name: string): PathNotes | undefined {
    const known = node.names.get(name);
    if (known !== undefined) return known;
    const isOfMap = isNumber(name) || name.length > LONGEST_NAME || node.names.size >= MOST_NAMES;
    if (isOfMap && name !== ANY_NAME) return this.#memberOf(node, ANY_NAME);
    const made = this.#newPath();
    if (made !== undefined) node.names.set(name, made);
    return made;
  }

  #newPath(): PathNotes | undefined {
    this.isCut ||= this.paths === MOST_PATHS;
    if (this.isCut) return undefined;
    this.paths += 1;
    return new PathNotes();
  }
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

function fixedNumbers({ numbers, objects, names }: PathNotes): string[] {
  const inner = names.get(ANY_NAME);
  const isFixed =
    numbers.size > 0 &&
    numbers.size <= FEW_NUMBERS &&
    objects >= FEWEST_OBJECTS &&
    inner?.objects === 0 &&
    [...numbers.values()].every((count) => count === objects);
  return isFixed ? [...numbers.keys()].sort() : [];
}

function memberNotes(node: PathNotes, of: number, sometimes: boolean): MemberNotes {
  return defined({
    seen: node.records.count('value'),
    of,
    sometimes: sometimes ? (true as const) : undefined,
    types: node.types.tallies() ?? {},
    texts: node.texts.tallies(),
    signs: node.signs.tallies(),
    marks: node.marks.tallies(),
  });
}

/** The type of a JSON value. */
export function typeOf(value: unknown): ValueType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : 'list';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'fraction';
    case 'string':
      return 'text';
    default:
      return Object.keys(value).length === 0 ? 'empty object' : 'object';
  }
}

const DATE_TIME = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;
/** Unset dates as databases and PHP print them. */
const ZEROS = /^(?:0000-00-00|-0001-11-30)(?:$|[T ])/;
const LONGEST_DATE = 40;
const MAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/;
const LONGEST_MAIL = 254;

function textKind(text: string, isOwn: IsOwn): TextKind {
  if (text === '') return 'empty';
  const date = text.length <= LONGEST_DATE ? dateKind(text) : undefined;
  if (date !== undefined) return date;
  if (/^https?:\/\//i.test(text)) {
    if (isOwn(text)) return 'own address';
    return isOtherScheme(text, isOwn) ? 'own address by another scheme' : 'other address';
  }
  if (/^\.{0,2}\/[^\s<>]*$/.test(text.slice(0, LONGEST_LOOK))) return 'relative address';
  if (text.length <= LONGEST_MAIL && MAIL.test(text)) return 'mail address';
  if (text.length <= LONGEST_DATE && /^-?\d+(?:\.\d+)?$/.test(text)) return 'number';
  return /<[a-z!/]/i.test(text.slice(0, LONGEST_LOOK)) ? 'markup' : 'plain';
}

function dateKind(text: string): TextKind | undefined {
  if (ZEROS.test(text)) return 'date-time of zeros';
  const date = DATE_TIME.exec(text);
  if (date === null) return undefined;
  const [, separator, fraction, zone] = date;
  if (separator === ' ') return 'date-time with blank';
  if (fraction !== undefined) return 'date-time with fraction';
  return zone === undefined ? 'date-time' : 'date-time with zone';
}
