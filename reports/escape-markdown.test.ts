import { marked } from 'marked';
import { expect, it } from 'vitest';
import { escapeMarkdown } from './escape-markdown.ts';

const TEXTS: readonly string[] = [
  'https://staging.example/index.php?rest_route=/cms/v2/posts&_fields=id|title',
  'see (https://staging.example/a_b_c), then www.example.org.',
  'asked @everyone, admin@example.org and "@all": #12, GH#3 and $x^2$',
  '`@a``b`|#1 and *bold* <b>x</b> [a](https://b.example/)',
  '://',
];

it.each(TEXTS)('shows and copies the text itself, without effect: %s', (text) => {
  const escaped = escapeMarkdown(text);
  const cell = String(marked.parse(`| a |\n| --- |\n| ${escaped} |\n`, { gfm: true }));
  const [, shown = ''] = /<td>(.*)<\/td>/s.exec(cell) ?? [];
  const line = String(marked.parse(escaped, { gfm: true }));

  for (const html of [shown, line]) {
    expect(html.replaceAll(/<code>.*?<\/code>/g, '')).not.toMatch(/@|#\d|:\/\/|www\.|\$/);
    expect(html.match(/<(?!\/?(?:code|p)>)[^>]*>/g)).toBeNull();
    expect(textOf(html)).toBe(text);
  }
});

function textOf(html: string): string {
  const plain = html.replaceAll(/<[^>]*>/g, '').trim();
  const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
  return plain.replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => signs[name] ?? '');
}
