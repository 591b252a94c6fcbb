import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html as template } from 'htm/preact';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { visibleText } from '../../engine/text.ts';

/** The values in a template: text, which is escaped, and parts of a page. */
export type Part = string | number | VNode | null | undefined | false | readonly Part[];

/** A template of one element. Inserted text stays text, also in attributes. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): VNode {
  return template(texts, ...parts);
}

const LONGEST_TITLE = 200;

/**
 * The text of a page. Style and script are inside it, and its policy allows no other script and no request. Hidden
 * characters of a target are spelled out.
 */
export function htmlDocument({ title, body }: { readonly title: string; readonly body: VNode }): string {
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

/** Our own files, which are inserted unchanged. */
function readPart(name: string): string {
  return readFileSync(join(import.meta.dirname, 'browser', name), 'utf8');
}

function raw(element: 'style' | 'script', text: string): VNode {
  return template`<${element} dangerouslySetInnerHTML=${{ __html: text }} />`;
}

function digestOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** The common parts of all pages: the head with the conclusion, the navigation, and the foot. */
interface Frame {
  /** The conclusion in a word or a sentence. */
  readonly heading: Part;
  /** The state that gives the head its colour. */
  readonly state: 'pass' | 'fail' | 'inconclusive' | 'plain';
  readonly head: readonly Part[];
  /** Sections in the navigation, with their size. */
  readonly ways: readonly { anchor: string; words: string; amount: string | undefined }[];
  readonly search: VNode | undefined;
  readonly content: readonly Part[];
  readonly foot: Part;
}

/** The body of a page. */
export function frame({ heading, state, head, ways, search, content, foot }: Frame): VNode {
  return html`<div class="page">
    <a class="skip-link" href="#content">Skip to the content</a>
    <header class=${`head ${state}`}>
      <button type="button" id="theme" hidden>Dark</button>
      <h1>${heading}</h1>
      ${head}
    </header>
    <nav aria-label="Sections">
      <ul>${ways.map(({ anchor, words, amount }) => html`<li><a href=${`#${anchor}`}>${words}${amount === undefined ? '' : html` <b>${amount}</b>`}</a></li>`)}</ul>
    </nav>
    ${search} ${search && found()}
    <main id="content" tabindex="-1">${content}</main>
    <footer>
      <p>${foot}</p>
      <p class="keys" hidden>Keys: <kbd>/</kbd> search, <kbd>Esc</kbd> clear, <kbd>j</kbd> and <kbd>k</kbd> next and previous, <kbd>Enter</kbd> open.</p>
    </footer>
  </div>`;
}

/** Where the script shows search results. */
function found(): VNode {
  return html`<section id="found" aria-label="What was found" hidden>
    <ol class="rows"></ol>
    <button type="button" id="more">Show more</button>
  </section>`;
}
