import { isObject, type Json } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import type { Call } from '../../reference/site.ts';
import type { Mutant } from '../alteration.ts';
import { argsMutant, isOwnWrite, recordOf, without } from '../handling.ts';

/** Mutants of writes that store a changed text or date, or change other fields. */
export function damageMutants({ operations }: Contract): Mutant[] {
  return operations.filter(isOwnWrite).flatMap((operation) => {
    const { id, role, parameters } = operation;
    const names = Object.keys(parameters.properties);
    if (role === 'create') {
      return [
        ...names.flatMap((name) => (TEXTS[name] ?? []).map((how) => damaged(id, name, how))),
        ...(names.includes('date') ? [withoutOffset(id, 'date', 'stored')] : []),
      ];
    }
    return [
      ...['date', 'date_gmt'].filter((name) => names.includes(name)).map((name) => withoutOffset(id, name)),
      ...['categories', 'tags'].filter((name) => names.includes(name)).map((name) => added(operation, name)),
      ...UPDATES.filter(({ name }) => names.includes(name)).map((row) => updateMutant(id, row)),
      ...(names.includes('slug') ? [pastSlugMutant(operation)] : []),
      ...(names.includes('password') ? [firstPasswordMutant(operation)] : []),
      ...(names.includes('sticky') ? [besideTitleMutant(id)] : []),
    ];
  });
}

/** Ways to damage a text. */
const DAMAGE: Readonly<Record<string, (text: string) => string>> = {
  'question-marks': (text) => text.replace(/[^\t\n -~]/g, '?'),
  'decoded-wrongly': (text) => Buffer.from(text, 'utf8').toString('latin1'),
  'no-backslashes': (text) => text.replaceAll('\\', ''),
  'doubled-quotes': (text) => text.replaceAll("'", "''"),
  'one-line': (text) => text.replaceAll('\n', ' '),
  'cut-at-55-words': (text) => /^(?:\s*\S+){0,55}/.exec(text)?.[0] ?? '',
  'cut-at-255': (text) => text.slice(0, 255),
  'basic-plane-only': (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
  composed: (text) => text.normalize('NFC'),
  'no-zero-width': (text) => text.replace(/[\u200b-\u200d\u2060]/g, ''),
  'no-right-to-left': (text) => text.replace(/[\u0590-\u08ff]/g, '?'),
  'decoded-entities': (text) => text.replaceAll('&eacute;', 'é'),
  'no-shortcodes': (text) => text.replace(/\[\w+[^\]]*\]/g, ''),
  'single-slashes': (text) => text.replace(/\/{2,}/g, '/'),
  'no-tabs': (text) => text.replaceAll('\t', ' '),
  'one-blank': (text) => text.replace(/ {2,}/g, ' '),
  'no-empty-lines': (text) => text.replace(/\n{2,}/g, '\n'),
  'no-short-codes': (text) => text.replace(/\[\w+\]/g, ''),
  'cut-at-1000': (text) => text.slice(0, 1000),
  'cut-at-4000': (text) => text.slice(0, 4000),
  'cut-at-20': (text) => text.slice(0, 20),
  'in-lower-case': (text) => text.toLowerCase(),
  'no-variations': (text) => text.replace(/[\u200d\ufe0f]/gu, ''),
  'no-soft-hyphens': (text) => text.replaceAll('\u00ad', ''),
  'plain-blanks': (text) => text.replaceAll('\u00a0', ' '),
  'no-separators': (text) => text.replace(/[\u2028\u2029]/g, ' '),
  'no-marks': (text) => text.replace(/[\u200e\u200f\u2066-\u2069]/g, ''),
  'no-dollars': (text) => text.replace(/\$\d/g, ''),
  'decoded-percents': (text) => text.replaceAll('%41', 'A'),
};

