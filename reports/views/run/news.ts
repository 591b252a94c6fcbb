import { blockerOf } from '../../../engine/plan.ts';
import type { BaselineReport, CheckResult, News, RunResult } from '../../../engine/result.ts';
import { plural } from '../../../engine/text.ts';
import type { State } from '../blocks.ts';
import { type Block, type Item, type Section, sectionOf } from '../blocks.ts';
import { headlineOf } from '../comparison.ts';
import { linkOf } from './findings.ts';
import { reasonOf } from './reasons.ts';

/** New failures are what the reader came for; of the others a few say enough. */
const MOST_NEW = { screen: 20, comment: 20, page: 200 } as const;
const MOST_OTHERS = { screen: 5, comment: 20, page: 200 } as const;
const TONES: Record<News, State> = { new: 'fail', none: 'pass', untold: 'inconclusive' };

/** What is new against an earlier run, the root causes first, and what is fixed, inconclusive or persists; nothing without one. */
export function newsSection(result: RunResult, repeat: ((id: string) => string) | undefined): Section[] {
  const { baseline, news = 'untold', checks, target } = result;
  if (baseline === undefined) return [];
  const known = new Map(checks.map((check) => [check.id, check]));
  const blocked = Map.groupBy(checks, (check) => blockerOf(check) ?? '');
  const waiting = (id: string): number => blocked.get(id)?.length ?? 0;
  const itemOf = (id: string): Item => changedItem(known.get(id) ?? { id }, waiting(id), target);
  const rootsFirst = (ids: readonly string[] = []): string[] =>
    ids.toSorted((one, other) => waiting(other) - waiting(one));
  const listOf = (
    words: string,
    ids: readonly string[],
    most: typeof MOST_NEW | typeof MOST_OTHERS,
  ): Block[] =>
    ids.length === 0
      ? []
      : [
          {
            kind: 'details',
            summary: `${ids.length} ${words}`,
            blocks: [{ kind: 'list', items: ids.map(itemOf), most }],
          },
        ];
  const fresh = rootsFirst(baseline.new);
  const unwaived = rootsFirst(baseline.unwaived);
  const [first] = [...fresh, ...unwaived];
  const waived = baseline.still.filter((id) => known.get(id)?.waived !== undefined).length;
  return sectionOf({
    id: 'new',
    way: ['New', baseline.new.length.toLocaleString('en-US')],
    tone: TONES[news],
    title: `against the baseline: ${newsInWords(baseline, news)}`,
    blocks: [
      { kind: 'facts', rows: [['baseline', `run ${baseline.run}, started ${baseline.started}`]] },
      { kind: 'list', items: baseline.notes.map((text) => ({ text: `note: ${text}` })) },
      ...(fresh.length === 0
        ? []
        : [
            {
              kind: 'section',
              title: `${fresh.length} new`,
              blocks: [{ kind: 'list', items: fresh.map(itemOf), most: MOST_NEW }],
            } as const,
          ]),
      ...listOf('no longer waived', unwaived, MOST_NEW),
      ...listOf('found, nobody knows since when', baseline.found ?? [], MOST_NEW),
      ...answersBlock(baseline),
      ...listOf('fixed', baseline.fixed, MOST_OTHERS),
      ...listOf('unstable: failed, but not in each retry', baseline.unstable, MOST_OTHERS),
      ...inconclusiveNow(baseline, known),
      ...listOf('failed then, and no longer asked', baseline.vanished, MOST_OTHERS),
      ...(baseline.still.length === 0
        ? []
        : [
            {
              kind: 'details',
              summary: `${baseline.still.length} persisting${waived === 0 ? '' : `, ${waived} of them waived`}`,
              blocks: [{ kind: 'list', from: 'page', items: baseline.still.map(itemOf), most: MOST_OTHERS }],
            } as const,
          ]),
      ...(first === undefined || repeat === undefined
        ? []
        : [
            { kind: 'text', to: 'screen', text: 'Begin with the first; to repeat it alone:' } as const,
            { kind: 'code', to: 'screen', text: repeat(first) } as const,
          ]),
    ],
  });
}

