import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html as template } from 'htm/preact';
import { renderToString } from 'preact-render-to-string';
import { visibleText } from '../text.ts';
import { html, type Markup } from './markup.ts';

/** A page that needs nothing but itself. */
export interface PageParts {
  /** Of the window and of a bookmark. */
  readonly title: string;
  readonly body: Markup;
}

const LONGEST_TITLE = 200;

/**
 * The text of a page: style and script are in it, and its policy lets nothing else run and nothing be fetched. Everything
 * hidden that a target put in is spelled out.
 */
export function renderPage({ title, body }: PageParts): string {
  const style = readPart('page.css');
  const script = readPart('page.js');
  const policy = [
    "default-src 'none'",
    `style-src ${digestOf(style)}`,
    `script-src ${digestOf(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content=${policy} />
      <meta name="referrer" content="no-referrer" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title.slice(0, LONGEST_TITLE)}</title>
      ${raw('style', style)}
    </head>
    <body>
      ${body} ${raw('script', script)}
    </body>
  </html>`;
  return `<!doctype html>\n${visibleText(renderToString(page))}\n`;
}

/** Files of ours, which stand in the page as they are. */
function readPart(name: string): string {
  return readFileSync(join(import.meta.dirname, 'browser', name), 'utf8');
}

function raw(element: 'style' | 'script', text: string): Markup {
  return template`<${element} dangerouslySetInnerHTML=${{ __html: text }} />`;
}

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
