/**
 * What must not reach a terminal or a report as it is: control characters (ESC and the C1 set among them), line
 * and paragraph separators, invisible characters and those that turn the direction of text, lone surrogates, tags,
 * and the two code points that are never characters. Line feed and tab are left to the caller.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

const NAMED: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t' };

/** Text of one or several lines in which everything hidden is spelled out, such as `\x1b` or `\u202e`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

/** The same on one line: line feeds and tabs are spelled out too. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  return NAMED[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`);
}
