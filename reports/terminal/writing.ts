import type { WritingReport } from '../../engine/result.ts';
import { plural, visibleLine } from '../text.ts';
import { createdBy, howItEnded, isRemoved, whatElseChanged, whatStayed } from '../what-stayed.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

const LAYOUT = { indent: 2, labelWidth: 2, limit: 300 };
const MOST_SHOWN = 20;

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
    ...lines.slice(0, MOST_SHOWN).flatMap((line) => renderField('-', visibleLine(line), LAYOUT, context)),
  ];
}