/** Which client which failure concerns, where a run was made for several: of a run beside a baseline, what is new. */
export function clientsTable({ checks, baseline }: RunResult): Section[] {
  const names = [...new Set(checks.flatMap(({ clients = [] }) => clients))].sort();
  const fresh = baseline && new Set([...baseline.new, ...(baseline.unwaived ?? [])]);
  const rows = checks.filter(
    ({ id, verdict, waived, clients }) =>
      clients !== undefined && (fresh?.has(id) ?? true) && verdict === 'fail' && waived === undefined,
  );
  return sectionOf(
    {
      id: 'clients',
      title: 'Clients by failing check',
      blocks: [
        {
          kind: 'table',
          label: `Which client ${fresh === undefined ? 'a failure' : 'a new failure'} concerns`,
          columns: [{ title: 'check' }, ...names.map((title) => ({ title }))],
          rows: rows.map(({ id, clients = [] }) => ({
            cells: [id, ...names.map((name) => (clients.includes(name) ? 'fails' : ''))],
          })),
          most: MOST_NEW,
        },
      ],
    },
    names.length > 1 && rows.length > 0,
  );
}

/** What answers look like otherwise than in the baseline. */
function answersBlock({ answers = [] }: BaselineReport): Block[] {
  if (answers.length === 0) return [];
  const items = answers.map(
    (one): Item => ({
      text: [`${one.class}: `, ...headlineOf(one)],
      notes: [
        one.advice,
        ...(one.clients === undefined ? [] : [`concerns ${one.clients.join(', ')}`]),
        ['id ', { text: one.id, as: 'code' }],
      ],
      tone: one.class,
    }),
  );
  return [
    {
      kind: 'details',
      summary: `${plural(answers.length, 'change')} in answers (diff of both runs shows each with its requests)`,
      blocks: [{ kind: 'list', items, most: MOST_NEW }],
    },
  ];
}

/** A check that changed, with what it says and what it holds up. */
function changedItem(
  check: Pick<CheckResult, 'id' | 'operation' | 'parameter' | 'message'> & { title?: string },
  waiting: number,
  target: RunResult['target'],
): Item {
  const blocks = waiting > 0 ? [`(${plural(waiting, 'check')} blocked by it)`] : [];
  const says = [check.message ?? check.title ?? '', ...blocks].filter(Boolean).join(' ');
  return { text: linkOf(check, target), ...(says !== '' && { notes: [says] }) };
}

function newsInWords(
  { new: failures, found = [], unwaived = [], answers = [] }: BaselineReport,
  news: News,
): string {
  const parts = [
    failures.length > 0 ? plural(failures.length, 'new failure') : '',
    unwaived.length > 0 ? `${plural(unwaived.length, 'failure')} no longer waived` : '',
  ].filter(Boolean);
  const beside = [
    found.length > 0 ? `, ${found.length} found, nobody knows since when` : '',
    answers.length > 0 ? `, ${plural(answers.length, 'change')} in answers` : '',
  ].join('');
  if (parts.length > 0) return `${parts.join(', ')}${beside}`;
  return `${news === 'none' ? 'nothing new' : 'nothing new, as far as it could be evaluated'}${beside}`;
}

/** What is no longer reported, by reason: one root cause is one entry. */
function inconclusiveNow({ untold }: BaselineReport, known: ReadonlyMap<string, CheckResult>): Block[] {
  if (untold.length === 0) return [];
  const reasons = Map.groupBy(
    untold.flatMap((id) => known.get(id) ?? []),
    reasonOf,
  );
  return [
    {
      kind: 'details',
      summary: `${untold.length} inconclusive now, and not then`,
      blocks: [
        {
          kind: 'list',
          most: MOST_OTHERS,
          items: [...reasons].map(([reason, own]) => ({
            text:
              own.length === 1
                ? `${own[0]?.id}: ${own[0]?.message ?? reason}`
                : `${plural(own.length, 'check')}, such as ${own[0]?.id}: ${reason}`,
          })),
        },
      ],
    },
  ];
}
