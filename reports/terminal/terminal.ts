import { isRemoved, share } from '../../engine/conclusion.ts';
import { describePhases } from '../../engine/fuzzing.ts';
import type {
  CheckResult,
  FuzzingReport,
  Mode,
  RunResult,
  StageReport,
  WritingReport,
} from '../../engine/result.ts';
import { formatDuration, plural, visibleLine } from '../../engine/text.ts';
import { digestNotices } from '../notices.ts';
import { rankFindings } from '../reporters/rank.ts';
import { howFar, isForAuthor, rootsOf, sentenceOf, stepsOf } from '../way-there.ts';
import { createdBy, howItEnded, whatElseChanged, whatStayed } from '../what-stayed.ts';
import { whatWasMade } from '../what-was-made.ts';
import { renderAreas } from './areas.ts';
import { renderConclusion } from './conclusion.ts';
import { renderFindings } from './findings.ts';
import { type RenderContext, renderField, renderHeading, type TerminalOptions } from './layout.ts';
import { renderNews, renderReasons } from './news.ts';
import { createPaint } from './paint.ts';
import { renderWaivers } from './waivers.ts';

/** What each mode allows a run to do to the site, in the words of an operator. */
const MODE_MEANS: Record<Mode, string> = {
  read: 'could write nothing',
  validate: 'sent write operations only what they must refuse',
  write: 'could create, change and delete records of its own',
  full: 'could alter the site itself',
};

const HEAD_LAYOUT = { indent: 2, labelWidth: 12, limit: 300 };

/** How much of a digest is enough to tell two apart by eye. */
const DIGEST_SHOWN = 'sha256:'.length + 12;

/** The head of the terminal report: tool, target, deployment, mode and what the run cost. */
export function renderHead(result: RunResult, context: RenderContext): string[] {
  const { tool, target, run } = result;
  const contract = tool.contract.slice(0, DIGEST_SHOWN);
  const rows: [string, string][] = [
    ['target', target.url],
    ['deployment', deploymentOf(target)],
    ['mode', `${run.mode} (${MODE_MEANS[run.mode]})`],
    ['run', `${run.id}, started ${run.started}, seed ${run.seed}`],
    ['cost', cost(run)],
  ];
  return [
    context.paint('heading', visibleLine(`${tool.name} ${tool.version}, contract ${contract}`)),
    ...rows.flatMap(([label, text]) => renderField(label, visibleLine(text), HEAD_LAYOUT, context)),
  ];
}

function deploymentOf({ deployment, vocabulary, composed }: RunResult['target']): string {
  const parts = composed === undefined ? [] : [...composed.operations, ...composed.features];
  return `${deployment}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}, vocabulary ${vocabulary}`;
}

function cost(run: RunResult['run']): string {
  if (run.ended !== undefined && run.requests === 0 && run.seconds === 0) return 'not recorded';
  const retries = run.retries === 0 ? '' : `, ${run.retries} of them repeated`;
  return `${plural(run.requests, 'request')}${retries}, ${formatDuration(run.seconds)}`;
}

const NOTICES_LAYOUT = { indent: 2, labelWidth: 2, limit: 200 };

/** The number of notices and a digest of them, at most some eighty lines; no lines without any. */
export function renderNotices(
  result: Pick<RunResult, 'notices' | 'target'>,
  context: RenderContext,
): string[] {
  const { notices } = result;
  if (notices.length === 0) return [];
  const { lines, advice } = digestNotices(result);
  return [
    renderHeading(
      `${plural(notices.length, 'notice')}, which change nothing in the conclusion`,
      'heading',
      context,
    ),
    ...lines.flatMap((line) => renderField('-', line, NOTICES_LAYOUT, context)),
    ...advice.map((line) => `  ${line}`),
  ];
}

const LAYOUT = { indent: 2, labelWidth: 2, limit: 300 };
const MOST_STAGE = 10;

/** What a run made for its checks, and what it could not make; no lines for a run that made nothing. */
export function renderStage(stage: StageReport | undefined, context: RenderContext): string[] {
  if (stage === undefined) return [];
  const rest = stage.missing.length - MOST_STAGE;
  const lines = [
    ...stage.missing.slice(0, MOST_STAGE).map(lineOf),
    ...(rest > 0 ? [`… and ${rest} more, see results.json`] : []),
  ];
  return [
    renderHeading(
      `fixtures: ${whatWasMade(stage)}`,
      stage.missing.length === 0 ? 'heading' : 'inconclusive',
      context,
    ),
    ...lines.flatMap((line) => renderField('-', visibleLine(line), LAYOUT, context)),
  ];
}

function lineOf({ resource, name, why, checks }: StageReport['missing'][number]): string {
  const [first] = checks;
  const cost =
    first === undefined
      ? 'no check is left without an answer for it'
      : `${plural(checks.length, 'check')} of ${resource} inconclusive, such as ${first}`;
  return `not made: ${name} (${resource}), ${why}; ${cost}`;
}

const MOST_WRITING = 20;

/** What a run wrote and whether anything stayed; no lines for a run that wrote nothing and left nothing. */
export function renderWriting(writing: WritingReport | undefined, context: RenderContext): string[] {
  if (writing === undefined) return [];
  const { tag, census, uncounted = [] } = writing;
  const created = createdBy(writing);
  const stayed = !isRemoved(writing);
  if (created === 0 && !stayed && census.length + uncounted.length === 0) return [];
  const lines = [...whatStayed(writing), ...whatElseChanged(writing)];
  const heading = `${plural(created, 'record')} written with the tag ${tag}, ${howItEnded(writing)}`;
  return [
    renderHeading(visibleLine(heading), stayed ? 'fail' : 'heading', context),
    ...lines.slice(0, MOST_WRITING).flatMap((line) => renderField('-', visibleLine(line), LAYOUT, context)),
  ];
}

