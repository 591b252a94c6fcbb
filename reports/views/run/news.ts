import { byReason } from '../../../engine/extent.ts';
import { blockerOf } from '../../../engine/plan.ts';
import type { BaselineReport, CheckResult, News, RunResult } from '../../../engine/result.ts';
import { grouped, type Maybe, plural, present } from '../../../engine/text.ts';
import type { Block, Item, List, State } from '../blocks.ts';
import { code, details, facts, list, section, table } from '../blocks.ts';
import { headlineSpans } from '../comparison.ts';
import { linkOf } from './findings.ts';

/** New failures matter most; a few of the others are enough. */
const MOST_NEW = { screen: 20, comment: 20, page: 200 } as const;
const MOST_OTHERS = { screen: 5, comment: 20, page: 200 } as const;
const TONES: Record<News, State> = { new: 'fail', none: 'pass', untold: 'inconclusive' };

/**
 * What is new compared with an earlier run, root causes first, and what is fixed, inconclusive or persisting;
 * undefined without a baseline.
 */
export function newsSection(result: RunResult): Maybe<Block> {
  const { baseline, news = 'untold', checks, target } = result;
  if (baseline === undefined) return undefined;
  const known = new Map(checks.map((check) => [check.id, check]));
  const blocked = Map.groupBy(checks, (check) => blockerOf(check) ?? '');
  const waiting = (id: string): number => blocked.get(id)?.length ?? 0;
  const itemOf = (id: string): Item => changedItem(known.get(id) ?? { id }, waiting(id), target);
  const rootsFirst = (ids: readonly string[] = []): string[] =>
    ids.toSorted((one, other) => waiting(other) - waiting(one));
  const listOf = (words: string, ids: readonly string[], most: List['most'] = MOST_OTHERS): Maybe<Block> =>
    details(`${ids.length} ${words}`, [list(ids.map(itemOf), { most })]);
  const fresh = rootsFirst(baseline.new);
  const unwaived = rootsFirst(baseline.unwaived);
  const { still } = baseline;
  const waived = still.filter((id) => known.get(id)?.waived !== undefined).length;
  return section(
    {
      id: 'new',
      way: ['New', grouped(baseline.new.length)],
      tone: TONES[news],
      title: `against the baseline: ${newsInWords(baseline, news)}`,
    },
    facts([['baseline', `run ${baseline.run}, started ${baseline.started}`]]),
    list(baseline.notes.map((note) => `note: ${note}`)),
    section({ title: `${fresh.length} new` }, list(fresh.map(itemOf), { most: MOST_NEW })),
    listOf('no longer waived', unwaived, MOST_NEW),
    listOf('found, since when is unknown', baseline.found ?? [], MOST_NEW),
    answersBlock(baseline),
    listOf('fixed', baseline.fixed),
    listOf('unstable: failed, but not in each retry', baseline.unstable),
    inconclusiveNow(baseline, known),
    listOf('failed then, and no longer asked', baseline.vanished),
    details(`${still.length} persisting${waived === 0 ? '' : `, ${waived} of them waived`}`, [
      list(still.map(itemOf), { from: 'page', most: MOST_OTHERS }),
    ]),
  );
}

/** Which failure affects which client, if a run was made for several; with a baseline, only new failures. */
export function clientsTable({ checks, baseline }: RunResult): Maybe<Block> {
  const names = [...new Set(checks.flatMap(({ clients = [] }) => clients))].sort();
  const fresh = baseline && new Set([...baseline.new, ...(baseline.unwaived ?? [])]);
  const rows = checks.filter(
    ({ id, verdict, waived, clients }) =>
      clients !== undefined && (fresh?.has(id) ?? true) && verdict === 'fail' && waived === undefined,
  );
  if (names.length < 2) return undefined;
  return section(
    { id: 'clients', title: 'Clients by failing check' },
    table(
      `Which client ${fresh === undefined ? 'a failure' : 'a new failure'} concerns`,
      ['check', ...names],
      rows.map(({ id, clients = [] }) => [
        id,
        ...names.map((name) => (clients.includes(name) ? 'fails' : '')),
      ]),
      { most: MOST_NEW },
    ),
  );
}

function answersBlock({ answers = [] }: BaselineReport): Maybe<Block> {
  const items = answers.map((one) => ({
    text: [`${one.class}: `, headlineSpans(one)],
    notes: [one.advice, one.clients && `concerns ${one.clients.join(', ')}`, ['id ', code(one.id)]],
    tone: one.class,
  }));
  return details(
    `${plural(answers.length, 'change')} in answers (diff of both runs shows each with its requests)`,
    [list(items, { most: MOST_NEW })],
  );
}

function changedItem(
  check: Pick<CheckResult, 'id' | 'operation' | 'parameter' | 'message'> & { title?: string },
  waiting: number,
  target: RunResult['target'],
): Item {
  const blocks = waiting > 0 ? `(${plural(waiting, 'check')} blocked by it)` : '';
  return {
    text: linkOf(check, target),
    notes: [`${check.message ?? check.title ?? ''} ${blocks}`.trim() || undefined],
  };
}

/** What to say without new failures. Findings or changed answers may still count. */
const NO_FAILURE: Readonly<Record<News, string>> = {
  new: 'no new failure, but what counts as one',
  none: 'nothing new',
  untold: 'nothing new, as far as it could be evaluated',
};

function newsInWords(
  { new: failures, found = [], unwaived = [], answers = [] }: BaselineReport,
  news: News,
): string {
  return present([
    failures.length > 0 && plural(failures.length, 'new failure'),
    unwaived.length > 0 && `${plural(unwaived.length, 'failure')} no longer waived`,
    failures.length + unwaived.length === 0 && NO_FAILURE[news],
    found.length > 0 && `${found.length} found, since when is unknown`,
    answers.length > 0 && `${plural(answers.length, 'change')} in answers`,
  ]).join(', ');
}

function inconclusiveNow({ untold }: BaselineReport, known: ReadonlyMap<string, CheckResult>): Maybe<Block> {
  const checks = untold.flatMap((id) => known.get(id) ?? []);
  const items = byReason(checks, [...known.values()]).map(({ why, checks: own }) =>
    own.length === 1
      ? `${own[0]?.id}: ${own[0]?.message ?? why}`
      : `${plural(own.length, 'check')}, such as ${own[0]?.id}: ${why}`,
  );
  return details(`${untold.length} inconclusive now, and not then`, [list(items, { most: MOST_OTHERS })]);
}
