import type { RunMode } from '../../../client/mode.ts';
import { askedOf, countVerdicts, isRemoved } from '../../../engine/conclusion.ts';
import { type CheckResult, type Counts, type RunResult, VERDICTS } from '../../../engine/result.ts';
import { formatDuration, grouped, type Maybe, plural, present, shorten } from '../../../engine/text.ts';
import { howFar, isForAuthor, sentenceOf, stepsOf } from '../../next-steps.ts';
import { headlineOf, isThin } from '../../reporters/describe.ts';
import type { Block, Text, View } from '../blocks.ts';
import { callout, code, command, facts, numbers, STATES, section, TONE_OF, table, text } from '../blocks.ts';
import { findingsOf } from './causes.ts';
import { detailSections, howItEnded } from './details.ts';
import { failureSections, shownInCards, warningSections } from './findings.ts';
import { allChecksSection, type CheckMap, mapOf, mapSection } from './map.ts';
import { clientsTable, newsSection } from './news.ts';
import { reasonSections, waiverSection } from './reasons.ts';
import { nextSection, progressSection } from './steps.ts';

interface RunViewOptions {
  readonly repeat?: (id: string) => string;
}

/**
 * A run for people: the conclusion and its reason, what is new, what failed, what to do next, then details. Authors of
 * an implementation first read what to build next, operators what broke.
 */
export function runView(result: RunResult, { repeat }: RunViewOptions = {}): View {
  const { conclusion, target, reason } = result;
  const heading = headlineOf(result);
  const checks = mapOf(result);
  const progress = progressSection(result);
  const isAuthor = isForAuthor(result);
  const hasChecks = result.checks.length > 0;
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
      failureSections(result),
      warningSections(result),
      waiverSection(result),
      reasonSections(result),
      !isAuthor && progress,
      hasChecks && mapSection(checks),
      detailSections(result),
      hasChecks && allChecksSection(checks, shownInCards(result)),
    ],
    ...(hasChecks && { search: searchOf(checks) }),
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

const WRITING: ReadonlySet<RunMode> = new Set(['write', 'full']);

/** Enough of a digest to compare by eye. */
const DIGEST_SHOWN = 'sha256:'.length + 12;

function headOf({ tool, target, run }: RunResult): Block {
  const { composed, deployment, vocabulary, as } = target;
  const parts = composed === undefined ? [] : [...composed.operations, ...composed.features];
  const caller = as === undefined ? '' : as === 'user' ? ', with a user' : ', anonymous';
  const isPowerless = as === 'anonymous' && WRITING.has(run.mode);
  const means = isPowerless ? 'could write nothing without --user' : MODE_MEANS[run.mode];
  return facts([
    ['target', [code(target.url)]],
    [
      'deployment',
      `${deployment}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}, vocabulary ${vocabulary}`,
    ],
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

function summaryOf(result: RunResult, repeat: RunViewOptions['repeat']): Maybe<Block>[] {
  const { partial, progress, baseline, counts, writing } = result;
  const far = howFar(progress);
  const [broken] = findingsOf(result, 'fail');
  const [step] = isForAuthor(result) ? stepsOf(result) : [];
  return [
    partial &&
      callout(
        'warn',
        `PARTIAL: only ${grouped(partial.asked)} of ${grouped(partial.planned)} planned checks were run: the conclusion covers only these.`,
        { from: 'page' },
      ),
    writing && !isRemoved(writing) && callout('fail', `${howItEnded(writing)}: see what the run wrote`),
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
    adviceOn(result).map((advice) => text(advice, { to: 'comment' })),
  ];
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

/**
 * The verdicts by area, failing areas first, then by name, with totals. Many areas with nothing to look at share one row,
 * so that the others stay visible.
 */
function areasTable(checks: readonly CheckResult[]): Maybe<Block> {
  const rows = [...Map.groupBy(checks, ({ area }) => area)].map(([name, own]) => ({
    name,
    counts: countVerdicts(own),
  }));
  type Row = (typeof rows)[number];
  const isLoud = ({ counts }: Row): boolean => LOUD.some((verdict) => counts[verdict] > 0);
  const broken = ({ counts }: Row): number => counts.fail + counts.error;
  const quiet = new Set(rows.filter((row) => !isLoud(row)).map(({ name }) => name));
  const isCollapsed = quiet.size > MOST_QUIET;
  const shown = rows
    .filter(({ name }) => !isCollapsed || !quiet.has(name))
    .toSorted((one, other) => broken(other) - broken(one) || one.name.localeCompare(other.name, 'en'));
  const columns = COLUMNS.filter((column) => column !== 'waived' || checks.some(({ waived }) => waived));
  const all = present([
    shown,
    isCollapsed && {
      name: `${plural(quiet.size, shown.length === 0 ? 'area' : 'other area')}`,
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
      { most: { screen: Number.MAX_SAFE_INTEGER } },
    ),
  );
}

function searchOf({ kinds, rows }: CheckMap): NonNullable<View['search']> {
  const areas = [...new Set(rows.map(({ area }) => area.slice(0, 120)))];
  return {
    noun: 'checks',
    hint: 'words of a route, an id or a title',
    choices: [
      { name: 'state', label: 'Verdict', values: VERDICTS.map((verdict) => [verdict, STATES[verdict].word]) },
      { name: 'kind', label: 'Kind', values: kinds.map(({ kind, title }) => [kind, title]) },
      { name: 'area', label: 'Area', values: areas.map((area) => [area, area]) },
    ],
  };
}