const PROGRESS_LAYOUT = { indent: 2, limit: 300 };
const MOST_AREAS = 8;
const MOST_STEPS = 3;

/** How much of what is required passes, by area, and what to do next; no lines for a run that required nothing. */
export function renderProgress(
  result: Pick<RunResult, 'progress' | 'checks' | 'target' | 'run'>,
  context: RenderContext,
): string[] {
  const heading = howFar(result.progress);
  if (heading === undefined) return [];
  const behind = (result.progress?.areas ?? [])
    .filter((one) => one.passed < one.required)
    .sort((one, other) => other.required - other.passed - (one.required - one.passed));
  const shown = behind.slice(0, MOST_AREAS);
  const rest = behind.length - shown.length;
  const labelWidth = Math.max(0, ...shown.map(({ area }) => visibleLine(area).length)) + 2;
  return [
    renderHeading(heading, 'heading', context),
    ...shown.flatMap((one) =>
      renderField(
        visibleLine(one.area).padEnd(labelWidth),
        share(one.passed, one.required),
        { ...PROGRESS_LAYOUT, labelWidth },
        context,
      ),
    ),
    ...(rest > 0 ? [`  and ${plural(rest, 'further area')} with something to do, see results.json`] : []),
    ...(isForAuthor(result) ? stepsOf : rootsOf)(result)
      .slice(0, MOST_STEPS)
      .flatMap((step, at) =>
        renderField(
          at === 0 ? 'next: ' : 'then: ',
          sentenceOf(step),
          { ...PROGRESS_LAYOUT, labelWidth: 6 },
          context,
        ),
      ),
  ];
}

/** Searches that are named one by one. */
const MOST_NAMED = 8;
const FUZZING_LAYOUT = { indent: 2, labelWidth: 11, limit: 300 };

/** What the fuzz checks tried, in two lines, and which searches the end of the run cut off. */
export function renderFuzzing(fuzzing: FuzzingReport | undefined, context: RenderContext): string[] {
  if (fuzzing === undefined) return [];
  const { judged, planned, keywords, pairs, untried } = fuzzing;
  const rest = untried.length - MOST_NAMED;
  const rows: [string, string][] = [
    ['evaluated', share(judged, planned, 'sets of arguments')],
    [
      'coverage',
      `${keywords.tried} keywords and kinds of values tried, ${keywords.untried} never; ${share(pairs.tried, pairs.possible, 'pairs of parameters')} together`,
    ],
    ...untried
      .slice(0, MOST_NAMED)
      .map((one): [string, string] => ['not tried', `${one.check}: ${describePhases(one)} (${one.reason})`]),
    ...(rest > 0 ? [['', `… and ${rest} more, see fuzzing in results.json`] satisfies [string, string]] : []),
  ];
  return [
    renderHeading('fuzzing', 'heading', context),
    ...rows.flatMap(([label, text]) => renderField(label, visibleLine(text), FUZZING_LAYOUT, context)),
  ];
}

/** Narrower than this nothing lines up, wider than this nobody reads. */
const NARROWEST = 76;
const WIDEST = 120;

/**
 * What an operator reads at the end of a run: what was checked, what is new beside a baseline, a table by area, what broke and how to repeat it,
 * what could not be told and why, then the conclusion, which stays in view. Ends with a line feed. All text of
 * the target is made harmless for a terminal. Only curl lines exceed the width, so that they can be copied.
 */
export function renderTerminal(result: RunResult, options: TerminalOptions): string {
  const context: RenderContext = {
    paint: createPaint(options.colour),
    width: Math.min(Math.max(options.width, NARROWEST), WIDEST),
    ...(result.target.operations !== undefined && { operations: result.target.operations }),
  };
  if (options.brief === true) return `${renderConclusion(result, options, context).join('\n')}\n`;
  const isAuthor = isForAuthor(result);
  const progress = renderProgress(result, context);
  const sections = [
    renderHead(result, context),
    renderNews(result, options, context),
    renderAreas(result.checks, context),
    isAuthor ? progress : [],
    renderFindings('fail', worstFirst(result), context),
    renderFindings('error', result.checks, context),
    renderWaivers(result, context),
    renderFindings('warn', result.checks, context),
    renderFindings('inconclusive', result.checks, context),
    renderReasons('inconclusive', result.checks, context),
    renderReasons('skip', result.checks, context),
    renderFuzzing(result.fuzzing, context),
    renderNotices(result, context),
    renderStage(result.stage, context),
    renderWriting(result.writing, context),
    isAuthor ? [] : progress,
    renderConclusion(result, options, context),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The failures: what is new, then what most hangs on. Beside a baseline what fails as before is one line: it must not bury what is new. */
function worstFirst({ baseline, checks }: RunResult): readonly CheckResult[] {
  const old = new Set(baseline?.still);
  for (const id of baseline?.unwaived ?? []) old.delete(id);
  return rankFindings({ checks, ...(baseline !== undefined && { baseline }) }).failures.filter(
    ({ id }) => !old.has(id),
  );
}
