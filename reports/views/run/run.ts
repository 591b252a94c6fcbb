import type { RunMode } from '../../../client/mode.ts';
import { askedOf, countVerdicts, isRemoved } from '../../../engine/conclusion.ts';
import { byReason } from '../../../engine/extent.ts';
import { blockerOf } from '../../../engine/plan.ts';
import type { BaselineReport, CheckResult, Counts, News, RunResult } from '../../../engine/result.ts';
import { VERDICTS } from '../../../engine/result.ts';
import { formatDuration, grouped, type Maybe, plural, present, shorten } from '../../../engine/text.ts';
import { headlineOf, isThin } from '../../reporters/describe.ts';
import {
  type Block,
  type BlockOf,
  code,
  command,
  details,
  EVERY,
  facts,
  type Item,
  list,
  numbers,
  STATES,
  type State,
  section,
  type Text,
  TONE_OF,
  table,
  text,
  type View,
} from '../blocks.ts';
import { headlineSpans } from '../comparison.ts';
import { findingsOf } from './causes.ts';
import { detailSections, howItEnded } from './details.ts';
import { findingSections, linkOf, shownInCards } from './findings.ts';
import { mapOf } from './map.ts';
import { reasonSections, waiverSection } from './reasons.ts';
import { howFar, isForAuthor, nextSection, progressSection, sentenceOf, stepsOf } from './steps.ts';

/** The command that repeats a check. */
type RepeatLine = (id: string) => string;

/**
 * A run for people: the conclusion and its reason, what is new, what failed, what to do next, then details. Authors of
 * an implementation first read what to build next, operators what broke.
 */
export function runView(result: RunResult, { repeat }: { repeat?: RepeatLine } = {}): View {
  const { conclusion, target, reason } = result;
  const heading = headlineOf(result);
  const map = mapOf(result, shownInCards(result));
  const progress = progressSection(result);
  const isAuthor = isForAuthor(result);
  return {
    heading,
    title: `${heading}: ${shorten(target.url, 120)}`,
    tone: isThin(result) ? 'inconclusive' : TONE_OF[conclusion],
    reason,
    lead: [headOf(result)],
    summary: summaryOf(result, repeat),
    blocks: [
      newsSection(result),
      clientsTable(result),
      nextSection(result),
      areasTable(result.checks),
      isAuthor && progress,
      findingSections(result),
      waiverSection(result),
      reasonSections(result),
      !isAuthor && progress,
      map?.map,
      detailSections(result),
      map?.all,
    ],
    ...(map && { search: map.search }),
    source: 'results.json',
    foot: 'results.json beside this page contains everything shown here, and more.',
  };
}

/** What each mode may do to the site, in the words of an operator. */
const MODE_MEANS: Record<RunMode, string> = {
  read: 'could write nothing',
  validate: 'sent write operations only what they must refuse',
  write: 'could create, change and delete records of its own',
  full: 'could alter the site itself',
};

/** Enough of a digest to compare by eye. */
const DIGEST_SHOWN = 'sha256:'.length + 12;

function headOf({ tool, target, run }: RunResult): Block {
  const { composed, deployment, vocabulary, as } = target;
  const parts = composed === undefined ? [] : [...composed.operations, ...composed.features];
  const composedOf = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  const caller = as === undefined ? '' : as === 'user' ? ', with a user' : ', anonymous';
  const isWriting = run.mode === 'write' || run.mode === 'full';
  const isPowerless = as === 'anonymous' && isWriting;
  const means = isPowerless ? 'could write nothing without --user' : MODE_MEANS[run.mode];
  return facts([
    ['target', [code(target.url)]],
    ['deployment', `${deployment}${composedOf}, vocabulary ${vocabulary}`],
    ['mode', `${run.mode} (${means})${caller}`],
    ['run', `${run.id}, started ${run.started}, seed ${run.seed}`],
    ['cost', costOf(run)],
    ['made by', `${tool.name} ${tool.version}, contract ${tool.contract.slice(0, DIGEST_SHOWN)}`],
  ]);
}

function costOf(run: RunResult['run']): string {
  if (run.ended !== undefined && run.requests === 0 && run.seconds === 0) return 'not recorded';
  const retries = run.retries === 0 ? '' : `, ${run.retries} of them repeated`;
  return `${plural(run.requests, 'request')}${retries}, ${formatDuration(run.seconds)}`;
}

function summaryOf(result: RunResult, repeat: RepeatLine | undefined): Maybe<Block>[] {
  const { partial, progress, baseline, counts, writing } = result;
  const far = howFar(progress);
  const [broken] = findingsOf(result, 'fail');
  const [step] = isForAuthor(result) ? stepsOf(result) : [];
  return [
    partial &&
      text(
        `PARTIAL: only ${grouped(partial.asked)} of ${grouped(partial.planned)} planned checks were run: the conclusion covers only these.`,
        { tone: 'warn', from: 'page' },
      ),
    writing &&
      !isRemoved(writing) &&
      text(`${howItEnded(writing)}: see what the run wrote`, { tone: 'fail' }),
    text(tallyOf(counts), { from: 'comment' }),
    progress &&
      far !== undefined &&
      text([{ text: far, share: [progress.passed, progress.required] }], { from: 'page' }),
    step && text(`next: ${sentenceOf(step)}`, { to: 'screen' }),
    broken !== undefined &&
      (baseline === undefined || broken.standing === 'new') &&
      repeat && [
        text('To repeat one check alone (with your headers, if there were any):', { to: 'screen' }),
        command(repeat(broken.id), { to: 'screen' }),
      ],
    blockedNote(result.run),
    adviceOn(result).map((advice) => text(advice, { to: 'comment' })),
  ];
}

