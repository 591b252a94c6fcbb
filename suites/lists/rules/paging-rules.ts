import { isFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { plural } from '../../../engine/text.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { describeArgs } from '../../../probing/records/reading/list-request.ts';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import { momentOf } from '../../../probing/records/reading/record.ts';
import type { Records, Rule, RuleSite, Trial } from '../../../probing/records/reading/trials.ts';
import { countOf, idsOf, repeats, sameIds, without } from '../../../probing/records/reading/trials.ts';
import { defaultOf, parameterNamed, takes } from '../../../specs/find-resource.ts';
import { inDirection, SORT_KEYS } from './compare-values.ts';
import { bySearch, commonWords, titleWords } from './search-rules.ts';

const FIRST_PAGES = 3;
/** The default page size (§4.6): smaller pages always show. */
const DEFAULT_SIZE = 10;

const TIES: Finding = inconclusive(
  'the list refuses orderby=id (see orderby/enum/accepted), and by date some records have no place of their own',
);

function hasTies({ byId, records }: Snapshot): boolean {
  return !byId && new Set(records.map((record) => momentOf(record, 'date'))).size < records.length;
}

/** The list holds no record twice. One that fails this does so whatever it is filtered by. */
export const repeatsNothing = (): Trial[] => [
  {
    requests: [],
    evaluate: (_, { page }) =>
      repeats(page)
        ? { message: 'the list holds a record twice', expected: 'each record once', observed: countOf(page) }
        : undefined,
  },
];

/** Pages of two sizes together hold every record of the list once. */
export const partitionsIntoPages: Rule = async (snapshot, site) => {
  const trials = await onAllPages(evaluatePages)(snapshot, site);
  return isFinding(trials) ? trials : [...repeatsNothing(), ...trials];
};

/** The same pages, but if each is short by records that are on no page, the pages themselves are right. */
export const losesFromEveryPage: Rule = onAllPages((size, answers, { records }) => {
  const found = new Set(answers.flat().map(({ id }) => id));
  const places = new Map(records.map(({ id }, at) => [id, at]));
  const isCut = (page: Records): boolean => {
    const next = records[(places.get(page.at(-1)?.id ?? 0) ?? records.length) + 1];
    return page.length < size && next !== undefined && !found.has(next.id);
  };
  if (answers.length < 2 || !answers.slice(0, -1).every(isCut)) return undefined;
  const observed = answers.map(countOf).join('; ');
  return { message: `every page of per_page=${size} is cut`, expected: `${size} records each`, observed };
});

type EvaluatePages = (
  size: number,
  answers: readonly Records[],
  snapshot: Snapshot,
) => ReturnType<Trial['evaluate']>;

/** Reads all pages of a list in two sizes: as they are listed, and in another order if one is sure. */
function onAllPages(evaluate: EvaluatePages): Rule {
  return (snapshot, site) => {
    if (hasTies(snapshot)) return TIES;
    const order = inAnotherOrder(snapshot, site);
    return [...new Set(twoSizes(snapshot))].map((size, turn): Trial => {
      const requests = pagesOf(size, snapshot, site);
      const trial: Trial = { requests, evaluate: (answers, now) => evaluate(size, answers, now) };
      if (turn > 0) return order === undefined ? trial : inOrder(trial, order, size, snapshot.hides);
      // The first page is named in one of the orders; lists begin with it anyway.
      return {
        ...trial,
        requests: requests.map((page, at) => (at === 0 ? { ...page, [site.wire('page')]: undefined } : page)),
      };
    });
  };
}

/** Two sizes that divide a list into few pages. */
function twoSizes({ complete, total, size: most }: Snapshot): number[] {
  if (!complete) return [Math.ceil(most / 2), Math.ceil(most / 3)];
  return [Math.ceil(total / 3), sizeWithRest(total, total > 2 * most ? 4 : 2)];
}

/** The requests for all pages of a size; of a list that is not known as a whole, for its first ones. */
function pagesOf(size: number, { complete, total }: Snapshot, { wire }: RuleSite): Args[] {
  const length = complete ? Math.ceil(total / size) : FIRST_PAGES;
  return Array.from({ length }, (_, at) => ({ [wire('per_page')]: size, [wire('page')]: at + 1 }));
}

/** The same pages in another order. Only repeated records count, because the check of an order reports lost ones. */
function inOrder(trial: Trial, { args, falling }: Order, size: number, hides: boolean): Trial {
  const requests = trial.requests.map((page) => ({ ...args, ...page }));
  const evaluate: Trial['evaluate'] = (answers, now) =>
    repeats(answers.flat()) ? trial.evaluate(answers, now) : undefined;
  const alone = { requests, skipsRefused: true, evaluate };
  if (hides) return alone;
  // The records say what is on the first page, if the order is applied at all.
  const firstOf = ({ records }: Snapshot): Records => records.toSorted(falling).slice(0, size);
  return {
    ...alone,
    alone,
    requests: requests.slice(1),
    evaluate: (answers, now) => evaluate([firstOf(now), ...answers], now),
  };
}

interface Order {
  readonly args: Args;
  readonly falling: ReturnType<typeof inDirection>;
}

/** Other orders for reading the pages, the first without ties. */
const OTHER_ORDERS = ['title', 'slug', 'modified'];

/** Another order for pages than by id, descending; undefined if each has ties, or not all records are known. */
function inAnotherOrder({ complete, records }: Snapshot, { operation, wire }: RuleSite): Order | undefined {
  const known = parameterNamed(operation, 'orderby')?.schema.enum ?? [];
  for (const value of complete ? OTHER_ORDERS : []) {
    const compare = SORT_KEYS[value];
    if (compare === undefined || !known.includes(value)) continue;
    const falling = inDirection(compare, 'desc');
    const sorted = records.toSorted(falling);
    const isSure = sorted.slice(1).every((record, at) => falling(sorted[at] ?? record, record) < 0);
    if (isSure) return { args: { [wire('orderby')]: value }, falling };
  }
  return undefined;
}

/** A page size for which the last page is not full, if possible, so that it shows the end of the list. */
function sizeWithRest(count: number, pages: number): number {
  const size = Math.ceil(count / pages);
  return count % size === 0 && size > 1 ? size + 1 : size;
}

const evaluatePages: EvaluatePages = (size, answers, snapshot) => {
  const read = answers.flat();
  const ids = new Set(read.map(({ id }) => id));
  // A list longer than the snapshot is only read at its beginning.
  const due = snapshot.complete ? snapshot.records : snapshot.records.slice(0, ids.size);
  const about = {
    expected: `${countOf(due)}, each once`,
    observed: answers.map((page, at) => `page ${at + 1}: ${countOf(page)}`).join('; '),
  };
  const asked = `per_page=${size}`;
  if (ids.size < read.length) return { message: `the pages of ${asked} repeat records`, ...about };
  const lost = without(due, read);
  if (lost.length > 0) return { message: `the pages of ${asked} lose records: ${idsOf(lost)}`, ...about };
  if (read.length > due.length) return { message: `the pages of ${asked} hold more than the list`, ...about };
  return undefined;
};

/** The first page that was read is full unless it holds all records, which shows a site that cuts long pages. */
const fillsThePage: Trial = {
  requests: [],
  evaluate(_, { records, items, page, size, curls, complete, hides }) {
    if (page.length >= size || records.length <= page.length) return undefined;
    // Hidden records shorten pages too, but hardly all of them alike.
    const areAlike = !complete && curls.length > 2 && items.length === curls.length * page.length;
    if (hides && !areAlike) return undefined;
    return {
      message: `per_page=${size} holds ${page.length} records, though there are more`,
      expected: `${Math.min(size, records.length)} records`,
      observed: `${countOf(page)}, and ${records.length - page.length} on later pages`,
    };
  },
};

/** Behind the records of the only page there are no others, or the site cuts long pages and skips whole ones. */
function endsThere(args: Args): Trial {
  return {
    requests: [args],
    skipsRefused: true,
    evaluate([answer = []], { records, page, size }) {
      const more = without(answer, records);
      if (more.length === 0) return undefined;
      return {
        message: `per_page=${size} holds ${page.length} records, though ${describeArgs(args)} lists more`,
        expected: `${Math.min(size, page.length + more.length)} records`,
        observed: `${countOf(page)}, and ${countOf(more)} behind them`,
      };
    },
  };
}

/** The largest page is not cut. A list that fails this loses records whatever it is filtered by. */
export function fillsLongPages(
  { records, page, complete, size }: Snapshot,
  { operation, wire }: RuleSite,
): Trial[] {
  // Behind a full page, other records belong to the next one.
  const isOnly = complete && page.length === records.length && page.length < size;
  // The few children of a record are seldom cut.
  const isListed = operation.resource?.parent === undefined || page.length >= DEFAULT_SIZE;
  return [fillsThePage, ...(isOnly && isListed ? [endsThere({ [wire('offset')]: page.length })] : [])];
}

/** A list of revisions holds all of them where nothing is asked for, because its `per_page` has no default (§4.6). */
function isWhole({ complete, hides }: Snapshot, { operation, wire }: RuleSite): Trial[] {
  const { resource, basis } = operation;
  if (resource?.kind !== 'revisions' || basis === 'published' || !complete || hides) return [];
  const names = ['context', 'per_page', 'orderby', 'order'];
  return [
    {
      requests: [Object.fromEntries(names.map((name) => [wire(name), undefined]))],
      skipsRefused: true,
      evaluate([answer], { records }) {
        if (answer === undefined || without(records, answer).length === 0) return undefined;
        const message = 'the list is cut where no per_page is sent, though it has no default';
        return { message, expected: countOf(records), observed: countOf(answer) };
      },
    },
  ];
}

/** A page holds the first records, as many as requested. */
export const boundsTheCount: Rule = (snapshot, site) => {
  if (hasTies(snapshot)) return TIES;
  const { records } = snapshot;
  // The same size as in the test of pages, so that one request serves both.
  const size = Math.min(Math.ceil(records.length / 3), DEFAULT_SIZE - 1);
  const args = { [site.wire('per_page')]: size };
  return [
    {
      ...holdsTheFirst(args, size),
      whyUnproven: ([answer = []]) =>
        answer.length === 0
          ? inconclusive('the first records of the list are hidden from this caller')
          : undefined,
    },
    ...fillsLongPages(snapshot, site),
    ...isWhole(snapshot, site),
  ];
};

function holdsTheFirst(args: Args, size: number): Trial {
  return {
    requests: [args],
    evaluate([answer = []], now) {
      const due = now.records.slice(0, size);
      const about = { expected: countOf(due), observed: countOf(answer) };
      const asked = describeArgs(args);
      if (answer.length > size) return { message: `${asked} returns more records`, ...about };
      if (now.hides || sameIds(answer, due)) return undefined;
      return { message: `${asked} does not hold the first records of the list`, ...about };
    },
  };
}

/** More ids than fit on a page by default, and few enough for an address. */
const MOST_IDS = 40;

/** Other arguments leave the default size of a page as it is: without one of its own, a list holds as many records. */
export const keepsTheSize: Rule = ({ records, page }, { operation, wire }) => {
  const usual = defaultOf(operation, 'per_page');
  if (typeof usual !== 'number') return inconclusive('per_page has no default');
  const trial = (others: Args, fewestOf: (now: Snapshot) => number, isSure = true): Trial => {
    const given = Object.entries({ ...others, per_page: undefined });
    const args: Args = Object.fromEntries(given.map(([name, value]) => [wire(name), value]));
    return {
      // A search that finds too little does so with a size, too.
      requests: [args, ...(isSure ? [] : [{ ...args, [wire('per_page')]: usual }])],
      skipsRefused: true,
      evaluate([answer, sized], now) {
        const fewest = now.hides ? 0 : Math.min(sized?.length ?? usual, usual, fewestOf(now));
        if (answer === undefined || (answer.length >= fewest && answer.length <= usual)) return undefined;
        const message = `${describeArgs(args)} is a page of another size`;
        const expected = `${plural(fewest, 'record')}, as per_page is ${usual} by default`;
        return { message, expected, observed: countOf(answer) };
      },
    };
  };
  // Arguments that leave out no more than one record: software may show all that it is asked for by id.
  const [first, ...others] = records.map(({ id }) => id);
  const named = { page: 1, order: 'asc', orderby: 'title', include: others.slice(0, MOST_IDS) };
  const [word] = takes(operation, 'search', 'context') ? commonWords(page) : [];
  const usualOrder = { order: undefined, orderby: undefined };
  const searched = { search: word, context: 'embed', exclude: [first], ...usualOrder };
  const keeps = bySearch.predicted.keeps(word);
  const countIn = (some: Records): number =>
    some.filter((one) => one.id !== first && keeps?.(one) === true).length;
  const beside = trial(named, (now) => now.records.filter(({ id }) => named.include.includes(id)).length);
  return countIn(page) > 2 ? [beside, trial(searched, (now) => countIn(now.records), false)] : [beside];
};

export const slicesTheList: Rule = (snapshot, site) => {
  if (hasTies(snapshot)) return TIES;
  const { records, size: most } = snapshot;
  const offset = Math.min(Math.max(1, Math.floor(records.length / 3)), most);
  // Fewer records than are left, so that the page size shows besides the offset.
  const size = Math.min(Math.max(1, records.length - offset - 1), most);
  const args = { [site.wire('offset')]: offset, [site.wire('per_page')]: size };
  return [
    {
      requests: [args],
      evaluate([answer = []], now) {
        const rest = now.records.slice(offset, offset + size);
        const start = now.records.findIndex(({ id }) => id === answer[0]?.id);
        // The offset also counts hidden records, so it skips fewer visible ones.
        const begins = now.hides ? start <= offset : start === offset && answer.length === rest.length;
        if (begins && follows(answer, now, Math.max(start, 0))) return undefined;
        const message = `${describeArgs(args)} does not leave out the first ${offset}`;
        return { message, expected: countOf(rest), observed: countOf(answer) };
      },
      whyUnproven: ([answer = []], now) =>
        answer.length === 0 || answer[0]?.id === now.records[0]?.id
          ? inconclusive('records that this caller does not see are at the beginning of the list')
          : undefined,
    },
    holdsTheFirst({ [site.wire('offset')]: 0, [site.wire('per_page')]: size }, size),
  ];
};

/** Whether an answer continues the list from a position, as far as the list is known. */
function follows(answer: Records, { records, complete }: Snapshot, start: number): boolean {
  return answer.every(({ id }, at) => {
    const known = records[start + at];
    return known === undefined ? !complete : known.id === id;
  });
}

/** A page beyond the end of any list; if all records are known, the page after the last is requested too. */
const FAR = 1_000_000;

/** A page beyond the last is refused or empty (R47) and repeats no records, in searches as well. */
export const endsWithTheList: Rule = ({ complete, total, size, page: records }, site) => {
  const page = site.wire('page');
  const next = complete && Number.isFinite(size) ? [{ [page]: Math.ceil(total / size) + 1 }] : [];
  const [word] = titleWords(records);
  const isSearched = takes(site.operation, 'search');
  const search = next.length > 0 && isSearched && word !== undefined ? { [site.wire('search')]: word } : {};
  const requests: readonly Args[] = [...next, { [page]: FAR, ...search }];
  return requests.map((args) => ({
    requests: [args],
    skipsRefused: true,
    evaluate([answer = []]) {
      if (answer.length === 0) return undefined;
      const message = `${describeArgs(args)}, a page beyond the last, holds records`;
      return { message, expected: 'a refusal, or no records', observed: countOf(answer) };
    },
  }));
};
