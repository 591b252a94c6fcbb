import type { StageReport } from '../../engine/result.ts';
import { plural, visibleLine } from '../text.ts';
import { whatWasMade } from '../what-was-made.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

const LAYOUT = { indent: 2, labelWidth: 2, limit: 300 };
const MOST_SHOWN = 10;

/** What a run made for its checks, and what it could not make; no lines for a run that made nothing. */
export function renderStage(stage: StageReport | undefined, context: RenderContext): string[] {
  if (stage === undefined) return [];
  const rest = stage.missing.length - MOST_SHOWN;
  const lines = [
    ...stage.missing.slice(0, MOST_SHOWN).map(lineOf),
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
