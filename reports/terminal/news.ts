import { blockerOf } from '../../engine/dependencies.ts';
import type { BaselineReport, CheckResult, News, RunResult } from '../../engine/result.ts';
import { nameOf } from '../site-place.ts';
import { plural, visibleLine } from '../text.ts';
import { type RenderContext, renderField, renderHeading, type TerminalOptions } from './layout.ts';
import type { Style } from './paint.ts';
import { groupByReason } from './reasons.ts';

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
