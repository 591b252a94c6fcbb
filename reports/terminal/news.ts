import { blockerOf } from '../../engine/dependencies.ts';
import {
  type BaselineReport,
  type CheckResult,
  isUnstableCheck,
  type News,
  type RunResult,
} from '../../engine/result.ts';
import { plural, visibleLine } from '../../engine/text.ts';
import { nameOf } from '../about-check.ts';
import { type RenderContext, renderField, renderHeading, type TerminalOptions } from './layout.ts';
import type { Style } from './paint.ts';

/** New failures are what the reader came for; of the others a few say enough. */
const MOST_NEW = 20;
const MOST_OTHERS = 5;
const LAYOUT = { indent: 2, labelWidth: 18, limit: 300 };

const STYLE: Readonly<Record<News, Style>> = { new: 'fail', none: 'pass', untold: 'inconclusive' };

/**
 * What is new against the baseline and what to do first; then what was found beyond what it asked, what is fixed, unstable, told no longer and vanished, and in one
 * line what fails as before. No lines without a baseline.
 */
export function renderNews(
  { baseline, news = 'untold', checks }: RunResult,
  { repeat }: Pick<TerminalOptions, 'repeat'>,
  context: RenderContext,
): string[] {
  if (baseline === undefined) return [];
  const known = new Map(checks.map((check) => [check.id, check]));
  const blocked = Map.groupBy(checks, (check) => blockerOf(check) ?? '');
  const waiting = (id: string): number => blocked.get(id)?.length ?? 0;
  const rootsFirst = (ids: readonly string[]): string[] =>
    ids.toSorted((one, other) => waiting(other) - waiting(one));
  const failures = rootsFirst(baseline.new);
  const unwaived = rootsFirst(baseline.unwaived ?? []);
  const [first] = [...failures, ...unwaived];
  const told = (id: string): string =>
    [
      `${nameOf(known.get(id) ?? { id }, context.operations)}: ${detailOf(known.get(id))}`,
      waiting(id) > 0 ? `(${plural(waiting(id), 'check')} blocked by it)` : '',
    ]
      .filter(Boolean)
      .join(' ');
  const rows: [string, string][] = [
    ['baseline', `run ${baseline.run}, started ${baseline.started}`],
    ...labelled('new', failures.map(told), MOST_NEW),
    ...labelled('no longer waived', unwaived.map(told), MOST_NEW),
    ...labelled('found', (baseline.found ?? []).map(told), MOST_NEW),
    ...labelled('fixed', baseline.fixed, MOST_OTHERS),
    ...labelled('unstable', baseline.unstable.map(told), MOST_OTHERS),
    ...labelled('inconclusive now', reasonsOf(baseline, known), MOST_OTHERS),
    ...labelled('vanished', baseline.vanished, MOST_OTHERS),
    ...labelled('still failing', stillLine(baseline, known), 1),
    ...labelled('note', baseline.notes, Number.POSITIVE_INFINITY),
  ];
  return [
    renderHeading(`against the baseline: ${headline(baseline, news)}`, STYLE[news], context),
    ...rows.flatMap(([label, text]) => renderField(label, visibleLine(text), LAYOUT, context)),
    ...(first === undefined || repeat === undefined
      ? []
      : ['Begin with the first; to repeat it alone:', `  ${visibleLine(repeat(first))}`]),
  ];
}

function headline({ new: failures, found = [], unwaived = [] }: BaselineReport, news: News): string {
  const parts = [
    failures.length > 0 ? plural(failures.length, 'new failure') : '',
    unwaived.length > 0 ? `${plural(unwaived.length, 'failure')} no longer waived` : '',
  ].filter(Boolean);
  const beside = found.length > 0 ? `, ${found.length} found, nobody knows since when` : '';
  if (parts.length > 0) return `${parts.join(', ')}${beside}`;
  return `${news === 'none' ? 'nothing new' : 'nothing new, as far as it could be evaluated'}${beside}`;
}

