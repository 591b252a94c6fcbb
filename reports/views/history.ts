import type {
  FailingCheck,
  History,
  HistoryRun,
  Series,
  UnstableCheck,
} from '../../compare/history/history.ts';
import { formatDuration, grouped, type Maybe, plural, present } from '../../engine/text.ts';
import type { Block, Item, State, Text, View } from './blocks.ts';
import { list, notesSection, numbers, section, TONE_OF, table, text } from './blocks.ts';

const BARS = '▁▂▃▄▅▆▇█';
const SPARKS = 48;
/** With more series, healthy ones have no table if there is little space. */
const FEW_SERIES = 3;

/** The letters of `verdicts`: what each means, and its state; none if the check did not run. */
const LETTERS: Readonly<Record<string, readonly [meaning: string, state?: State]>> = {
  p: ['passed', 'pass'],
  f: ['failed', 'fail'],
  a: ['failed, and a waiver covers it', 'waived'],
  w: ['warned', 'warn'],
  u: ['unstable: failed, but not in each retry', 'unstable'],
  i: ['inconclusive', 'inconclusive'],
  e: ['fault of the suite', 'error'],
  '.': ['not run, or not with the arguments that had failed'],
};

const SEARCHED = [
  ['fail', 'failing'],
  ['unstable', 'unstable'],
  ['waived', 'waived'],
] as const;

/** A history for people: for each series its state, how long checks have failed, and its runs. */
export function historyView({ series, notes, runs }: History): View {
  const failing = series.reduce((sum, one) => sum + one.failing.length, 0);
  const sections = series.slice(0, 50).map((one, at) => seriesSection(one, at, series.length > FEW_SERIES));
  return {
    heading:
      failing === 0
        ? 'Nothing fails in the latest run'
        : `${plural(failing, 'check')} ${failing === 1 ? 'fails' : 'fail'} in the latest run`,
    tone: failing > 0 ? 'fail' : 'pass',
    summary: [text(readOf(runs, series.length))],
    blocks: [
      notesSection(notes),
      sections,
      series.length > sections.length &&
        text(`and ${series.length - sections.length} more series in history.json`),
    ],
    search: { noun: 'checks', choices: [{ name: 'state', label: 'State', values: SEARCHED }] },
    source: 'history.json',
    foot: 'history.json beside this page contains everything shown here.',
  };
}

function readOf({ read, repeated, earlier }: History['runs'], series: number): string {
  return present([
    `${plural(read, 'run')} in ${series} series`,
    repeated > 0 && `${plural(repeated, 'result')} of a run that was there already`,
    earlier > 0 && `${plural(earlier, 'earlier run')} not listed`,
  ]).join('; ');
}

