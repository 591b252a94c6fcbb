/** Cuts text after `limit` characters and says how long it was: `abc… (1200 characters)`. Never cuts a pair in two. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… (${text.length} characters)`;
}
