import type { WritingReport } from '../suites/result.ts';
import { plural } from './plural.ts';
import type { RenderContext } from './render-context.ts';
import { renderField } from './render-field.ts';
import { renderHeading } from './render-heading.ts';
import { visibleLine } from './visible-text.ts';

const LAYOUT = { indent: 2, labelWidth: 2, limit: 300 };
const MOST_SHOWN = 20;

/** What a run wrote and whether anything stayed; no lines for a run that wrote nothing and left nothing. */
export function renderWriting(writing: WritingReport | undefined, context: RenderContext): string[] {
  if (writing === undefined) return [];
  const { tag, created, left, doubts, census } = writing;
  const stayed = left.length + doubts.length > 0;
  if (created === 0 && !stayed && census.length === 0) return [];
  const lines = [
    ...left.map(({ collection, id, why }) => `${collection} ${id} is still there: ${why}`),
    ...doubts.map((doubt) => `it is not known whether anything is left: ${doubt}`),
    ...census.map(
      ({ collection, appeared, disappeared }) =>
        `${collection}: ${appeared.length} appeared and ${disappeared.length} disappeared meanwhile, by other hands` +
        ` (${[...appeared.map((id) => `+${id}`), ...disappeared.map((id) => `-${id}`)].join(' ')})`,
    ),
  ];
  const heading = `${plural(created, 'record')} written with the tag ${tag}, ${stayed ? 'NOT ALL REMOVED' : 'all removed'}`;
  return [
    renderHeading(visibleLine(heading), stayed ? 'fail' : 'heading', context),
    ...lines.slice(0, MOST_SHOWN).flatMap((line) => renderField('-', visibleLine(line), LAYOUT, context)),
  ];
}