const LETTERS = [
  ...['basic-plane-only', 'composed', 'no-zero-width', 'no-right-to-left'],
  ...['no-variations', 'no-soft-hyphens', 'plain-blanks', 'no-separators', 'no-marks'],
];
const MEANINGS = [
  ...['decoded-entities', 'no-shortcodes', 'single-slashes'],
  ...['no-dollars', 'decoded-percents'],
];
const SHORT = [
  ...['question-marks', 'decoded-wrongly', 'no-backslashes', 'doubled-quotes'],
  ...LETTERS,
  ...MEANINGS,
];
const BLANKS = ['one-line', 'no-tabs', 'one-blank', 'no-empty-lines', 'no-short-codes'];
const LONG = [...SHORT, ...BLANKS, 'cut-at-255', 'cut-at-1000'];
const PASSWORDS = ['question-marks', 'cut-at-20', 'in-lower-case'];

/** The kinds of damage for each text. Real software changes alternative texts further. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  title: [...SHORT, 'cut-at-255'],
  content: LONG,
  excerpt: [...LONG, 'cut-at-55-words'],
  caption: LONG,
  description: LONG,
  alt_text: ['question-marks', 'decoded-wrongly', ...LETTERS, 'cut-at-255'],
  password: PASSWORDS,
};

/** Values that updates with one method store wrongly and that few records have. */
interface Otherwise {
  readonly name: string;
  readonly method: string;
  readonly how: string;
  readonly turn: (value: Json) => Json;
  /** The requirement of the field that it breaks, if that is not the values of the method. */
  readonly states?: string;
}

const textTurned =
  (turn: (text: string) => string) =>
  (value: Json): Json =>
    typeof value === 'string' ? turn(value) : value;

const numberTurned =
  (turn: (number: number) => number) =>
  (value: Json): Json =>
    typeof value === 'number' ? turn(value) : value;

const UPDATES: readonly Otherwise[] = [
  ...['date', 'date_gmt'].map((name) => ({
    name,
    method: 'PATCH',
    how: 'no-offset-west',
    turn: textTurned((text) => text.replace(/-\d\d:\d\d$/, '')),
  })),
  {
    name: 'date',
    method: 'PUT',
    how: 'no-leap-day',
    turn: textTurned((text) => text.replace('-02-29', '-03-01')),
  },
  {
    name: 'date',
    method: 'PATCH',
    how: 'not-before-1970',
    turn: textTurned((text) => (text < '1970' ? '1970-01-01T00:00:00' : text)),
  },
  {
    name: 'date_gmt',
    method: 'PATCH',
    how: 'not-after-2038',
    turn: textTurned((text) => (text > '2038-01-19' ? '2038-01-19T03:14:07' : text)),
  },
  { name: 'menu_order', method: 'POST', how: 'unsigned', turn: numberTurned(Math.abs) },
  {
    name: 'menu_order',
    method: 'PUT',
    how: 'short',
    turn: numberTurned((number) => Math.min(number, 32_767)),
  },
  {
    name: 'tags',
    method: 'PUT',
    how: 'two-at-most',
    turn: (value) => (Array.isArray(value) ? value.slice(0, 2) : value),
  },
  ...['title', 'content', 'caption'].map((name) => ({
    name,
    method: 'PUT',
    how: 'as-number',
    turn: textTurned((text) => (/^\d[\d.]*$/.test(text) ? String(Number(text)) : text)),
  })),
  { name: 'content', method: 'POST', how: 'cut-at-4000', turn: textTurned((text) => text.slice(0, 4000)) },
  ...['content', 'description'].map((name) => ({
    name,
    method: 'POST',
    how: 'cut-at-65535',
    states: 'longest/stored',
    turn: textTurned((text) => text.slice(0, 65_535)),
  })),
  ...['content', 'excerpt', 'caption', 'description'].map((name) => ({
    name,
    method: 'PATCH',
    how: 'cut-at-controls',
    turn: textTurned((text) => text.split(/[^\P{Cc}\t\n\r]/u)[0] ?? ''),
  })),
  ...['excerpt', 'description'].map((name) => ({
    name,
    method: 'PUT',
    how: 'nothing-for-0',
    turn: textTurned((text) => (text === '0' ? '' : text)),
  })),
];

