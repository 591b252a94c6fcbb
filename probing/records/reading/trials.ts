import type { Finding } from '../../../engine/check.ts';
import type { Difference } from '../../../engine/equal.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Caller } from '../../../engine/session.ts';
import { listed, plural } from '../../../engine/text.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import type { Operation } from '../../../specs/model.ts';
import { describeArgs } from './list-request.ts';
import type { Snapshot } from './open-list.ts';
import type { SiteRecord } from './record.ts';

/** The records of one answer, in its order. */
export type Records = readonly SiteRecord[];

/** Whether an answer must contain a record; undefined if its members do not show it. */
export type Keeps = (record: SiteRecord) => boolean | undefined;

/** Requests whose answers can be predicted from the records of a list. */
export interface Trial {
  /** The arguments of each request, in addition to the usual ones. */
  readonly requests: readonly Args[];
  /** Whether refused requests are left out because another check reports them; otherwise a refusal is a difference. */
  readonly skipsRefused?: boolean;
  /** For a filter: the records that its only answer must contain. */
  readonly keeps?: Keeps;
  /** Of a trial that proves several filters at once: the one that takes its place unless it agrees and proves them. */
  readonly alone?: Trial;
  /** The first violation in the answers, one for each request; undefined if there is none. */
  evaluate(answers: readonly Records[], snapshot: Snapshot): Difference | undefined;
  /** Why answers without a violation prove nothing; undefined if they prove something. */
  whyUnproven?(answers: readonly Records[], snapshot: Snapshot): Finding | undefined;
}

/** Whether several filters together keep a record. */
export function allKeep(filters: readonly Keeps[]): Keeps {
  return (record) => {
    const kept = filters.map((keeps) => keeps(record));
    if (kept.includes(false)) return false;
    return kept.includes(undefined) ? undefined : true;
  };
}

/** What a rule may use besides the snapshot. */
export interface RuleSite {
  readonly operation: Operation;
  readonly as: Caller;
  wire(parameter: string): string;
  /** Reads another list, such as the terms; undefined if the index does not list it. */
  readBeside(collection: string): Promise<Records | undefined>;
  /** The records that the list holds with some arguments, as first read; undefined if it is no list. */
  heldWith(args: Args): Promise<Records | undefined>;
}

/** Chooses conclusive trials from the records; a finding says why there are none. */
export type Rule = (
  snapshot: Snapshot,
  site: RuleSite,
) => readonly Trial[] | Finding | Promise<readonly Trial[] | Finding>;

/** A trial that is only conclusive together with others of its rule. */
export function jointly({ whyUnproven: _, ...trial }: Trial): Trial {
  return trial;
}

/** A request whose answer must contain exactly the records that a predicate keeps. */
export function subsetTrial(args: Args, keeps: Keeps): Trial {
  return {
    requests: [args],
    keeps,
    evaluate: ([answer = []], snapshot) => compareSubset(nameOf(args), answer, snapshot, keeps),
    whyUnproven([answer = []], { records, page }) {
      const kept = records.filter((record) => keeps(record) === true).length;
      const excludes = page.some((record) => keeps(record) === false) || without(page, answer).length > 0;
      if (kept > 0 && excludes) return undefined;
      return inconclusive(`${nameOf(args)} matches ${kept === 0 ? 'none' : 'all'} of the visible records`);
    },
  };
}

const nameOf = (args: Args): string => describeArgs(args) || 'the list without arguments';

/** The records that others do not hold. */
export function without(records: Records, others: Records): Records {
  const ids = new Set(others.map(({ id }) => id));
  return records.filter(({ id }) => !ids.has(id));
}

/** The records that an answer should not hold. One that the list leaves out and that matches is missing in the list. */
export function extraIn(
  asked: string,
  answer: Records,
  { records, complete }: Snapshot,
  keeps: Keeps,
): Pick<Difference, 'message' | 'observed'> | undefined {
  const known = new Map(records.map((record) => [record.id, record]));
  const wrong = answer.filter((record) => keeps(known.get(record.id) ?? record) === false);
  const extra = wrong.length > 0 || !complete ? wrong : without(answer, records);
  if (extra.length === 0) return undefined;
  const [how, what] =
    extra === wrong ? ['do not match', 'not matching'] : ['the whole list lacks', 'not listed'];
  const observed = `${countOf(answer)}; ${what}: ${idsOf(extra)}`;
  return { message: `${asked} returns records that ${how}`, observed };
}

function compareSubset(asked: string, answer: Records, snapshot: Snapshot, keeps: Keeps) {
  const predicted = snapshot.records.filter((record) => keeps(record) === true);
  const about = { expected: countOf(predicted), observed: countOf(answer) };
  if (repeats(answer)) return { message: `${asked} repeats records`, ...about };
  const extra = extraIn(asked, answer, snapshot, keeps);
  if (extra !== undefined) return { ...about, ...extra };
  const missing = without(dueIn(answer, predicted, snapshot), answer);
  if (missing.length === 0) return undefined;
  const observed = `${countOf(answer)}; missing: ${idsOf(missing)}`;
  return { message: `${asked} leaves out records that match`, ...about, observed };
}

/** The predicted records that an answer must contain: if the page may be cut, those before its last one. */
export function dueIn(answer: Records, predicted: Records, { hides, total, size, byId }: Snapshot): Records {
  const isCut = answer.length >= size || (hides && total > size);
  if (!isCut) return predicted;
  if (!byId) return [];
  const lowest = answer.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  return predicted.filter(({ id }) => id > lowest);
}

const MOST_IDS = 8;

/** Ids for a message, bounded: `3, 5, 8 and 12 more`. */
export function idsOf(records: Records): string {
  const ids = records.map(({ id }) => id);
  return listed(ids, MOST_IDS);
}

/** How many records, and which: `2 records (3, 5)`. */
export function countOf(records: Records): string {
  if (records.length === 0) return 'no records';
  return `${plural(records.length, 'record')} (${idsOf(records)})`;
}

/** Whether an answer holds a record twice. */
export function repeats(answer: Records): boolean {
  return new Set(answer.map(({ id }) => id)).size < answer.length;
}

/** Whether two answers hold the same records in the same order. */
export function sameIds(one: Records, other: Records): boolean {
  return one.length === other.length && one.every(({ id }, at) => id === other[at]?.id);
}
