import { namesRefused } from '../../../client/answer.ts';
import type { JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import type { SiteIndex } from '../../../client/site-index.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { goodValue, textFits, withinLength } from '../../../generators/valid-values.ts';
import { readDescriptor } from '../../../probing/declarations/descriptor.ts';
import { declarationIn, servedMethods } from '../../../probing/declarations/find-route.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { isText, shownValue, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { findResource } from '../../../specs/find-resource.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';
import { NONE, type OtherValues } from './other-values.ts';

/** The field that names the run, which many sites keep shorter than other texts. */
export const TITLE = 'title';

/** Fewer characters than columns hold that are meant for titles. */
const SHORT = 60;

/** A title that a site takes which refuses long ones. */
export const shortTitle = (title: unknown): string => [...String(title)].slice(0, SHORT).join('').trim();

/** What values of fields are made of. */
export interface FieldSources {
  readonly own: OwnRecords;
  readonly collection: Collection;
  /** How the edit context shows a record of the collection that was created with text only. */
  readonly plain: JsonObject | undefined;
  readonly ids: ReadonlyMap<Collection, readonly number[]>;
  /** Ids of terms of visible records, by the name of their field on the target. */
  readonly terms: Readonly<Record<string, readonly number[]>>;
  /** An author and a template other than the defaults, as far as the site has some. */
  readonly others: OtherValues;
  /** The collections that refused a long title so far. */
  readonly shortTitled: ReadonlySet<Collection>;
}

/** A value to write, or why there is none. @property hasNone whether the site itself states that it has no other */
export type FieldValue = { readonly value: unknown } | (Finding & { readonly hasNone?: boolean });

type Maker = (sources: FieldSources, round: number) => FieldValue;

/** Statuses that sites know. Which may follow which is silent, so they are written one after the other. */
const STATUSES: readonly string[] = ['draft', 'pending', 'private', 'draft'];

/**
 * Characters that software treats differently: of one to four bytes, a character in two compositions, right-to-left
 * text, zero-width characters, direction marks, and line and paragraph separators.
 */
const LETTERS =
  'Größe Ж 日本 – «é» e\u0301 𝒜𠮷 👩\u200d💻 ❤\ufe0f שלום سلام می\u200cخواهم zero\u200bwidth soft\u00adhyphen no\u00a0break \u200fmark\u200e \u2067from\u2069 line\u2028paragraph\u2029end';
/** Characters that databases, templates and encodings escape or read, but those that software drops from attributes. */
const QUOTES = `it's "so" $1 {1} {{so}} a+b &eacute; &lt;i&gt; &amp; https://example.org/a_b [sample id="1"] a//b, so... #1 (a|b) what?! x*y ~z ^c \`d\` @e --f`;
/**
 * The same with backslashes and percent signs, and text that resembles markup. For editors without all rights, software
 * drops a lone `&` and tags; some strips tags from all texts (R35).
 */
const CHARACTERS = `${QUOTES} &#8217; &quot; \\ \\\\ 100% %41 %s`;
/** Longer than short columns, and than what a hash of a password uses. */
const LONGER = `${'and so on, '.repeat(8)}end`;
/** Longer than a column of 255 characters, in characters that addresses hold unescaped. */
const MORE = `${'and-so-on-'.repeat(30)}end`;
/** Longer than short columns and summaries, with a tab, two blanks, an empty line, a lone short code, and a line break at its end. */
const LINES = `${LETTERS}\n${CHARACTERS}\ttab two  blanks\n\n[sample] ${'and-so-on '.repeat(120)}end\n`;
/** More than 4,000 characters, the limit of many columns. Too long for an address. */
const LONG = `${LINES} ${'and-so-on-'.repeat(400)}end`;
/** More bytes than a column with a 16-bit length holds. */
const LONGEST = `${LINES} ${'and so on - '.repeat(6_000)}end`;
/** Control characters that JSON must or may escape. Software may drop them, but nothing else (R35). */
const CONTROLS = `one\u0001two\bthree\vfour\ffive\u001b[1msix\u007fseven\u0085eight ${LINES}`;

/** A number as a title: the slug then identifies the run. */
const NUMERAL = '007.10';

/**
 * The rounds of values: what writes them. Each gives a field another value, as far as several are known; those of whole
 * records follow each other, so that updates run through the members of an enum.
 */
export const ROUNDS = {
  creation: 0,
  /** The update by the first method, and autosaves. */
  first: 1,
  /** The one by the second method: passwords are unset, and texts look like another value, or like nothing, to languages. */
  second: 2,
  /** The one by the third method: dates are outside of 32-bit seconds, and texts have control characters. */
  third: 3,
  /** Updates of one field each, in both directions. */
  lone: 4,
  loneBack: 8,
  loneLast: 12,
  /** Updates of the title alone, one by each method; the second of these titles is a number. */
  titles: 20,
  numeral: 21,
  lastTitles: 30,
  /** The longest text, which no other update has. */
  longest: 40,
  /** A prime number, so that each member of an enum is another one than that of the creation. */
  postponed: 41,
} as const;

/** The rounds of updates by each method. */
const BY_METHOD: readonly number[] = [ROUNDS.first, ROUNDS.second, ROUNDS.third];

const LATER_TEXTS: ReadonlyMap<number, string> = new Map([
  [ROUNDS.third, CONTROLS],
  [ROUNDS.longest, LONGEST],
]);

/** A slug longer than many titles make one, within the 200 characters of common columns. */
export function longSlug(own: OwnRecords): string {
  return `${own.nextSlug()}-${'and-so-on-'.repeat(8)}end`;
}

/** Whether a value is the longest text, which a site may refuse and another check tests. */
export function isLongest(value: unknown): boolean {
  return typeof value === 'string' && value.length > LONGEST.length;
}

/** Values of fields whose schema is not enough; others use the good value of their schema. */
const BY_NAME: Readonly<Record<string, Maker>> = {
  // No time zone changes its clock in June or on this leap day, so that every time is unique. The last dates are
  // outside of 32-bit seconds since 1970.
  date: ({ own }, round) => ({
    value: `${round === ROUNDS.second ? '2020-02-29' : dayInJune(round === ROUNDS.third ? 1968 : 2021, round)}T05:${timeOf(own)}${offsetOf(FIRST_TWO[round] ?? round)}`,
  }),
  date_gmt: ({ own }, round) => ({
    value: `${dayInJune(round === ROUNDS.third ? 2041 : 2022, round)}T15:${timeOf(own)}${offsetOf(round)}`,
  }),
  slug: ({ own }) => ({ value: longSlug(own) }),
  status: ({ own, collection }, round) => {
    // The statuses that its records are known to keep (R35).
    const kept = findResource(own.contract, collection)?.statuses?.kept ?? [];
    const words = STATUSES.filter((word) => kept.includes(word));
    return rotate(words, round);
  },
  password: (_, round) => ({
    value: round === ROUNDS.second ? '' : `Open-${round} it's Größe Ж 𝒜 "so" \\ ${LONGER}`,
  }),
  title: (sources, round) =>
    round === ROUNDS.numeral && sources.plain?.slug
      ? { value: NUMERAL }
      : text('title', `${LETTERS} ${CHARACTERS} ${MORE}`)(sources, round),
  // Real software drops a lone 0 here.
  content: (sources, round) =>
    besideTitle('content', [NUMERAL, 'false'], round === ROUNDS.first ? LONG : LINES)(sources, round),
  excerpt: besideTitle('excerpt', ['0', 'null']),
  caption: besideTitle('caption', [NUMERAL]),
  description: besideTitle('description', ['0']),
  // Real software treats a backslash here as an escape, and drops percent-encoded characters.
  alt_text: besideTitle('alternative', ['0'], `${LETTERS} ${QUOTES} ${MORE}`, new Map()),
  author: otherOf('author'),
  sticky: (_, round) => ({ value: round % 2 === 0 }),
  template: otherOf('template'),
  'meta/_theme_block_theme_hide_title': (_, round) => ({ value: round % 2 === 0 }),
  // Software that sanitizes footnotes parses this JSON and writes it unchanged. Only updates that are about values hold
  // quotes, and so backslashes.
  'meta/footnotes': (_, round) => {
    const content = `note ${round} ${BY_METHOD.includes(round) ? '"so" ' : ''}${MORE}`;
    return { value: JSON.stringify([{ id: 'one', content }]) };
  },
};

/** A value of a field that a site accepts, by round: another one each time if several are known. */
export function fieldValue(field: WritableField, sources: FieldSources, round: number): FieldValue {
  const known = usualValue(field, sources, round);
  if (field.name === TITLE && !isFinding(known) && sources.shortTitled.has(sources.collection))
    return { value: shortTitle(known.value) };
  const most = mostCharacters(sources.own.session.index, field);
  if (most === undefined || isFinding(known) || typeof known.value !== 'string') return known;
  return { value: [...known.value].slice(0, most).join('') };
}

/** The values of fields by their names, others in each round; without those that no source knows. */
export function valuesOfRound(
  fields: readonly WritableField[],
  sources: FieldSources,
  round: number,
): Map<string, unknown> {
  const known = fields.map((field) => [field.name, fieldValue(field, sources, round)] as const);
  return new Map(known.flatMap(([name, one]) => (isFinding(one) ? [] : [[name, one.value]])));
}

/** Written values as a refusal parts them: those that it names, and the rest; undefined if that does not help. */
export function partedBy(
  answer: Observation,
  fields: readonly WritableField[],
  written: ReadonlyMap<string, unknown>,
): Record<'refused' | 'rest', ReadonlyMap<string, unknown>> | undefined {
  const names = namesRefused(answer);
  const named = new Set(fields.flatMap(({ wire, name }) => (names.includes(wire) ? [name] : [])));
  const part = (isNamed: boolean) => new Map([...written].filter(([name]) => named.has(name) === isNamed));
  const [refused, rest] = [part(true), part(false)];
  // A shorter title is another attempt.
  return refused.size === 0 || rest.size === 0 || refused.has(TITLE) ? undefined : { refused, rest };
}

/** How long the site itself declares that a text of a field may be (R18). */
function mostCharacters(index: SiteIndex, field: WritableField): number | undefined {
  const limits = servedMethods(index, field.operation).flatMap(({ endpoints }) => {
    const declared = readDescriptor(declarationIn(endpoints, field.wire));
    const inner = field.key ?? (isText(field) ? 'raw' : undefined);
    const most = (inner === undefined ? declared : declared?.property(inner))?.keyword('maxLength');
    return typeof most === 'number' ? [most] : [];
  });
  return limits.length === 0 ? undefined : Math.min(...limits);
}

function usualValue(field: WritableField, sources: FieldSources, round: number): FieldValue {
  const maker = BY_NAME[field.name] ?? makerByNames(field, sources);
  const made = maker?.(sources, round);
  if (made !== undefined) return isFinding(made) ? made : { value: fitted(field.schema, made.value) };
  const { enum: members } = field.schema;
  if (members === undefined) return { value: plainOf(field.schema, sources.own.session.seed, round) };
  const byItself = shownValue(sources.plain, field);
  return rotate(members, round + 1 + members.indexOf(byItself));
}

/** Numbers on both sides of zero and of 16 bits. */
const SIZES = [1_000, -1_000, 70_000, 2_000_000];

/** Another value of a schema for each round: numbers depend on the seed too, so that no site is made for them. */
function plainOf(schema: Schema, seed: number, round: number): unknown {
  const types = typesOf(schema);
  if (types.includes('boolean')) return round % 2 === 0;
  if (!types.some((type) => type === 'integer' || type === 'number')) return goodValue(schema);
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const size = (SIZES[round % SIZES.length] ?? 0) + ((Math.abs(seed) * 31 + round * 7) % 900);
  if (size >= minimum && size <= maximum) return size;
  const least = Math.max(minimum, Math.min(0, maximum));
  return Math.min(maximum, least + (Math.abs(size) % (Math.min(maximum - least, 900) + 1)));
}

/** A text within what the contract states of it. */
function fitted(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = withinLength(value, schema);
  return textFits(schema, text) ? text : goodValue(schema);
}

function makerByNames({ wire, schema }: WritableField, { ids }: FieldSources): Maker | undefined {
  const named = schema['x-names'];
  if (named === undefined) return undefined;
  if (named === 'terms') return termsOf(wire);
  const known = ids.get(named) ?? [];
  const values = typesOf(schema).includes('array') ? known.map((id) => [id]) : known;
  return (_, round) => rotate(values, round, `there are no own ${named} to name`);
}

function text(what: string, rest: string): Maker {
  return ({ own }, round) => ({ value: `${own.tag} ${what} ${round} ${rest}` });
}

/** The rounds in which a text besides the title looks like another value, or like nothing, to languages. */
const STRANGE_ROUNDS: readonly number[] = [ROUNDS.second, ROUNDS.loneBack];

/** A text besides the title, which need not name the run. @param strange for these rounds @param later for others */
function besideTitle(
  what: string,
  strange: readonly string[],
  usual = LINES,
  later: ReadonlyMap<number, string> = LATER_TEXTS,
): Maker {
  return (sources, round) => {
    const value = strange[STRANGE_ROUNDS.indexOf(round)];
    return value === undefined ? text(what, later.get(round) ?? usual)(sources, round) : { value };
  };
}

/** The offsets in dates, which make them independent of the time zone of the site; the first date has none. */
const OFFSETS = ['', '+05:30', 'Z', '-03:30'];
/** A creation has an offset in one of the dates, the first update in the other. */
const FIRST_TWO: readonly number[] = [1, 0];

/** Minutes and seconds that depend on the seed. */
function timeOf({ session: { seed } }: OwnRecords): string {
  const two = (factor: number): string => String(1 + ((Math.abs(seed) * factor) % 58)).padStart(2, '0');
  return `${two(7)}:${two(11)}`;
}

const offsetOf = (round: number): string => OFFSETS[round % OFFSETS.length] ?? '';

const dayInJune = (year: number, round: number): string => `${year}-06-${String(round + 1).padStart(2, '0')}`;

/** Where the value of a field comes from: no record has one. */
const WHOSE: Readonly<Record<keyof OtherValues, string>> = {
  author: 'it takes another user',
  template: 'themes bring templates, and the hints of the owner may name one',
};

/** Alternates between another value and the default. */
function otherOf(name: keyof OtherValues): Maker {
  return ({ plain, others }, round) => {
    if (others[name] === NONE)
      return { ...inconclusive(`the site has no ${name} to choose from`), hasNone: true };
    const unknown = `no other ${name} is known than the one that a record has by itself: ${WHOSE[name]}`;
    if (others[name] === undefined) return inconclusive(unknown);
    const byItself = plain?.[name];
    return rotate(byItself === undefined ? [others[name]] : [others[name], byItself], round);
  };
}

const MOST_TERMS = 5;

function termsOf(taxonomy: string): Maker {
  return ({ terms, plain }, round) => {
    const known = terms[taxonomy] ?? [];
    // The default terms come last.
    const own = known.filter((id) => !sameMeaning(plain?.[taxonomy], [id]));
    const [first, second, ...more] = [...own, ...known.filter((id) => !own.includes(id))];
    if (first === undefined)
      return inconclusive(`neither a visible record nor a list of the site has ${taxonomy}`);
    if (second === undefined) return { value: [first] };
    const several = [first, second, ...more.slice(0, MOST_TERMS - 2)];
    // A creation writes several terms, and so does each method if the site has three. Updates of one field write others.
    return rotate([several, [first], several, several.slice(1), [second]], round);
  };
}

function rotate(values: readonly unknown[], round: number, reason = 'no value is known'): FieldValue {
  return values.length === 0 ? inconclusive(reason) : { value: values[round % values.length] };
}
