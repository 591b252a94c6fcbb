import { visibleLine, visibleText } from '../engine/text.ts';

/** Text that viewers turn into a link, a mention or a formula, without punctuation at its end. */
const ACTIVE = /[\w.+-]{0,64}(?:[@#$]|:\/\/|www\.)[^\s`|<]*?(?=[)"'.,;:]*(?:[\s`|<]|$))/gi;

/**
 * Escapes text of a target for Markdown, so that nothing in it is active: markup, links, mentions, references to
 * issues, formulas. Such parts become code, so that they can still be copied.
 */
export function escapeMarkdown(text: string): string {
  const line = visibleLine(text);
  let shown = '';
  let end = 0;
  for (const { 0: found, index } of line.matchAll(ACTIVE)) {
    shown += `${plain(line.slice(end, index))}\`${found}\``;
    end = index + found.length;
  }
  return shown + plain(line.slice(end));
}

function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+!|~<>&$]/g, (sign) =>
    sign === '<' ? '&lt;' : sign === '>' ? '&gt;' : sign === '&' ? '&amp;' : `\\${sign}`,
  );
}

/** Text as a block of code, in which nothing is markup. */
export function codeBlock(text: string): string {
  const visible = visibleText(text);
  const fence = fenceOf('`', visible, 3);
  return `${fence}\n${visible}\n${fence}`;
}

/** Text on one line as inline code, in which nothing is markup. */
export function codeSpan(text: string): string {
  const visible = visibleLine(text);
  const fence = fenceOf('`', visible, 1);
  const gap = visible.startsWith('`') || visible.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${visible}${gap}${fence}`;
}

/** A fence that is longer than anything like it in a text. */
export function fenceOf(sign: '`' | '-', text: string, least: number): string {
  const runs = text.match(sign === '-' ? /-+/g : /`+/g) ?? [];
  return sign.repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), least));
}

/** Lines as indented text, which is code, so that text of a target is never markup. */
export function literalBlock(lines: readonly string[]): string {
  return lines
    .flatMap((line) => visibleText(line).split('\n'))
    .map((line) => `    ${line}`)
    .join('\n');
}
