import type { Observation, RequestSpec } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import type { Operation } from '../../../specs/model.ts';
import { describeArgs, MOST_PER_PAGE, readList } from './list-request.ts';
import { idsIn, parentOf, type SiteRecord, textOf, type Value, valuesOf } from './record.ts';

/** A value for a parameter that all records match, or the first one. */
type ValueOf = (records: readonly SiteRecord[]) => unknown;

/** An id that no record, author or term has. */
const NOBODYS = 2_147_483_646;
/** A time before any record. */
export const LONG_AGO = '1980-01-01T00:00:00';
const FAR_OFF = '2199-01-01T00:00:00';

/** How to ask a list for certain records, by neutral name of the parameter. An empty value sends nothing. */
const WAYS: Readonly<Record<string, ValueOf>> = {
  include: (records) => records.map(({ id }) => id),
  slug: valuesIn('slug'),
  search: ([first]) => (first === undefined ? [] : (textOf(first, 'title')?.text ?? [])),
  author: valuesIn('author'),
  parent: (records) => [...new Set(records.flatMap((record) => parentOf(record) ?? []))].filter(Boolean),
  categories: valuesIn('categories'),
  tags: valuesIn('tags'),
};

/** Parameters that select the records by themselves. With the others, the ids are sent too. */
const ALONE: ReadonlySet<string> = new Set(['include', 'slug', 'search']);

const EXCLUDING = ['exclude', ...['author', 'parent', 'categories', 'tags'].map((name) => `${name}_exclude`)];

/** Parameters that change how records are shown, not which, in groups. The first group hides no record. */
const TOGETHER: readonly Readonly<Record<string, ValueOf>>[] = [
  { orderby: () => 'id', order: () => 'asc' },
  {
    context: () => 'embed',
    after: () => LONG_AGO,
    before: () => FAR_OFF,
    modified_after: () => LONG_AGO,
    modified_before: () => FAR_OFF,
    ...Object.fromEntries(EXCLUDING.map((name) => [name, () => [NOBODYS]])),
    tax_relation: () => 'AND',
    offset: () => 0,
    page: () => 1,
    search_columns: () => ['post_title'],
    search_semantics: () => 'exact',
    ignore_sticky: () => true,
    sticky: firstOf('sticky'),
    format: firstOf('format'),
    menu_order: firstOf('menu_order'),
  },
];

/** Undeclared parameters that the software accepts everywhere, one for each group. */
const UNDECLARED: readonly Args[] = [{ _embed: 1 }, { _fields: 'id' }];

const MOST_RECORDS = 20;

/**
 * Asks a list as anybody and each further user, by each filter but a status, for records that it must not show (§3).
 */
export async function shownToAnonymous(
  session: Session,
  list: Operation,
  hidden: readonly SiteRecord[],
  still: (record: SiteRecord) => Promise<boolean>,
): Promise<readonly Finding[]> {
  const records = hidden.slice(0, MOST_RECORDS);
  const ways = waysOf(list, records);
  const findings: Finding[] = [];
  let asked = 0;
  for (const caller of [undefined, ...session.client.users]) {
    const specOf = (way: Args): RequestSpec => ({
      method: 'GET',
      route: list.route.wire,
      query: encodeArgs(way),
      as: 'anonymous',
      ...(caller !== undefined && { caller }),
    });
    const ask = (way: Args): Promise<Observation> =>
      caller === undefined ? session.ask(specOf(way)) : session.client.request(specOf(way));
    const answers = await Promise.all(ways.together.map((way) => ask(way)));
    if (answers.every((one) => readList(one).kind === 'list' && shownOf(records, one).length === 0)) {
      asked += answers.length;
      continue;
    }
    for (const way of ways.apart) {
      const first = await ask(way);
      if (readList(first).kind === 'list') asked += 1;
      const [record] = shownOf(records, first);
      if (record === undefined || !(await still(record))) continue;
      const again = await session.client.request(specOf(way));
      if (shownOf([record], again).length > 0) findings.push(shownFailure(record, caller, way, again));
    }
  }
  return asked > 0 ? findings : [inconclusive('no list is shown to anonymous callers')];
}

function shownFailure(
  record: SiteRecord,
  caller: string | undefined,
  way: Args,
  { curl }: Observation,
): Finding {
  const who = caller === undefined ? 'anybody' : `the caller "${caller}"`;
  return failure(`a list that is asked for no status shows ${who} one with the status ${statusOf(record)}`, {
    expected: `no id ${record.id} in it`,
    observed: `the id ${record.id}, by ${describeArgs(way)}`,
    reproduce: [curl],
  });
}

/** The requests for the records: one for each parameter, and combined ones that keep all records. */
function waysOf(list: Operation, records: readonly SiteRecord[]): Record<'apart' | 'together', Args[]> {
  const beside = { per_page: MOST_PER_PAGE, include: records.map(({ id }) => id) };
  const valued = (ways: Readonly<Record<string, ValueOf>>): { name: string; arg: Args }[] =>
    list.parameters.flatMap(({ name, wire }) => {
      const value = ways[name]?.(records);
      return hasValue(value) ? [{ name, arg: { [wire]: value } }] : [];
    });
  const wayOf = ({ name, arg }: { name: string; arg: Args }): Args =>
    ALONE.has(name) ? { per_page: MOST_PER_PAGE, ...arg } : { ...beside, ...arg };
  const groups = TOGETHER.map((ways, at) =>
    Object.assign({}, beside, ...valued(ways).map(({ arg }) => arg), UNDECLARED[at]),
  );
  const { kept = [], others = [] } = Object.groupBy(valued(WAYS), ({ name }) =>
    name !== 'search' && records.every((one) => hasValue(WAYS[name]?.([one]))) ? 'kept' : 'others',
  );
  const [first, ...further] = groups;
  const joined = Object.assign({}, first, ...kept.map(({ arg }) => arg));
  return {
    apart: [...valued(WAYS).map(wayOf), ...groups],
    together: [...others.map(wayOf), joined, ...further],
  };
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function firstOf(name: string): ValueOf {
  return ([first]) => (first === undefined ? undefined : valuesOf(first, name)?.[0]);
}

function valuesIn(name: string): (records: readonly SiteRecord[]) => readonly Value[] {
  return (records) => [...new Set(records.flatMap((record) => valuesOf(record, name) ?? []))].filter(Boolean);
}

function shownOf(records: readonly SiteRecord[], list: Observation): SiteRecord[] {
  const ids = idsIn(list);
  return records.filter(({ id }) => ids.includes(id));
}

/** The status that a record shows. */
export function statusOf(record: SiteRecord): string | undefined {
  const status = valuesOf(record, 'status')?.[0];
  return typeof status === 'string' ? status : undefined;
}
