import type { RunResult } from '../../engine/result.ts';
import { share } from '../conclusion.ts';
import { plural, visibleLine } from '../text.ts';
import { howFar, isForAuthor, rootsOf, sentenceOf, stepsOf } from '../way-there.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

const LAYOUT = { indent: 2, limit: 300 };
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
        { ...LAYOUT, labelWidth },
        context,
      ),
    ),
    ...(rest > 0 ? [`  and ${plural(rest, 'further area')} with something to do, see results.json`] : []),
    ...(isForAuthor(result) ? stepsOf : rootsOf)(result)
      .slice(0, MOST_STEPS)
      .flatMap((step, at) =>
        renderField(at === 0 ? 'next: ' : 'then: ', sentenceOf(step), { ...LAYOUT, labelWidth: 6 }, context),
      ),
  ];
}
