import type { RunResult } from '../../engine/result.ts';
import { digestNotices } from '../notices.ts';
import { plural } from '../text.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

const LAYOUT = { indent: 2, labelWidth: 2, limit: 200 };

/** The number of notices and a digest of them, at most some eighty lines; no lines without any. */
export function renderNotices(
  result: Pick<RunResult, 'notices' | 'target'>,
  context: RenderContext,
): string[] {
  const { notices } = result;
  if (notices.length === 0) return [];
  const { lines, advice } = digestNotices(result);
  return [
    renderHeading(
      `${plural(notices.length, 'notice')}, which change nothing in the conclusion`,
      'heading',
      context,
    ),
    ...lines.flatMap((line) => renderField('-', line, LAYOUT, context)),
    ...advice.map((line) => `  ${line}`),
  ];
}
