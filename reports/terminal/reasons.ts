import { type CheckResult, isUnstableCheck } from '../../engine/result.ts';
import { plural, visibleLine } from '../text.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

type QuietVerdict = 'inconclusive' | 'skip';

const HEADING: Record<QuietVerdict, (count: number) => string> = {
  inconclusive: (count) => `${plural(count, 'check')} inconclusive, by reason`,
  skip: (count) => `${plural(count, 'check')} skipped, by reason`,
};

const MOST_GROUPS = 10;
const LAYOUT = { indent: 2, labelWidth: 7, limit: 200 };

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
    ...renderField(count, visibleLine(group.reason), { ...LAYOUT, labelStyle: 'strong' }, context),
    ...renderField('', example, { ...LAYOUT, textStyle: 'faint' }, context),
  ];
}

function restLine(rest: readonly ReasonGroup[]): string {
  const count = rest.reduce((sum, group) => sum + group.count, 0);
  return `  ${String(count).padStart(5)}  for ${plural(rest.length, 'further reason')}, see results.json`;
}

/** Checks that share one reason: how many, and the id of the first as an example. */
export interface ReasonGroup {
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
