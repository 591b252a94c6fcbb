import { BYTE_ORDER_MARK } from '../answer.ts';
import { isJson } from '../json.ts';

/** How many characters of a text are looked at. */
const LOOK = 2000;
const OF_PHP = /(?:<b>|PHP )?(?:Deprecated|Notice|Warning|(?:Parse|Fatal) error)(?:<\/b>)?:\s/;

/** What is printed around or in place of the JSON of an answer, with the cause if the text shows it. */
export function whatIsAround(text: string): string {
  if (text === '') return 'nothing at all';
  if (text.startsWith(BYTE_ORDER_MARK)) return 'a byte-order mark before the JSON';
  const start = text.trimStart().slice(0, LOOK);
  const what = causeOf(start);
  if (/^[[{]/.test(start)) {
    const end = endOf(text);
    const after = text.slice(end).trim().slice(0, LOOK);
    const isFollowed = after !== '' && isJson(text.slice(0, end));
    return isFollowed ? `${causeOf(after) ?? 'text'} after the JSON` : 'JSON that breaks off';
  }
  const json = text.search(/[[{]"|\[\{|\[\]\s*$|\{\}\s*$/);
  if (json > 0 && isJson(text.slice(json))) return `${what ?? 'text'} before the JSON`;
  if (/^(?:<!doctype|<html|<\?xml)/i.test(start)) return 'a page in place of JSON';
  return `${what ?? 'text'} in place of JSON`;
}

function causeOf(text: string): string | undefined {
  if (OF_PHP.test(text)) return 'notices of PHP';
  if (text.startsWith('<!--')) return 'a comment';
  return text.startsWith('<') ? 'markup' : undefined;
}

function endOf(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
