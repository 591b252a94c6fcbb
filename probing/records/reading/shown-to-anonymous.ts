import { member } from '../../../client/json.ts';
import type { RequestSpec } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { failure } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import type { Operation } from '../../../specs/model.ts';
import { MOST_PER_PAGE } from './fitted-list.ts';
import { type Args, describeArgs, readList } from './list-request.ts';
import { parentOf, type SiteRecord, textOf, type Value, valuesOf } from './record.ts';

/** What a list is asked by for certain records, by the neutral name of the parameter; an empty list asks for nothing. */
const WAYS: Readonly<Record<string, (records: readonly SiteRecord[]) => unknown>> = {
  include: (records) => records.map(({ id }) => id),
  slug: valuesIn('slug'),
  search: ([first]) => (first === undefined ? [] : (textOf(first, 'title')?.text ?? [])),
  author: valuesIn('author'),
  parent: (records) => [...new Set(records.flatMap((record) => parentOf(record) ?? []))].filter(Boolean),
  categories: valuesIn('categories'),
  orderby: () => 'id',
};

/** Those that find the records by themselves; beside the others, which may describe many more, the ids are named. */
const ALONE: ReadonlySet<string> = new Set(['include', 'slug', 'search']);

const MOST_RECORDS = 20;

/**
 * Asks a list as anybody for records that it leaves out unless it is asked for their status (§3), by one filter or order
 * after the other and never by a status. What is shown is asked for again before it counts.
 * @param hidden records that do not have the status which the list shows by default
 * @param still whether a record of them has such a status at this moment
 */
export async function shownToAnonymous(
  session: Session,
  list: Operation,
  hidden: readonly SiteRecord[],
  still: (record: SiteRecord) => Promise<boolean>,
): Promise<{ readonly findings: readonly Finding[]; readonly asked: number }> {
  const records = hidden.slice(0, MOST_RECORDS);
  const findings: Finding[] = [];
  let asked = 0;
  for (const args of waysOf(list, records)) {
    const spec: RequestSpec = {
      method: 'GET',
      route: list.route.wire,
      query: encodeArgs(args),
      as: 'anonymous',
    };
    const first = await session.ask(spec);
    if (readList(first).kind === 'list') asked += 1;
    const [record] = shownOf(records, first.json);
    if (record === undefined || !(await still(record))) continue;
    const again = await session.client.request(spec);
    if (shownOf([record], again.json).length === 0) continue;
    findings.push(
      failure(`a list that is asked for no status shows anybody one with the status ${statusOf(record)}`, {
        expected: `no id ${record.id} in it`,
        observed: `the id ${record.id}, by ${describeArgs(args)}`,
        reproduce: [again.curl],
      }),
    );
  }
  return { findings, asked };
}

function waysOf(list: Operation, records: readonly SiteRecord[]): Args[] {
  const ids = records.map(({ id }) => id);
  return list.parameters.flatMap(({ name, wire }) => {
    const value = WAYS[name]?.(records);
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return [];
    const beside = ALONE.has(name) ? {} : { include: ids };
    return [{ per_page: MOST_PER_PAGE, ...beside, [wire]: value }];
  });
}

function valuesIn(name: string): (records: readonly SiteRecord[]) => readonly Value[] {
  return (records) => [...new Set(records.flatMap((record) => valuesOf(record, name) ?? []))].filter(Boolean);
}

function shownOf(records: readonly SiteRecord[], json: unknown): SiteRecord[] {
  const items: readonly unknown[] = Array.isArray(json) ? json : [];
  return records.filter(({ id }) => items.some((item) => member(item, 'id') === id));
}

/** The status that a record shows. */
export function statusOf(record: SiteRecord): string | undefined {
  const status = valuesOf(record, 'status')?.[0];
  return typeof status === 'string' ? status : undefined;
}
