import type { Style } from './create-paint.ts';
import type { RenderContext } from './render-context.ts';

/** The heading of a section: its text within a rule of the whole width, to be found without colours too. */
export function renderHeading(text: string, style: Style, { paint, width }: RenderContext): string {
  const start = `── ${text} `;
  return paint(style, start.padEnd(width, '─'));
}