/** What fails as before, in one line. */
function stillLine({ still }: BaselineReport, known: ReadonlyMap<string, CheckResult>): string[] {
  const waived = still.filter((id) => known.get(id)?.waived !== undefined).length;
  if (still.length === 0) return [];
  return [`${plural(still.length, 'check')}${waived === 0 ? '' : `, ${waived} of them waived`}`];
}

function detailOf(check: CheckResult | undefined): string {
  return check?.message ?? check?.title ?? '';
}

/** What is told no longer, by reason: one root cause is one line. */
function reasonsOf({ untold }: BaselineReport, known: ReadonlyMap<string, CheckResult>): string[] {
  const checks = untold.flatMap((id) => known.get(id) ?? []);
  return groupByReason(checks).map(({ reason, count, example }) =>
    count === 1 ? `${example}: ${reason}` : `${plural(count, 'check')}, such as ${example}: ${reason}`,
  );
}

/** Rows of which the first has a label; what is left out is counted. */
function labelled(label: string, texts: readonly string[], most: number): [string, string][] {
  const left = texts.length - most;
  const shown = left > 0 ? [...texts.slice(0, most), `… and ${left} more, see results.json`] : texts;
  return shown.map((text, index): [string, string] => [index === 0 ? label : '', text]);
}

type QuietVerdict = 'inconclusive' | 'skip';

const HEADING: Record<QuietVerdict, (count: number) => string> = {
  inconclusive: (count) => `${plural(count, 'check')} inconclusive, by reason`,
  skip: (count) => `${plural(count, 'check')} skipped, by reason`,
};

const MOST_GROUPS = 10;
const REASONS_LAYOUT = { indent: 2, labelWidth: 7, limit: 200 };

/** The checks with one verdict as groups by reason, with counts and an example each; no lines without any. What is unstable is listed apart. */
export function renderReasons(
  verdict: QuietVerdict,
  checks: readonly CheckResult[],
  context: RenderContext,
): string[] {
  const members = checks.filter((check) => check.verdict === verdict && !isUnstableCheck(check));
  if (members.length === 0) return [];
  const groups = groupByReason(members);
  const rest = groups.slice(MOST_GROUPS);
  return [
    renderHeading(HEADING[verdict](members.length), verdict, context),
    ...groups.slice(0, MOST_GROUPS).flatMap((group) => renderGroup(group, context)),
    ...(rest.length > 0 ? [restLine(rest)] : []),
  ];
}

function renderGroup(group: ReasonGroup, context: RenderContext): string[] {
  const count = `${String(group.count).padStart(5)}  `;
  const example = visibleLine(group.count === 1 ? group.example : `such as ${group.example}`);
  return [
    ...renderField(count, visibleLine(group.reason), { ...REASONS_LAYOUT, labelStyle: 'strong' }, context),
    ...renderField('', example, { ...REASONS_LAYOUT, textStyle: 'faint' }, context),
  ];
}

function restLine(rest: readonly ReasonGroup[]): string {
  const count = rest.reduce((sum, group) => sum + group.count, 0);
  return `  ${String(count).padStart(5)}  for ${plural(rest.length, 'further reason')}, see results.json`;
}

/** Checks that share one reason: how many, and the id of the first as an example. */
interface ReasonGroup {
  reason: string;
  count: number;
  example: string;
}

/** Groups checks by their message, the largest group first; groups of one size keep the order of the run. */
export function groupByReason(checks: readonly CheckResult[]): ReasonGroup[] {
  const groups = new Map<string, ReasonGroup>();
  for (const check of checks) {
    const reason = check.message || 'no reason given';
    const group = groups.get(reason);
    if (group === undefined) groups.set(reason, { reason, count: 1, example: check.id });
    else group.count += 1;
  }
  return [...groups.values()].sort((left, right) => right.count - left.count);
}
