import type { RunResult } from '../../engine/result.ts';
import { shorten, visibleText, wrapText } from '../../engine/text.ts';
import type { ReportFile } from '../files.ts';
import type { Paint, Style } from './paint.ts';

/** What every part of the terminal report needs: how to colour, and how many columns there are. */
export interface RenderContext {
  paint: Paint;
  width: number;
  /** Where operations are, in the words of the target. */
  operations?: RunResult['target']['operations'];
}

/** How to render: whether to colour, the columns of the terminal, and which reports were written. */
export interface TerminalOptions {
  colour: boolean;
  width: number;
  reports: readonly ReportFile[];
  /** Whether the conclusion is all that is shown. */
  brief?: boolean;
  /** The line for a shell that runs one check again, where it is known. */
  repeat?: (id: string) => string;
}

/** The heading of a section: its text within a rule of the whole width, to be found without colours too. */
export function renderHeading(text: string, style: Style, { paint, width }: RenderContext): string {
  const start = `── ${text} `;
  return paint(style, start.padEnd(width, '─'));
}

/** A value of many short lines must not fill the screen either. */
const MOST_LINES = 12;

/**
 * Where the lines of a field stand: blanks before its label, columns for the label, and the most characters of
 * its text; and in which style the label (faint by default) and the text (plain by default) are.
 */
interface FieldLayout {
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
