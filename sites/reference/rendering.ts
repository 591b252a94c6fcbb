/** Text as HTML: what has no block tags of its own becomes a paragraph. */
export function paragraphs(text: string): string {
  if (text === '') return '';
  return /^\s*<(p|div|ul|ol|h\d|figure|blockquote|table|pre)\b/i.test(text)
    ? `${text}\n`
    : `<p>${text}</p>\n`;
}

/** The first `length` words of `content`, tags dropped, for a record without an excerpt of its own. */
export function autoExcerpt(content: string, length: number): string {
  const words = content
    .replaceAll(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length <= length) return words.join(' ');
  return `${words.slice(0, Math.max(length, 0)).join(' ')} [&hellip;]`;
}
