import type { Notice } from '../../engine/result.ts';
import { plural, visibleLine } from '../text.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

const MOST_SHOWN = 5;
const LAYOUT = { indent: 2, labelWidth: 2, limit: 200 };

/** The number of notices and the first few of them; no lines without any. */
export function renderNotices(notices: readonly Notice[], context: RenderContext): string[] {
  if (notices.length === 0) return [];
  const left = notices.length - MOST_SHOWN;
  return [
    renderHeading(
      `${plural(notices.length, 'notice')}, which change nothing in the conclusion`,
      'heading',
      context,
    ),
    ...notices
      .slice(0, MOST_SHOWN)
      .flatMap(({ id, message }) => renderField('-', visibleLine(`${id}: ${message}`), LAYOUT, context)),
    ...(left > 0 ? [`  … and ${left} more, see results.json`] : []),
  ];
}
