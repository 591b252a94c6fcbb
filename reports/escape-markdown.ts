import { visibleLine, visibleText } from './text.ts';

/** Breaks a word for whoever looks for it, and shows nothing. */
const JOINER = '\u2060';

/**
 * Text of a target as Markdown that shows it and does nothing: no markup, no links, no mentions, no references to issues,
 * no formulas.
 */
export function escapeMarkdown(text: string): string {
  return visibleLine(text)
    .replaceAll(/[\\`*_{}[\]()#+!|~<>&$]/g, (sign) =>
      sign === '<' ? '&lt;' : sign === '>' ? '&gt;' : sign === '&' ? '&amp;' : `\\${sign}`,
    )
    .replaceAll(/[@#$]/g, (sign) => `${sign}${JOINER}`)
    .replaceAll(/(www)\./gi, `$1${JOINER}.`)
    .replaceAll('://', `:${JOINER}//`);
}

/** Text of one or several lines as a block of code, in which nothing is markup. */
export function codeBlock(text: string): string {
  const visible = visibleText(text);
  const longest = Math.max(2, ...Array.from(visible.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${visible}\n${fence}`;
}

/** Text on one line as code within a sentence, in which nothing is markup. */
export function codeSpan(text: string): string {
  const visible = visibleLine(text);
  const longest = Math.max(0, ...Array.from(visible.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const gap = visible.startsWith('`') || visible.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${visible}${gap}${fence}`;
}
