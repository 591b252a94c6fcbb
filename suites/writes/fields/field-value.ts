import type { Collection } from '../../../client/journal.ts';
import type { JsonObject } from '../../../client/json.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import type { Session } from '../../../engine/session.ts';
import { goodValue } from '../../../generators/valid-values.ts';
import { createWith } from '../../../probing/records/own/make-record.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { shownValue, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { openList } from '../../../probing/records/reading/open-list.ts';
import { valuesOf } from '../../../probing/records/reading/record.ts';
import { snapshotOf } from '../../../probing/records/reading/run-rule.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { typesOf } from '../../../specs/schema.ts';

/** What values of fields are made of. */
export interface FieldGround {
  readonly own: OwnRecords;
  readonly collection: Collection;
  /** The statuses that its records are known to keep (R35). */
  readonly kept: readonly string[];
  /** How the edit context shows a record of the collection of which no field was written but text. */
  readonly plain: JsonObject | undefined;
  /** Own records that fields may name, by collection. */
  readonly ids: ReadonlyMap<Collection, readonly number[]>;
  /** Ids of terms that visible records have, by the field that names them on the target. */
  readonly terms: Readonly<Record<string, readonly number[]>>;
  /** An author and a template that records do not have by themselves, as far as the site knows some. */
  readonly others: OtherValues;
}

/** A value to write, or why there is none. */
export type FieldValue = { readonly value: unknown } | { readonly reason: string };

type Maker = (ground: FieldGround, round: number) => FieldValue;

/** Words that sites know; which one a record has after which is silent, so that they are written one after the other. */
const STATUSES: readonly string[] = ['draft', 'pending', 'private', 'draft'];

/** Letters beyond ASCII, of one to three bytes; none of four, which older databases do not keep. */
const LETTERS = 'Größe Ж 日本 – «é»';
/** Signs that databases and encodings quote. What editors without all rights write loses others: `&` and `<`. */
const SIGNS = `it's "so" \\ 100%`;
/** More than a short column holds, in two lines. */
const LINES = `${LETTERS}\n${SIGNS} ${'and so on '.repeat(30)}end`;

/** Values of the fields whose schema does not tell enough; the others have the good value of their schema. */
const BY_NAME: Readonly<Record<string, Maker>> = {
  // In June no zone changes its clock, so that every time exists once.
  date: (_, round) => ({ value: `2021-06-${twoDigits(round + 1)}T05:06:07${offsetOf(round)}` }),
  date_gmt: (_, round) => ({ value: `2022-06-${twoDigits(round + 1)}T15:16:17${offsetOf(round)}` }),
  slug: ({ own }) => ({ value: own.nextSlug() }),
  status: ({ kept }, round) =>
    rotate(
      STATUSES.filter((word) => kept.includes(word)),
      round,
    ),
  password: (_, round) => ({ value: round === 2 ? '' : `open-${round}` }),
  title: text('title', `${LETTERS} ${SIGNS}`),
  content: text('content', LINES),
  excerpt: text('excerpt', LINES),
  caption: text('caption', LINES),
  description: text('description', LINES),
  // Real software reads a backslash here as the mark of a quote.
  alt_text: text('alternative', LETTERS),
  author: otherOf('author'),
  menu_order: (_, round) => ({ value: 1003 + round }),
  sticky: (_, round) => ({ value: round % 2 === 0 }),
  template: otherOf('template'),
  'meta/_theme_block_theme_hide_title': (_, round) => ({ value: round % 2 === 0 }),
  // Software that cleans footnotes reads them as this JSON, and writes it the same.
  'meta/footnotes': (_, round) => ({ value: JSON.stringify([{ id: 'one', content: `note ${round}` }]) }),
};

/**
 * A value of a field that every site takes. @param round counts the writes: another value in each where more than one is
 * known, the first of them another one than a record has by itself
 */
export function fieldValue(field: WritableField, ground: FieldGround, round: number): FieldValue {
  const maker = BY_NAME[field.name] ?? makerByNames(field, ground);
  if (maker !== undefined) return maker(ground, round);
  const { enum: members } = field.schema;
  if (members === undefined) return { value: goodValue(field.schema) };
  const byItself = shownValue(ground.plain, field);
  return rotate(members, round + 1 + members.indexOf(byItself));
}

