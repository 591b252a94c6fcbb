import type { Style } from './create-paint.ts';
import type { RenderContext } from './render-context.ts';
import { shorten, visibleText, wrapText } from './text.ts';

/** A value of many short lines must not fill the screen either. */
const MOST_LINES = 12;

/**
 * Where the lines of a field stand: blanks before its label, columns for the label, and the most characters of
 * its text; and in which style the label (faint by default) and the text (plain by default) are.
 */
export interface FieldLayout {
  indent: number;
  labelWidth: number;
  limit: number;
  labelStyle?: Style;
  textStyle?: Style;
}

/** A label and its text, made harmless, shortened, and wrapped so that every further line hangs under the text. */
export function renderField(
  label: string,
  text: string,
  layout: FieldLayout,
  context: RenderContext,
): string[] {
  const column = layout.indent + layout.labelWidth;
  const wrapped = wrapText(
    visibleText(shorten(text, layout.limit)).replaceAll('\t', '    '),
    context.width - column,
  );
  const lines =
    wrapped.length > MOST_LINES ? [...wrapped.slice(0, MOST_LINES), `… (${wrapped.length} lines)`] : wrapped;
  const { textStyle } = layout;
  const head =
    ' '.repeat(layout.indent) + context.paint(layout.labelStyle ?? 'faint', label.padEnd(layout.labelWidth));
  return lines.map((line, index) => {
    const text = textStyle === undefined ? line : context.paint(textStyle, line);
    return (index === 0 ? head : ' '.repeat(column)) + text;
  });
}
