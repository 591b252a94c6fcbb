import type { CheckResult, RunResult } from '../../engine/result.ts';
import { isUnasked } from '../../engine/skip.ts';
import { type Maybe, plural, present, share } from '../../engine/text.ts';
import { type Block, list, text, type View } from './blocks.ts';

const MOST = { screen: 10 } as const;

type Checked = Pick<RunResult, 'checks'>;

/** What changed between a run and a later one of some checks. @param all with earlier results for the others */
export function watchView(
  before: Checked | undefined,
  now: Checked,
  all: Pick<RunResult, 'target' | 'checks'>,
): View {
  const foot = 'results.json has every check.';
  return { heading: standing(all), tone: 'plain', lead: changes(before, now), foot };
}

function changes(before: Checked | undefined, now: Checked): Maybe<Block>[] {
  const verdicts = new Map(before?.checks.filter(isSelected).map(({ id, verdict }) => [id, verdict]));
  const changed = now.checks.filter(
    (check) => isSelected(check) && verdicts.has(check.id) && verdicts.get(check.id) !== check.verdict,
  );
  const passing = changed.filter(({ verdict }) => verdict === 'pass');
  const failing = changed.filter(({ verdict }) => verdict === 'fail');
  const others = changed.length - passing.length - failing.length;
  const parts = present([
    passing.length > 0 && plural(passing.length, 'check more passes', 'checks more pass'),
    failing.length > 0 && plural(failing.length, 'check more fails', 'checks more fail'),
    others > 0 && `${others} ended in another way`,
  ]);
  return [
    text(`since the last run: ${changed.length === 0 ? 'nothing changed' : parts.join(', ')}`),
    named('+', passing),
    named('-', failing),
  ];
}

function named(sign: string, checks: readonly CheckResult[]): Maybe<Block> {
  const items = checks.map(({ id }) => `${sign} ${id}`);
  return list(items, { most: MOST });
}

function standing({ target, checks }: Pick<RunResult, 'target' | 'checks'>): string {
  const asked = checks.filter(({ skip }) => skip === undefined || !isUnasked(skip));
  const count = (verdict: CheckResult['verdict']): number =>
    asked.filter((check) => check.verdict === verdict).length;
  const blocked = asked.filter(({ skip }) => skip?.kind === 'blocked').length;
  return `${target.deployment}: ${share(count('pass'), asked.length, 'checks')} pass, ${count('fail')} fail, ${count('inconclusive')} inconclusive, ${blocked} blocked`;
}

/** Whether a check was selected. */
export function isSelected({ skip }: CheckResult): boolean {
  return skip?.kind !== 'selection';
}