function seriesSection(series: Series, at: number, isLong: boolean): Maybe<Block> {
  const { target, nights } = series;
  const fails = nights.map(({ counts }) => counts.fail).slice(-SPARKS);
  const growth = growthOf(series);
  return section(
    {
      id: `series-${at}`,
      title: target.url,
      way: [target.url.replace(/^https?:\/\//, ''), String(series.failing.length)],
    },
    text(spanOf(series)),
    text(standingOf(series), { tone: TONE_OF[nights.at(-1)?.conclusion ?? 'inconclusive'] }),
    fails.length > 1 && text(`failed ${sparkline(fails)} ${Math.min(...fails)} to ${Math.max(...fails)}`),
    growth !== undefined && text(growth),
    bodyOf(series, isLong && isQuiet(series) ? 'page' : undefined),
  );
}

/** @param from the least space that shows it */
function bodyOf(series: Series, from: 'page' | undefined): Maybe<Block> {
  const { nights, failing, waived, unstable } = series;
  const known = new Map([...failing, ...waived].map((check) => [check.id, check]));
  const last = nights.at(-1);
  const listed = (title: string, tone: State, items: readonly Item[] = []): Maybe<Block> =>
    section({ title: `${items.length} ${title}`, tone, from }, list(items, { searched: true }));
  const named = (ids: readonly string[] = []): Item[] =>
    ids.map((id) => ({ text: id, notes: [known.get(id)?.title || undefined], tone: 'fail' }));
  const failingItem = (check: FailingCheck): Item =>
    itemOf(check, lengthOf(check), check.waived ? 'waived' : 'fail');
  const unstableItem = (check: UnstableCheck): Item => itemOf(check, instabilityOf(check), 'unstable');
  return [
    listed('new in the latest run', 'fail', named(last?.new)),
    listed('found in the latest run, since when is unknown', 'fail', named(last?.found)),
    listed('no longer waived', 'fail', named(last?.unwaived)),
    listed('failing, the longest first', 'fail', failing.map(failingItem)),
    listed('unstable', 'unstable', unstable.map(unstableItem)),
    listed('waived', 'waived', waived.map(failingItem)),
    listed(
      'fixed in the latest run',
      'pass',
      last?.fixed.map((id) => ({ text: id, tone: 'pass' })),
    ),
    section({ title: 'runs', from }, lettersOf(series), runBlocks(nights, series.target.url)),
  ];
}

function itemOf({ id, title, verdicts }: FailingCheck | UnstableCheck, says: string, tone: State): Item {
  return {
    text: id,
    notes: [title, says],
    tone,
    strip: [...verdicts].map((letter) => [letter, LETTERS[letter]?.[1]] as const),
  };
}

function runBlocks(nights: readonly HistoryRun[], url: string): Maybe<Block> {
  const most = { screen: 14, comment: 30, page: 400 };
  return [
    table(
      `Runs of ${url}`,
      [
        'began (UTC)',
        { title: 'conclusion', from: 'page' },
        ...numbers('failed', 'waived', 'inconclusive', 'new', 'fixed'),
        ...numbers('warnings', 'passed', 'checks').map((column) => ({ ...column, from: 'page' as const })),
        ...numbers('requests', 'time'),
      ],
      nights.toReversed().map(cellsOf),
      { most, rest: 'earlier' },
    ),
    legendOf(nights.slice(-most.screen)).map((words) => text(words, { quiet: true })),
  ];
}

function cellsOf(run: HistoryRun): Text[] {
  const { started, conclusion, counts, new: fresh, fixed, requests, seconds } = run;
  const cell = (number: number, tone: State, ids: readonly string[] = []): Text =>
    number === 0 ? '0' : [{ text: grouped(number), tone, title: ids.slice(0, 20).join(', ') }];
  return [
    `${dayOf(started)} ${markOf(run)}`.trim(),
    [{ text: conclusion, tone: TONE_OF[conclusion] }],
    cell(counts.fail, 'fail'),
    cell(counts.waived ?? 0, 'waived'),
    cell(counts.inconclusive + counts.error, 'inconclusive'),
    cell(fresh.length, 'fail', fresh),
    cell(fixed.length, 'pass', fixed),
    cell(counts.warn, 'warn'),
    cell(counts.pass, 'pass'),
    grouped(Object.values(counts).reduce((sum, number) => sum + (number ?? 0), 0)),
    grouped(requests),
    formatDuration(seconds),
  ];
}

/** Numbers as bars of eight heights, the smallest lowest. Equal numbers give equal bars. */
function sparkline(numbers: readonly number[]): string {
  const most = Math.max(...numbers);
  const least = Math.min(...numbers);
  const heights = BARS.length - 1;
  return numbers
    .map((number) => BARS[most === least ? 0 : Math.round(((number - least) / (most - least)) * heights)])
    .join('');
}

function dayOf(started: string): string {
  return started.slice(0, 16).replace('T', ' ');
}

/** The mark of a run that did not run its whole plan. */
function markOf({ ended, partial }: HistoryRun): string {
  if (ended !== undefined) return '!';
  return partial === undefined ? '' : '~';
}

const MARKS = { '!': 'ended early', '~': 'PARTIAL' } as const;

function legendOf(nights: readonly HistoryRun[]): string[] {
  const used = new Set(nights.map(markOf));
  return Object.entries(MARKS).flatMap(([mark, words]) =>
    used.has(mark) ? [`${mark} ${words}: checks that it did not run keep their state`] : [],
  );
}

/** The meaning of the letters that occur: `p passed; f failed`. */
function lettersOf({ nights, failing, waived, unstable }: Series): Maybe<Block> {
  const used = new Set([...failing, ...waived, ...unstable].flatMap(({ verdicts }) => [...verdicts]));
  const words = Object.entries(LETTERS)
    .flatMap(([letter, [meaning]]) => (used.has(letter) ? [`${letter} ${meaning}`] : []))
    .join('; ');
  return nights.length > 1 && used.size > 0 && text(`run by run: ${words}`, { quiet: true });
}

/** The subject of a series: `deployment core, mode read, 14 runs from 2025-03-04 05:06 to 2025-03-17 05:06`. */
function spanOf({ target, mode, nights }: Series): string {
  const [first, last] = [nights[0], nights.at(-1)];
  const when = nights.length === 1 ? 'of' : 'from';
  const until = nights.length === 1 ? '' : ` to ${dayOf(last?.started ?? '')}`;
  return `deployment ${target.deployment}, mode ${mode}, ${plural(nights.length, 'run')} ${when} ${dayOf(first?.started ?? '')}${until}`;
}

/** The state of a series in its last run: `nonconformant: 3 failed, 1 of them new; 2 fixed`. */
function standingOf({ nights }: Series): string {
  const last = nights.at(-1);
  if (last === undefined) return 'no run';
  const { conclusion, counts, new: fresh, found = [], unwaived = [], fixed, vanished, untold } = last;
  const waived = counts.waived ?? 0;
  return present([
    `${conclusion}: ${counts.fail} failed${fresh.length === 0 ? ', none of them new' : `, ${fresh.length} of them new`}`,
    found.length > 0 && `${found.length} found, since when is unknown`,
    unwaived.length > 0 && `${unwaived.length} no longer waived`,
    waived > 0 && `${waived} waived`,
    fixed.length > 0 && `${fixed.length} fixed`,
    vanished.length > 0 && `${vanished.length} no longer in the plan`,
    untold.length > 0 && `${untold.length} inconclusive that were not before`,
  ]).join('; ');
}

/** The cost of the first complete run and the last one: `requests 1,000 to 1,530, time 60 s to 83 s`. */
function growthOf({ nights }: Series): string | undefined {
  const whole = nights.filter(({ complete }) => complete);
  const [first, last] = [whole[0], whole.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const requests = `${grouped(first.requests)} to ${grouped(last.requests)}`;
  return `requests ${requests}, time ${formatDuration(first.seconds)} to ${formatDuration(last.seconds)}`;
}

/** Whether a series needs no attention: its last run is complete, and nothing fails, is waived or unstable. */
function isQuiet({ nights, failing, waived, unstable }: Series): boolean {
  const last = nights.at(-1);
  const calm = failing.length + waived.length + unstable.length === 0;
  return calm && last?.conclusion === 'conformant' && last.complete && last.untold.length === 0;
}

/** How long a check has failed: `since 2025-03-04 05:06 or earlier: 12 runs, 11 days`. */
function lengthOf(check: FailingCheck): string {
  const { since, fromStart, found, nights, days, lastTold, unstable, waived } = check;
  const start = `since ${dayOf(since)}${fromStart === true || found === true ? ' or earlier' : ''}`;
  return present([
    `${start}: ${plural(nights, 'run')}, ${plural(days, 'day')}`,
    lastTold !== undefined && `last reported ${dayOf(lastTold)}`,
    unstable === true && 'unstable',
    waived && `waived by ${waived.owner} until ${waived.expires}: ${waived.reason}`,
  ]).join('; ');
}

/** How unstable a check is: `failed 3 times anew, turned 5 times; unstable within 1 run`. */
function instabilityOf({ episodes, turns, told }: UnstableCheck): string {
  return present([
    turns > 0 && `began to fail ${plural(episodes, 'time')}, changed ${plural(turns, 'time')}`,
    told > 0 && `unstable within ${plural(told, 'run')}`,
  ]).join('; ');
}