/** What a field names tells its values: terms in use, or own records of a collection. */
function makerByNames({ wire, schema }: WritableField, { ids }: FieldGround): Maker | undefined {
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

/** Each second date names its offset, so that it is an instant in whatever zone the site is. */
function offsetOf(round: number): string {
  return round % 2 === 0 ? '' : '+05:30';
}

/** Who brings another value of a field: no record does. */
const WHOSE: Readonly<Record<keyof OtherValues, string>> = {
  author: 'it takes another user',
  template: 'themes bring templates, and the hints of the owner may name one',
};

/** Another value than a record has by itself, and that one, by turns. */
function otherOf(name: keyof OtherValues): Maker {
  return ({ plain, others }, round) => {
    if (others[name] === undefined) {
      return { reason: `no other ${name} is known than the one that a record has by itself: ${WHOSE[name]}` };
    }
    const byItself = plain?.[name];
    return rotate(byItself === undefined ? [others[name]] : [others[name], byItself], round);
  };
}

function termsOf(taxonomy: string): Maker {
  return ({ terms, plain }, round) => {
    const known = terms[taxonomy] ?? [];
    // The terms that every record gets by itself come last.
    const own = known.filter((id) => !sameMeaning(plain?.[taxonomy], [id]));
    const [first, second] = [...own, ...known.filter((id) => !own.includes(id))];
    if (first === undefined) return { reason: `no visible record has ${taxonomy}` };
    return rotate(second === undefined ? [[first]] : [[first], [second], [first, second]], round);
  };
}

function rotate(values: readonly unknown[], round: number, reason = 'no value is known'): FieldValue {
  return values.length === 0 ? { reason } : { value: values[round % values.length] };
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** Fields that name something of the site of which a record has one by itself, and a site may know no other one. */
const NAMING = ['author', 'template'] as const;

/** Other values of those fields than an own record has by itself. */
type OtherValues = Readonly<Partial<Record<(typeof NAMING)[number], unknown>>>;

/**
 * Finds an author and a template that visible records have and own ones have not. What visible records have may be gone by
 * now, or out of this user's reach: only what an own record takes is another value.
 * @param plain how the edit context shows an own record of the collection of which no such field was written
 */
export async function otherValues(
  session: Session,
  own: OwnRecords,
  collection: Collection,
  plain: JsonObject | undefined,
): Promise<OtherValues> {
  const shown = await shownValues(session, collection, plain);
  const names = NAMING.filter((name) => shown[name] !== undefined);
  if (names.length === 0 || (await takes(session, own, collection, shown))) return shown;
  const taken: Partial<Record<(typeof NAMING)[number], unknown>> = {};
  for (const name of names) {
    const isTaken =
      (await takes(session, own, collection, { [name]: shown[name] })) ||
      // What is refused whatever it names is refused for another reason, which the checks of the field report.
      !(await takes(session, own, collection, { [name]: plain?.[name] }));
    if (isTaken) taken[name] = shown[name];
  }
  return taken;
}

async function takes(
  session: Session,
  own: OwnRecords,
  collection: Collection,
  values: OtherValues,
): Promise<boolean> {
  return !('refused' in (await createWith(session, own, collection, values)));
}

async function shownValues(
  session: Session,
  collection: Collection,
  plain: JsonObject | undefined,
): Promise<OtherValues> {
  const list = operationFor(session.contract, collection, 'list');
  if (list === undefined || plain === undefined) return {};
  const snapshot = await snapshotOf(session, await openList(session, list, list.route.wire));
  if ('finding' in snapshot) return {};
  const others: Partial<Record<(typeof NAMING)[number], unknown>> = {};
  for (const name of NAMING) {
    const other = snapshot.records
      .flatMap((record) => valuesOf(record, name) ?? [])
      .find((value) => value !== plain[name] && value !== '' && value !== 0);
    if (other !== undefined) others[name] = other;
  }
  return others;
}
