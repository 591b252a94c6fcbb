import type { WritingReport } from '../../engine/result.ts';
import { plural, visibleLine } from '../text.ts';
import { howItEnded, isRemoved, whatStayed } from '../what-stayed.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

const LAYOUT = { indent: 2, labelWidth: 2, limit: 300 };
const MOST_SHOWN = 20;

/** What a run wrote and whether anything stayed; no lines for a run that wrote nothing and left nothing. */
export function renderWriting(writing: WritingReport | undefined, context: RenderContext): string[] {
  if (writing === undefined) return [];
  const { tag, census, uncounted = [] } = writing;
  // A creation that was not answered truly is known by its removal alone.
  const created = Math.max(writing.created, writing.removed);
  const stayed = !isRemoved(writing);
  if (created === 0 && !stayed && census.length + uncounted.length === 0) return [];
  const lines = [
    ...whatStayed(writing),
    ...census.map(renderDifference),
    ...uncounted.map(
      ({ collection, when, reason }) =>
        `${collection} could not be counted one by one ${when} the run: ${reason}`,
    ),
  ];
  const heading = `${plural(created, 'record')} written with the tag ${tag}, ${howItEnded(writing)}`;
  return [
    renderHeading(visibleLine(heading), stayed ? 'fail' : 'heading', context),
    ...lines.slice(0, MOST_SHOWN).flatMap((line) => renderField('-', visibleLine(line), LAYOUT, context)),
  ];
}

function renderDifference({
  collection,
  appeared,
  disappeared,
  unanswered,
}: WritingReport['census'][number]): string {
  const ids = [...appeared.map((id) => `+${id}`), ...disappeared.map((id) => `-${id}`)].join(' ');
  const hands =
    unanswered === undefined
      ? 'by other hands'
      : `by other hands, or by ${plural(unanswered, 'creation')} of this run whose answer named no record`;
  return `${collection}: ${appeared.length} appeared and ${disappeared.length} disappeared meanwhile, ${hands} (${ids})`;
}
