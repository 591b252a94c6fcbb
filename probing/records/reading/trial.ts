import type { Difference } from '../../../engine/equal.ts';
import type { Caller } from '../../../engine/session.ts';
import { listed } from '../../../engine/text.ts';
import type { Operation } from '../../../specs/model.ts';
import { type Args, describeArgs } from './list-request.ts';
import type { SiteRecord } from './record.ts';
import type { Snapshot } from './snapshot.ts';

/** The records of one answer, in its order. */
export type Records = readonly SiteRecord[];

/** Whether a record belongs into an answer; undefined when its members do not tell. */
export type Keeps = (record: SiteRecord) => boolean | undefined;

/** Requests whose answers the records of a list predict. */
export interface Trial {
  /** Arguments of each request, beside those that every request has. */
  readonly requests: readonly Args[];
  /** Whether a request that is refused is left out: something else reports it. Otherwise it differs. */
  readonly skipsRefused?: boolean;
  /** Which records its one answer must hold, where it is a filter. */
  readonly keeps?: Keeps;
  /** What is wrong with the answers, one for each request; undefined when nothing is. */
  judge(answers: readonly Records[], snapshot: Snapshot): Difference | undefined;
  /** Why answers that are not wrong prove nothing; undefined when they do prove something. */
  silent?(answers: readonly Records[], snapshot: Snapshot): string | undefined;
}

/** What a rule may ask besides looking at the snapshot. */
export interface Site {
  /** The list that is asked for. */
  readonly operation: Operation;
  /** Who asks. */
  readonly as: Caller;
  /** The name that the target uses for a parameter of the list. */
  wire(parameter: string): string;
  /** Reads a list beside the one that is checked, such as the terms; undefined where the index does not list it. */
  readBeside(collection: string): Promise<Records | undefined>;
}

/** Chooses from the records what to try, so that the answer shows something; a text says why they show nothing. */
export type Rule = (
  snapshot: Snapshot,
  site: Site,
) => readonly Trial[] | string | Promise<readonly Trial[] | string>;

/** A trial that shows something only together with others of its rule, and is not asked for more alone. */
export function jointly({ silent: _, ...trial }: Trial): Trial {
  return trial;
}

/** A request whose answer must hold the records that a predicate keeps, and no others. */
export function subsetTrial(args: Args, keeps: Keeps): Trial {
  return {
    requests: [args],
    keeps,
    judge: ([answer = []], snapshot) => compareSubset(nameOf(args), answer, snapshot, keeps),
    silent([answer = []], { records, page }) {
      const kept = records.filter((record) => keeps(record) === true).length;
      const excludes = page.some((record) => keeps(record) === false) || leavesOut(answer, page);
      if (kept > 0 && excludes) return undefined;
      return `${nameOf(args)} describes ${kept === 0 ? 'none' : 'all'} of the records that are visible`;
    },
  };
}

function nameOf(args: Args): string {
  return describeArgs(args) || 'the list without arguments';
}

function leavesOut(answer: Records, records: Records): boolean {
  const found = new Set(answer.map(({ id }) => id));
  return records.some(({ id }) => !found.has(id));
}

/** Evaluates an answer by the records of the snapshot; one that it does not hold is evaluated by its own members. */
function compareSubset(
  asked: string,
  answer: Records,
  snapshot: Snapshot,
  keeps: Keeps,
): Difference | undefined {
  const known = new Map(snapshot.records.map((record) => [record.id, record]));
  const found = new Set(answer.map(({ id }) => id));
  const predicted = snapshot.records.filter((record) => keeps(record) === true);
  const about = { expected: countOf(predicted), observed: countOf(answer) };
  if (found.size < answer.length) return { message: `${asked} repeats records`, ...about };
  const extra = answer.filter((record) => {
    const before = known.get(record.id);
    return before === undefined && snapshot.complete ? true : keeps(before ?? record) === false;
  });
  if (extra.length > 0) {
    const observed = `${countOf(answer)}; not described: ${idsOf(extra)}`;
    return { message: `${asked} lets through records that it does not describe`, ...about, observed };
  }
  const missing = dueIn(answer, predicted, snapshot).filter(({ id }) => !found.has(id));
  if (missing.length > 0) {
    const observed = `${countOf(answer)}; missing: ${idsOf(missing)}`;
    return { message: `${asked} leaves out records that it describes`, ...about, observed };
  }
  return undefined;
}

/**
 * The records that an answer must hold, of those that belong into it. A page that may be cut says nothing about the records
 * after its last one; answers are sorted by id, highest first, or else the place of a record is not known.
 */
export function dueIn(answer: Records, predicted: Records, { hides, total, size, byId }: Snapshot): Records {
  const isCut = answer.length >= size || (hides && total > size);
  if (!isCut) return predicted;
  if (!byId) return [];
  const lowest = answer.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  return predicted.filter(({ id }) => id > lowest);
}

const MOST_IDS = 8;

/** Ids for a reader, bounded: `3, 5, 8 and 12 more`. */
export function idsOf(records: Records): string {
  return listed(
    records.map(({ id }) => id),
    MOST_IDS,
  );
}

/** How many records, and which: `2 records (3, 5)`. */
export function countOf(records: Records): string {
  if (records.length === 0) return 'no records';
  return `${records.length} ${records.length === 1 ? 'record' : 'records'} (${idsOf(records)})`;
}

/** Whether two answers hold the same records in the same order. */
export function sameIds(one: Records, other: Records): boolean {
  return one.length === other.length && one.every(({ id }, at) => id === other[at]?.id);
}