/** What a gate or firewall before the site denied: said once, because many checks may be inconclusive for it. */
function blockedNote({ blocked = {} }: RunResult['run']): Maybe<Block> {
  const methods = Object.entries(blocked).map(([method, count]) => `${method} ${count}`);
  if (methods.length === 0) return undefined;
  return text(
    `A gate or firewall before the site denied some requests (${methods.join(', ')}). Checks that need them are inconclusive: have it let this machine through, with these methods.`,
  );
}

const ORDER = ['fail', 'error', 'warn', 'inconclusive', 'waived', 'skip', 'pass'] as const;

function tallyOf(counts: Counts): Text {
  return ORDER.map((state) => {
    const number = counts[state] ?? 0;
    return number > 0 && [{ text: `${grouped(number)} ${STATES[state].word}`, tone: state }, ' '];
  });
}

/** What an operator can do about inconclusive checks, one sentence each. */
function adviceOn({ checks, counts, fuzzing }: RunResult): string[] {
  const ran = askedOf(counts) - counts.inconclusive - counts.error;
  const unstable = (fuzzing?.unstable ?? 0) + checks.filter((check) => check.unstable !== undefined).length;
  return present([
    counts.error > 0 && 'An error is a fault of this suite: please report it, together with results.json.',
    unstable > 0 &&
      'Unstable results may depend on what else the site is doing: run again with --concurrency 1. A finding with an id can be replayed.',
    ran === 0 &&
      unstable === 0 &&
      'Nothing was tested: look at the reasons above, then at the target, the selection and the credentials.',
  ]);
}

/** The number of areas without anything to look at that have a row each. */
const MOST_QUIET = 3;
const LOUD = ['fail', 'error', 'warn', 'inconclusive'] as const;
const COLUMNS = VERDICTS.flatMap((verdict) =>
  verdict === 'fail' ? [verdict, 'waived' as const] : [verdict],
);

/** The verdicts by area, failing areas first, with totals. Areas with nothing to look at share one row. */
function areasTable(checks: readonly CheckResult[]): Maybe<Block> {
  const rows = [...Map.groupBy(checks, ({ area }) => area)].map(([name, own]) => {
    const counts = countVerdicts(own);
    const isQuiet = LOUD.every((verdict) => counts[verdict] === 0);
    return { name, counts, isQuiet, broken: counts.fail + counts.error };
  });
  const quiet = new Set(rows.flatMap(({ name, isQuiet }) => (isQuiet ? [name] : [])));
  const isCollapsed = quiet.size > MOST_QUIET;
  const shown = rows
    .filter(({ isQuiet }) => !isCollapsed || !isQuiet)
    .toSorted((one, other) => other.broken - one.broken || one.name.localeCompare(other.name, 'en'));
  const columns = COLUMNS.filter((column) => column !== 'waived' || checks.some(({ waived }) => waived));
  const all = present<Pick<(typeof rows)[number], 'name' | 'counts'>>([
    shown,
    isCollapsed && {
      name: plural(quiet.size, shown.length === 0 ? 'area' : 'other area'),
      counts: countVerdicts(checks.filter((check) => quiet.has(check.area))),
    },
    { name: 'all', counts: countVerdicts(checks) },
  ]);
  return section(
    { to: 'screen', title: 'verdicts by area' },
    table(
      'Verdicts by area',
      ['', ...numbers(...columns)],
      all.map(({ name, counts }) => [
        shorten(name, 24),
        ...columns.map((column): Text => {
          const number = counts[column] ?? 0;
          return number === 0 ? '·' : [{ text: String(number), tone: column }];
        }),
      ]),
      { most: { screen: EVERY } },
    ),
  );
}

/** New failures matter most; a few of the others are enough. */
const MOST_NEW = { screen: 20, comment: 20, page: 200 } as const;
const MOST_OTHERS = { screen: 5, comment: 20, page: 200 } as const;
const TONES: Record<News, State> = { new: 'fail', none: 'pass', untold: 'inconclusive' };

/** What is new compared with an earlier run, root causes first; undefined without a baseline. */
function newsSection(result: RunResult): Maybe<Block> {
  const { baseline, news = 'untold', checks, target } = result;
  if (baseline === undefined) return undefined;
  const known = new Map(checks.map((check) => [check.id, check]));
  const blocked = Map.groupBy(checks, (check) => blockerOf(check) ?? '');
  const waiting = (id: string): number => blocked.get(id)?.length ?? 0;
  const itemOf = (id: string): Item => {
    const check: Partial<CheckResult> & { id: string } = known.get(id) ?? { id };
    const blocks = waiting(id) > 0 ? `(${plural(waiting(id), 'check')} blocked by it)` : '';
    const note = `${check.message ?? check.title ?? ''} ${blocks}`.trim();
    return { text: linkOf(check, target), notes: [note || undefined] };
  };
  const rootsFirst = (ids: readonly string[] = []): string[] =>
    ids.toSorted((one, other) => waiting(other) - waiting(one));
  const listOf = (
    words: string,
    ids: readonly string[],
    most: BlockOf<'list'>['most'] = MOST_OTHERS,
  ): Maybe<Block> => details(`${ids.length} ${words}`, [list(ids.map(itemOf), { most })]);
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

function clientsTable({ checks, baseline }: RunResult): Maybe<Block> {
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
  const items = byReason(checks, [...known.values()]).map(({ why, checks: [first, ...more] }) =>
    more.length === 0
      ? `${first?.id}: ${first?.message ?? why}`
      : `${plural(1 + more.length, 'check')}, such as ${first?.id}: ${why}`,
  );
  return details(`${untold.length} inconclusive now, and not then`, [list(items, { most: MOST_OTHERS })]);
}
