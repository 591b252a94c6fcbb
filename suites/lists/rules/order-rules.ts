import { isFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import type { Difference } from '../../../engine/equal.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { describeArgs } from '../../../probing/records/reading/list-request.ts';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import { type SiteRecord, type Value, valuesOf } from '../../../probing/records/reading/record.ts';
import {
  countOf,
  idsOf,
  type Records,
  type Rule,
  type RuleSite,
  repeats,
  sameIds,
  type Trial,
  without,
} from '../../../probing/records/reading/trials.ts';
import { defaultOf, parameterNamed, takes } from '../../../specs/find-resource.ts';
import { BY_DATE, BY_ID, type Compare, type Direction, inDirection, SORT_KEYS } from './compare-values.ts';
import { fitsOnPage } from './member-rules.ts';

/** Sorts by the values of the records, descending by default, and ascending; ties may be in any order. */
export function sortsBy(value: string): Rule {
  return (snapshot, site) => {
    const compare = SORT_KEYS[value] ?? (() => undefined);
    const none = cannotCompare(value, compare, snapshot.records);
    if (none !== undefined) return none;
    const usual = snapshot.records.toSorted(inDirection(BY_DATE, 'desc'));
    if (value !== 'date' && misplaced(usual, compare, 'desc') === undefined) {
      return inconclusive(`sorted by date, the visible records are sorted by ${value} as well`);
    }
    const falling = sortedTrial(descendingBy(value, site), compare, 'desc');
    // For date and id, the check of `order` tests the other direction.
    if (value === 'date' || value === 'id')
      return value === 'id' ? [falling] : [falling, ...pagedTrials(snapshot, site)];
    const args = { [site.wire('orderby')]: value, [site.wire('order')]: 'asc' };
    return [falling, sortedTrial(args, compare, 'asc')];
  };
}

/** The usual order goes on from page to page: the second half of the list is sorted too, and older than the first. */
function pagedTrials({ records }: Snapshot, site: RuleSite): Trial[] {
  const { operation, wire } = site;
  if (records.length < 2 || !takes(operation, 'page') || !takes(operation, 'per_page')) return [];
  const size = Math.ceil(records.length / 2);
  const paged = { ...descendingBy('date', site), [wire('per_page')]: size, [wire('page')]: 2 };
  return [
    {
      requests: [paged],
      skipsRefused: true,
      evaluate([answer = []], now) {
        const isOrdered = now.records.every((one) => BY_DATE(one, now.records[0] ?? one) !== undefined);
        const falling = now.records.toSorted(inDirection(BY_DATE, 'desc'));
        const before = isOrdered && now.complete && !now.hides ? falling.slice(0, size) : [];
        // The check of pages reports a list that ignores or repeats them.
        if (repeats(answer)) return undefined;
        const isFirst = answer.length === before.length && without(answer, before).length === 0;
        return compareOrder(paged, isFirst ? answer : [...before, ...answer], BY_DATE, 'desc');
      },
    },
  ];
}

/** Arguments for a descending list, without a direction if that is the default, as other checks have the rest. */
function descendingBy(value: string, { operation, wire }: RuleSite): Args {
  const isUsual = value !== 'id' && defaultOf(operation, 'order') === 'desc';
  return { [wire('orderby')]: value, ...(isUsual && { [wire('order')]: undefined }) };
}

/** A list without an argument is the one with its stated default. Otherwise the default is wrong, and not what it does. */
export function meansUsual(name: string): Rule {
  return (_, { operation, wire }) => {
    const usual = defaultOf(operation, name);
    if (usual === undefined) return inconclusive(`${name} has no default`);
    // Where the order itself is tried, its key has its default too.
    const sorted = name === 'order' ? { [wire('orderby')]: undefined } : {};
    return [
      {
        requests: [undefined, usual].map((value) => ({ ...sorted, [wire(name)]: value })),
        evaluate: ([omitted = [], explicit = []]) =>
          sameIds(omitted, explicit)
            ? undefined
            : {
                message: `the list without ${wire(name)} is another one than with ${wire(name)}=${String(usual)}`,
                expected: idsOf(explicit),
                observed: idsOf(omitted),
              },
      },
    ];
  };
}

/** Both directions: by date each one, by id one as the reverse of the other. */
export const reversesTheOrder: Rule = ({ records, byId }, site) => {
  const byDate = cannotCompare('date', BY_DATE, records);
  const [orderby, order] = [site.wire('orderby'), site.wire('order')];
  const dates = (['asc', 'desc'] as const).map((direction) =>
    sortedTrial({ [orderby]: undefined, [order]: direction }, BY_DATE, direction),
  );
  if (byId) return [...(byDate === undefined ? dates : []), reversedTrial({ [order]: 'asc' })];
  return byDate ?? dates;
};

/** The usual order is by date, in one direction at least. A list that fails this has another key, in whatever direction. */
export const keepsItsKey: Rule = ({ records }, site) => {
  const args = descendingBy('date', site);
  const evaluate: Trial['evaluate'] = ([answer = []]) =>
    misplaced(answer, BY_DATE, 'asc') && compareOrder(args, answer, BY_DATE, 'desc');
  return cannotCompare('date', BY_DATE, records) ?? [{ requests: [args], evaluate }];
};

/** Ascending ids differ from the descending list and do not fall. A list that fails this reverses every order. */
export const reversesById: Rule = ({ byId }, site) => {
  if (!byId) return inconclusive('the list refuses orderby=id (see orderby/enum/accepted)');
  const trial = reversedTrial({ [site.wire('order')]: 'asc' });
  const evaluate: Trial['evaluate'] = (answers, snapshot) => {
    const [answer = []] = answers;
    const found = trial.evaluate(answers, snapshot);
    if (found !== undefined || answer.length < 2 || !fallsById(answer)) return found;
    return { message: 'order=asc lists falling ids', expected: 'rising ids', observed: idsOf(answer) };
  };
  return [{ ...trial, evaluate }];
};

function reversedTrial(args: Args): Trial {
  return {
    requests: [args],
    evaluate([answer = []], snapshot) {
      const { records } = snapshot;
      if (!fitsOnPage(snapshot)) return compareOrder(args, answer, BY_ID, 'asc');
      const reversed = records.toReversed();
      if (sameIds(answer, reversed)) return undefined;
      const message = `${describeArgs(args)} by id does not reverse the order of the list`;
      return { message, expected: idsOf(reversed), observed: idsOf(answer) };
    },
  };
}

function sortedTrial(args: Args, compare: Compare, direction: Direction): Trial {
  return {
    requests: [args],
    evaluate([answer = []], snapshot) {
      const { records } = snapshot;
      const wrong = compareOrder(args, answer, compare, direction);
      const isWhole = without(records, answer).length + without(answer, records).length === 0;
      if (wrong !== undefined || isWhole || !fitsOnPage(snapshot)) return wrong;
      const message = `${describeArgs(args)} changes which records are in the list`;
      return { message, expected: countOf(records), observed: countOf(answer) };
    },
  };
}

function compareOrder(
  args: Args,
  answer: Records,
  compare: Compare,
  direction: Direction,
): Difference | undefined {
  const wrong = misplaced(answer, compare, direction);
  if (wrong === undefined) return undefined;
  const [first, second] = wrong;
  return {
    message: `${describeArgs(args)} does not sort the list`,
    expected: `${second.id} before ${first.id}`,
    observed: `${first.id} before ${second.id}, in ${idsOf(answer)}`,
  };
}

/** The first two records that are certainly in the wrong order; undefined if there are none. */
export function misplaced(
  records: Records,
  compare: Compare,
  direction: Direction,
): [SiteRecord, SiteRecord] | undefined {
  const order = inDirection(compare, direction);
  for (const [at, first] of records.entries()) {
    const second = records.slice(at + 1).find((later) => order(first, later) > 0);
    if (second !== undefined) return [first, second];
  }
  return undefined;
}

function cannotCompare(what: string, compare: Compare, records: Records): Finding | undefined {
  let isCompared = false;
  for (const [at, record] of records.entries()) {
    for (const other of records.slice(0, at)) {
      const result = compare(other, record);
      if (result !== undefined && result !== 0) return undefined;
      isCompared ||= result !== undefined;
    }
  }
  return inconclusive(
    isCompared
      ? `all visible records are alike in ${what}`
      : `the records do not show ${what}, or nothing of it that can be compared`,
  );
}

/** Orders that must differ do not all give the same list. If only one is wrong, its own check reports it. */
export const honoursOrderby: Rule = ({ records }, site) => {
  const parameter = parameterNamed(site.operation, 'orderby');
  const known = Object.entries(SORT_KEYS).filter(
    ([value, compare]) =>
      parameter?.schema.enum?.includes(value) === true &&
      cannotCompare(value, compare, records) === undefined,
  );
  const conclusive = known.filter(([, one]) => known.some(([, other]) => differ(one, other, records)));
  if (conclusive.length === 0) return inconclusive('no two orders of the visible records differ for sure');
  const contradicted = (answer: Records): string[] =>
    conclusive.flatMap(([value, compare]) =>
      misplaced(answer, compare, 'desc') === undefined ? [] : [value],
    );
  return [
    {
      requests: conclusive.map(([value]) => descendingBy(value, site)),
      skipsRefused: true,
      evaluate(answers) {
        const [answer = []] = answers;
        const wrong = contradicted(answer);
        if (!areAlike(answers) || wrong.length < 2) return undefined;
        return {
          message: `${conclusive.length} values of orderby list the same order, though the records differ`,
          expected: `other orders by ${wrong.join(', ')}`,
          observed: idsOf(answer),
        };
      },
      whyUnproven: (answers) =>
        areAlike(answers)
          ? inconclusive('all orders come the same, and by the records only one of them has to differ')
          : undefined,
    },
  ];
};

function differ(one: Compare, other: Compare, records: Records): boolean {
  return records.some((first, at) =>
    records.slice(at + 1).some((second) => (one(first, second) ?? 0) * (other(first, second) ?? 0) < 0),
  );
}

function areAlike(answers: readonly Records[]): boolean {
  return new Set(answers.map((answer) => answer.map(({ id }) => id).join())).size < 2;
}

/** More records than short limits, with slugs that an address still holds. */
const MOST_NAMED = 12;

/**
 * Sorts by the list in another parameter, in an order that no sort by date or id gives. Ascending is that order.
 * Whether descending, the default, is that order too or the reverse is not stated.
 */
export function sortsAsListed(
  value: string,
  parameter: string,
  nameOf: (record: SiteRecord) => Value | undefined,
): Rule {
  return ({ records }, { operation, wire }) => {
    // Records of different parents may share a slug, which leaves their order open.
    const byName = [...Map.groupBy(records, nameOf)];
    const named = byName.flatMap(([name, some]) => (name === undefined || some.length > 1 ? [] : some));
    const some = new Set([named[0], named[Math.floor(named.length / 2)], named.at(-1)]);
    const isDirected = operation.parameters.some(({ name }) => name === 'order');
    const unusual = permutations([...some].filter((record) => record !== undefined)).find(
      (order) => !isUsual(order, isDirected ? 'asc' : 'desc'),
    );
    if (unusual === undefined)
      return inconclusive(`no order of records named in ${parameter} differs from the usual ones for sure`);
    // A site may sort only so many, or those of the first page.
    const listed = [...without(named, unusual).slice(0, MOST_NAMED), ...unusual];
    const args = { [wire('orderby')]: value, [wire(parameter)]: listed.map((record) => nameOf(record)) };
    const trial = (request: Args, right: readonly Records[]): Trial => ({
      requests: [request],
      evaluate([answer = []]) {
        const found = answer.filter(({ id }) => listed.some((record) => record.id === id));
        if (right.some((order) => sameIds(found, order))) return undefined;
        const message = `${describeArgs(request)} is not in the order of ${parameter}`;
        return { message, expected: right.map(idsOf).join(' or '), observed: idsOf(found) };
      },
    });
    if (!isDirected) return [trial(args, [listed])];
    const rising = { ...args, [wire('order')]: 'asc' };
    // The reverse of two records is a usual order.
    if (listed.length < 3) return [trial(rising, [listed])];
    const either = trial(args, [listed, listed.toReversed()]);
    const size = Math.ceil(listed.length / 2);
    const second = listed.slice(size);
    const isPaged = takes(operation, 'page', 'per_page') && !isUsual(second, 'asc');
    if (!isPaged) return [trial(rising, [listed]), either];
    return [trial({ ...rising, [wire('per_page')]: size, [wire('page')]: 2 }, [second]), either];
  };
}

/** Whether an order of records equals a sort by date (then id) or by id. */
function isUsual(records: Records, usual: Direction): boolean {
  if (records.length < 2) return true;
  const byDate: Compare = (one, other) => BY_DATE(one, other) || BY_ID(one, other);
  const isSorted = (compare: Compare, direction: Direction): boolean =>
    misplaced(records, compare, direction) === undefined;
  // Two records only have two orders, so any other than the usual one by date must do.
  if (records.length === 2) return isSorted(byDate, usual);
  return [byDate, BY_ID].some((compare) => isSorted(compare, 'asc') || isSorted(compare, 'desc'));
}

function permutations(records: Records): Records[] {
  if (records.length < 2) return [records];
  return records.flatMap((record) =>
    permutations(records.filter((other) => other !== record)).map((rest) => [record, ...rest]),
  );
}

const isSticky = (record: SiteRecord): boolean => valuesOf(record, 'sticky')?.[0] === true;

/**
 * Ignoring sticky posts keeps the order of the list; otherwise they come first on the first page. Only the name of the
 * parameter says so (§4.6), so a site that gives it no effect at all is warned of.
 */
export const putsStickyFirst: Rule = async (snapshot, site) => {
  const { records } = snapshot;
  if (records.every((record) => valuesOf(record, 'sticky') === undefined))
    return inconclusive('the records do not show sticky');
  const ignoring = { [site.wire('ignore_sticky')]: true };
  const honouring = { [site.wire('ignore_sticky')]: false };
  const putsInFront = (args: Args, alone?: Trial): Trial => ({
    requests: [honouring, ...(alone ? [] : [ignoring])].map((one) => ({ ...one, ...args })),
    ...(alone && { alone }),
    evaluate([answer = [], ignored], now) {
      const lost = without(now.records.filter(isSticky), answer);
      const isTwice = repeats(answer);
      if (lost.length === 0 && !isTwice && isInFront(answer)) return undefined;
      const found = isTwice ? 'repeats records' : 'does not put the sticky records in front';
      const message = `${describeArgs(honouring)} ${found}`;
      const shown = { expected: countOf(now.records.filter(isSticky)), observed: idsOf(answer) };
      return { message, ...shown, advisory: ignored !== undefined && sameIds(answer, ignored) };
    },
  });
  // Software may put them in front of its usual order only.
  const usual = defaultOf(site.operation, 'orderby');
  const alone = usual === undefined ? undefined : putsInFront({ [site.wire('orderby')]: usual });
  const honours = putsInFront({}, alone);
  if (isInFront(records)) {
    const always = await ignoresSticky(snapshot, site);
    if (isFinding(always)) return inconclusive('no visible record is sticky, or all are in front anyway');
    return [...always, honours];
  }
  return [
    honours,
    {
      requests: [ignoring],
      evaluate([answer = []], now) {
        const due = now.records.slice(0, answer.length);
        if (answer.length > 0 && sameIds(answer, due)) return undefined;
        const message = `${describeArgs(ignoring)} changes the order of the list`;
        return { message, expected: idsOf(due), observed: idsOf(answer) };
      },
    },
  ];
};

/**
 * Sticky records in front of higher ids, and of lower ones in the other direction, are there although they are ignored;
 * so are those that stay in front of higher ids where ignoring them is asked for. A list that fails this holds records that no filter selects.
 */
export const ignoresSticky: Rule = ({ records, byId }, site) => {
  const parts = [records.filter(isSticky), records.filter((record) => !isSticky(record))];
  // In another order than by id the sort is wrong, and not that sticky records are in front.
  if (!byId || !isInFront(records) || fallsById(records) || !parts.every(fallsById)) {
    return inconclusive('no sticky record is in front of one with a higher id');
  }
  const ignoring = { [site.wire('ignore_sticky')]: true };
  const areInFront = {
    message: 'the list puts sticky records in front, though ignore_sticky is true',
    expected: `the order of ids: ${idsOf(records.toSorted((one, other) => other.id - one.id))}`,
    observed: idsOf(records),
  };
  return [
    {
      requests: [{ ...ignoring, [site.wire('order')]: 'asc' }],
      evaluate: ([answer = []]) =>
        !isInFront(answer) || answer.every(isSticky) || !answer.some(isSticky) ? undefined : areInFront,
    },
    {
      requests: [ignoring],
      evaluate: ([answer = []]) => (!isInFront(answer) || fallsById(answer) ? undefined : areInFront),
    },
  ];
};

function fallsById(records: Records): boolean {
  return records.every(({ id }, at) => id < (records[at - 1]?.id ?? Number.POSITIVE_INFINITY));
}

function isInFront(records: Records): boolean {
  const other = records.findIndex((record) => !isSticky(record));
  return other < 0 || !records.slice(other).some(isSticky);
}
