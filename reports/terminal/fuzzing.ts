import type { FuzzingReport } from '../../engine/result.ts';
import { share } from '../conclusion.ts';
import { describePhases } from '../fuzzing.ts';
import { visibleLine } from '../text.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

/** Searches that are named one by one. */
const MOST_NAMED = 8;
const LAYOUT = { indent: 2, labelWidth: 11, limit: 300 };

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
    ...rows.flatMap(([label, text]) => renderField(label, visibleLine(text), LAYOUT, context)),
  ];
}