function updateMutant(
  id: string,
  { name, method, how, turn, states = `stored/${method}` }: Otherwise,
): Mutant {
  const about = `${id}/${name}/${states}~${how}`;
  return argsMutant(about, `${id} by ${method} stores ${name} otherwise: ${how}`, id, (args, { request }) => {
    const value = args[name];
    if (request.method !== method || value === undefined) return args;
    const isWrapped = isObject(value) && value.raw !== undefined;
    return { ...args, [name]: isWrapped ? { ...value, raw: turn(value.raw ?? '') } : turn(value) };
  });
}

function damaged(id: string, name: string, how: string): Mutant {
  const damage = DAMAGE[how] ?? String;
  return argsMutant(`${id}/${name}/stored~${how}`, `${id} damages ${name}: ${how}`, id, (args) => {
    const value = args[name];
    if (typeof value === 'string') return { ...args, [name]: damage(value) };
    if (!isObject(value) || typeof value.raw !== 'string') return args;
    return { ...args, [name]: { ...value, raw: damage(value.raw) } };
  });
}

/** A mutant that stores a wrong value for one field of a POST. */
function postMutant(
  about: string,
  title: string,
  id: string,
  name: string,
  turn: (value: Json, call: Call) => Json,
): Mutant {
  return argsMutant(about, `${id} by POST ${title}`, id, (args, call) => {
    const value = args[name];
    return call.request.method === 'POST' && value !== undefined
      ? { ...args, [name]: turn(value, call) }
      : args;
  });
}

/** A site that reserves all former slugs of a record, even against the record itself. */
function pastSlugMutant({ id, resource }: Operation): Mutant {
  const past = new WeakMap<object, Set<Json>>();
  const title = 'takes no slug that the record had before';
  return postMutant(`${id}/slug/stored/POST~of-the-past`, title, id, 'slug', (slug, call) => {
    const stored = recordOf(call, resource?.id);
    if (stored === undefined) return slug;
    const known = past.get(stored) ?? new Set<Json>();
    past.set(stored, known.add(stored.slug));
    return known.has(slug) && slug !== stored.slug ? `${String(slug)}-2` : slug;
  });
}

/** A site that never replaces the first password of a record. */
function firstPasswordMutant({ id, resource }: Operation): Mutant {
  const title = 'keeps the password that a record has, unless it is removed';
  return postMutant(`${id}/password/stored/POST~first-kept`, title, id, 'password', (password, call) => {
    const stored = recordOf(call, resource?.id)?.password;
    return password === '' ? password : stored || password;
  });
}

/** A site that resets the sticky flag in an update without texts. */
function besideTitleMutant(id: string): Mutant {
  const title = `${id} by POST leaves a record sticky where its title is named as well`;
  return argsMutant(`${id}/sticky/stored/POST~beside-title`, title, id, (args, { request }) =>
    request.method === 'POST' && args.sticky === false && 'title' in args ? without(args, 'sticky') : args,
  );
}

function withoutOffset(id: string, name: string, states = 'stored/POST'): Mutant {
  const title = `leaves out the offset that ${name} names`;
  return postMutant(`${id}/${name}/${states}~no-offset`, title, id, name, (value) =>
    typeof value === 'string' ? value.replace(/[+-]\d\d:\d\d$/, '') : value,
  );
}

function added({ id, resource }: Operation, name: string): Mutant {
  const title = `adds ${name} to those that the record has`;
  return postMutant(`${id}/${name}/stored/POST~added`, title, id, name, (value, call) => {
    const stored = recordOf(call, resource?.id);
    const before = (name === 'tags' ? stored?.tags : stored?.categories) ?? [];
    return Array.isArray(value) && value.length > 0 ? [...before, ...value] : value;
  });
}
