import type { Observation, RequestSpec } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import type { Operation } from '../../../specs/model.ts';
import { describeArgs, MOST_PER_PAGE, readList } from './list-request.ts';
import { idsIn, parentOf, type SiteRecord, textOf, type Value, valuesOf } from './record.ts';

/** The value of a parameter by which a list finds records. */
type ValueFor = (records: readonly SiteRecord[]) => unknown;

/** An id that no record, author or term has. */
const NOBODYS = 2_147_483_646;
/** A time before any record. */
export const LONG_AGO = '1980-01-01T00:00:00';
const FAR_OFF = '2199-01-01T00:00:00';

/** How to ask a list for certain records, by neutral name of the parameter. An empty value sends nothing. */
const FINDING: Readonly<Record<string, ValueFor>> = {
  include: (records) => records.map(({ id }) => id),
  slug: valuesIn('slug'),
  search: ([first]) => (first === undefined ? [] : (textOf(first, 'title')?.text ?? [])),
  author: valuesIn('author'),
  parent: (records) => [...new Set(records.flatMap((record) => parentOf(record) ?? []))].filter(Boolean),
  categories: valuesIn('categories'),
  tags: valuesIn('tags'),
};

/** Those that select the records by themselves. With the others, the ids are sent too. */
const SELECTING: ReadonlySet<string> = new Set(['include', 'slug', 'search']);

const EXCLUDING = ['exclude', ...['author', 'parent', 'categories', 'tags'].map((name) => `${name}_exclude`)];

/** Parameters that keep all records, in groups. The first group hides no record. */
const KEEPING: readonly Readonly<Record<string, ValueFor>>[] = [
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
  isStillHidden: (record: SiteRecord) => Promise<boolean>,
): Promise<readonly Finding[]> {
  const records = hidden.slice(0, MOST_RECORDS);
  const { joined, single } = requestsFor(list, records);
  const findings: Finding[] = [];
  let lists = 0;
  for (const caller of [undefined, ...session.client.users]) {
    const specOf = (args: Args): RequestSpec => ({
      method: 'GET',
      route: list.route.wire,
      query: encodeArgs(args),
      as: 'anonymous',
      ...(caller !== undefined && { caller }),
    });
    const ask = (args: Args): Promise<Observation> =>
      caller === undefined ? session.ask(specOf(args)) : session.client.request(specOf(args));
    const answers = await Promise.all(joined.map(ask));
    const hidesAll = (one: Observation): boolean =>
      readList(one).kind === 'list' && shownOf(records, one).length === 0;
    if (answers.every(hidesAll)) {
      lists += answers.length;
      continue;
    }
    for (const args of single) {
      const answer = await ask(args);
      lists += Number(readList(answer).kind === 'list');
      const [record] = shownOf(records, answer);
      if (record === undefined || !(await isStillHidden(record))) continue;
      const again = await session.client.request(specOf(args));
      if (shownOf([record], again).length > 0) findings.push(shownFailure(record, caller, args, again));
    }
  }
  return lists > 0 ? findings : [inconclusive('no list is shown to anonymous callers')];
}

function shownFailure(
  record: SiteRecord,
  caller: string | undefined,
  args: Args,
  { curl }: Observation,
): Finding {
  const who = caller === undefined ? 'anybody' : `the caller "${caller}"`;
  return failure(`a list that is asked for no status shows ${who} one with the status ${statusOf(record)}`, {
    expected: `no id ${record.id} in it`,
    observed: `the id ${record.id}, by ${describeArgs(args)}`,
    reproduce: [curl],
  });
}

/** The arguments of requests for the records: with each parameter alone, and joined in as few as find all records. */
function requestsFor(
  list: Operation,
  records: readonly SiteRecord[],
): Record<'single' | 'joined', readonly Args[]> {
  const usual = { per_page: MOST_PER_PAGE, include: records.map(({ id }) => id) };
  const argsOf = (values: Readonly<Record<string, ValueFor>>): (readonly [name: string, Args])[] =>
    list.parameters.flatMap(({ name, wire }) => {
      const value = values[name]?.(records);
      return hasValue(value) ? [[name, { [wire]: value }] as const] : [];
    });
  const finding = argsOf(FINDING).map(([name, args]) => {
    const alone = SELECTING.has(name) ? { per_page: MOST_PER_PAGE, ...args } : { ...usual, ...args };
    const isOfAll = name !== 'search' && records.every((record) => hasValue(FINDING[name]?.([record])));
    return { args, alone, isOfAll };
  });
  const keeping = KEEPING.map((values, at) =>
    Object.assign({}, usual, ...argsOf(values).map(([, args]) => args), UNDECLARED[at]),
  );
  const [first, ...further] = keeping;
  const ofAll = finding.filter(({ isOfAll }) => isOfAll).map(({ args }) => args);
  return {
    single: [...finding.map(({ alone }) => alone), ...keeping],
    joined: [
      ...finding.filter(({ isOfAll }) => !isOfAll).map(({ alone }) => alone),
      Object.assign({}, first, ...ofAll),
      ...further,
    ],
  };
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function firstOf(name: string): ValueFor {
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
