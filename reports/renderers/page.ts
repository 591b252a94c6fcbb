import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html as template } from 'htm/preact';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type Maybe, plural, shorten, visibleText } from '../../engine/text.ts';
import { anchorOf, linkTo } from '../about-check.ts';
import type { Block, BlockOf, Item, Span, State, Text, Tone, View } from '../views/blocks.ts';
import { divide, forRoom, notesOf, plainOf, STATES, spansOf, tableFor, toneOf } from '../views/blocks.ts';

/** The limit for text of a target. Hidden characters are spelled out for the whole page elsewhere. */
const LONGEST = 700;
const LONGEST_NAME = 200;
const LONGEST_STRIP = 60;

/** The values in a template: text, which is escaped, and parts of a page. */
type Part = string | number | VNode | null | undefined | false | readonly Part[];

/** A template of one element. Inserted text stays text, also in attributes. */
function html(texts: TemplateStringsArray, ...parts: readonly Part[]): VNode {
  return template(texts, ...parts);
}

/**
 * A view as a self-contained page. Style and script are inside it, and its policy allows no other script and no
 * request. Hidden characters of a target are spelled out.
 */
export function renderPage(view: View): string {
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
      <title>${(view.title ?? view.heading).slice(0, LONGEST_NAME)}</title>
      ${raw('style', style)}
    </head>
    <body>
      ${bodyOf(view)} ${raw('script', script)}
    </body>
  </html>`;
  return `<!doctype html>\n${visibleText(renderToString(page))}\n`;
}

function readPart(name: string): string {
  return readFileSync(join(import.meta.dirname, '../page/browser', name), 'utf8');
}

function raw(element: 'style' | 'script', text: string): VNode {
  return template`<${element} dangerouslySetInnerHTML=${{ __html: text }} />`;
}

function digestOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

function bodyOf({ heading, reason, tone, lead, summary, blocks, source, foot, ...view }: View): VNode {
  const head = reason === undefined ? [lead, summary] : [summary, lead];
  const ways = forRoom([blocks], 'page').flatMap((block) => {
    if (block.kind !== 'section' || block.id === undefined || block.way === undefined) return [];
    const [words, amount] = block.way;
    return [
      html`<li><a href=${`#${block.id}`}>${shorten(words, 60)}${amount === undefined ? '' : html` <b>${amount}</b>`}</a></li>`,
    ];
  });
  return html`<div class="page">
    <a class="skip-link" href="#content">Skip to the content</a>
    <header class=${`head ${tone}`}>
      <button type="button" id="theme" hidden>Dark</button>
      <h1>${shorten(heading, LONGEST)}</h1>
      ${reason === undefined ? undefined : html`<p class="reason">${inline(reason)}</p>`}${parts(head, { source, level: 2 })}
    </header>
    <nav aria-label="Sections">
      <ul>${ways}</ul>
    </nav>
    ${view.search && search(view.search)} ${view.search && found()}
    <main id="content" tabindex="-1">${parts([blocks], { source, level: 2 })}</main>
    <footer>
      <p><span>${shorten(foot, LONGEST)}</span></p>
      <p class="keys" hidden>Keys: <kbd>/</kbd> search, <kbd>Esc</kbd> clear, <kbd>j</kbd> and <kbd>k</kbd> next and previous, <kbd>Enter</kbd> open.</p>
    </footer>
  </div>`;
}

function found(): VNode {
  return html`<section id="found" aria-label="What was found" hidden>
    <ol class="rows"></ol>
    <button type="button" id="more">Show more</button>
  </section>`;
}

/** The file with everything, and the level of headings. */
interface Place {
  readonly source: string | undefined;
  readonly level: number;
}

function parts(blocks: readonly Maybe<Block>[], at: Place): Part[] {
  return forRoom(blocks, 'page').map((block) => part(block, at));
}

function part(block: Block, at: Place): Part {
  switch (block.kind) {
    case 'section':
      return sectionPart(block, at);
    case 'list':
      return listPart(block, at);
    case 'table':
      return tablePart(block, at);
    case 'facts':
      return facts(block.rows.map(([name, value]) => [name, value && inline(value)]));
    case 'text': {
      const look = block.tone === 'warn' ? 'partial' : 'reason';
      return html`<p class=${block.quiet ? 'quiet' : look}>${inline(block.text)}</p>`;
    }
    case 'code':
      return command(block.text, block.label ?? 'the command', block.ours && Number.POSITIVE_INFINITY);
    case 'details':
      return block.area === undefined
        ? folded(inline(block.summary), parts(block.blocks, at))
        : group(block.area, inline(block.summary), parts(block.blocks, at));
  }
}

function sectionPart({ id, title, blocks }: BlockOf<'section'>, at: Place): Part {
  const content = parts(blocks, { ...at, level: at.level + 1 });
  if (at.level === 2 && id !== undefined) {
    return html`<section id=${id} aria-labelledby=${`${id}-title`}>
      <h2 id=${`${id}-title`}>${shorten(plainOf(title), LONGEST_NAME)}</h2>
      ${content}
    </section>`;
  }
  const heading =
    id === undefined ? html`<h3>${inline(title)}</h3>` : html`<h3 id=${id}>${inline(title)}</h3>`;
  return [heading, content];
}

function listPart(list: BlockOf<'list'>, at: Place): Part {
  const { items, most, open, rest, searched, noun = 'entry' } = list;
  const { shown, folded: more, left } = divide(forRoom(items, 'page'), 'page', { most, open });
  const areas = searched ? [...Map.groupBy(shown, ({ group = '' }) => group)] : [['', shown] as const];
  return [
    areas.map(([area, own]) =>
      area === ''
        ? entries(own, list, at)
        : group(
            area,
            [html`<b>${shorten(area, 120)}</b>`, html` <span class="quiet">${own.length}</span>`],
            entries(own, list, at),
          ),
    ),
    more.length === 0
      ? undefined
      : folded(
          plural(more.length, `more ${noun}`),
          html`<ul>${more.map(({ text }) => html`<li>${inline(text)}</li>`)}</ul>`,
        ),
    leftPart(left, rest, at),
  ];
}

function group(area: string, summary: Part, content: Part): VNode {
  return html`<details class="group" data-area=${area.slice(0, 120)}><summary>${summary}</summary>${content}</details>`;
}

function entries(items: readonly Item[], { as, searched, of }: BlockOf<'list'>, at: Place): Part {
  if (items.length === 0) return undefined;
  if (as === 'cards') return items.map((item) => card(item, at));
  if (as === 'folded') {
    return items.map(({ text, notes, blocks = [] }) =>
      folded(
        [inline(text), notesOf(notes).map((note) => html` <em>${inline(note)}</em>`)],
        parts(blocks, { ...at, level: 4 }),
      ),
    );
  }
  if (searched) return html`<ul class="rows" data-kind=${of}>${items.map(row)}</ul>`;
  const own = items.map((item) => entry(item, at));
  return as === 'numbered' ? html`<ol class="steps">${own}</ol>` : html`<ul class="named">${own}</ul>`;
}

function entry({ name, text, notes, tone, strip = [], blocks = [] }: Item, at: Place): VNode {
  return html`<li>
    ${tone === undefined ? undefined : signOf(tone)}${name === undefined ? undefined : [inline(name), ' ']}${inline(text)}${notesOf(notes).map((note) => html` <em>${inline(note)}</em>`)}${strip.length === 0 ? undefined : [' ', stripPart(strip)]}
    ${parts(blocks, { ...at, level: 4 })}
  </li>`;
}

/** Plain, because there may be thousands of rows. The style adds signs and words for states. */
function row({ text, notes, tone, id, elsewhere, strip = [] }: Item): VNode {
  const words = typeof text === 'string' ? html`<b>${inline(text)}</b>` : inline(text);
  const content = [
    elsewhere === undefined ? words : html`<a href=${linkTo(elsewhere)}>${words}</a>`,
    notesOf(notes).map((note) => html` <em>${inline(note)}</em>`),
    strip.length === 0 ? undefined : [' ', stripPart(strip)],
  ];
  const state = tone === 'pass' ? undefined : (tone ?? 'pass');
  return html`<li class=${state} id=${id && anchorOf(id)} data-id=${elsewhere && anchorOf(elsewhere)}>${content}</li>`;
}

/** A sign in the colour of its state, with the word for screen readers. */
function signOf(tone: Tone): Part {
  return (
    isState(tone) &&
    html`<span class=${`sign ${tone}`}><span aria-hidden="true">${STATES[tone].sign}</span><span class="unseen">${STATES[tone].word}: </span></span>`
  );
}

function card(item: Item, at: Place): VNode {
  const { name, text, notes, tone, id, elsewhere = id, group, blocks = [] } = item;
  const heading = [tone === undefined ? undefined : signOf(tone), inline(text)];
  return html`<article id=${id && anchorOf(id)} class=${`card ${tone ?? ''}`}>
    <h3>${elsewhere === undefined ? heading : html`<a href=${linkTo(elsewhere)}>${heading}</a>`}</h3>
    ${name === undefined ? undefined : html`<p class="id">${inline(name)}</p>`}
    ${group === undefined ? undefined : facts([['Namespace', shorten(group, LONGEST_NAME)]])}
    ${parts(blocks, { ...at, level: 4 })}
    ${notesOf(notes).map((note) => html`<p>${inline(note)}</p>`)}
  </article>`;
}

function stripPart(strip: NonNullable<Item['strip']>): Part {
  const last = strip.slice(-LONGEST_STRIP);
  const words = [...new Set(last.map(([, state]) => state ?? 'not asked'))].join(', ');
  return html`<span class="strip" role="img" aria-label=${`run by run: ${words}`}>${last.map(([, state]) =>
    state === undefined ? html`<i>·</i>` : html`<i class=${state}>${STATES[state].sign}</i>`,
  )}</span>`;
}

function leftPart(left: number, rest: string | undefined, { source }: Place): Part {
  if (left <= 0) return undefined;
  return html`<p class="quiet">and ${left} ${rest ?? 'more'}${source === undefined ? '' : ` in ${source}`}</p>`;
}

function tablePart(block: BlockOf<'table'>, at: Place): Part {
  const table = tableFor(block, 'page');
  const shown = block.searched ? rowsPart(table) : framedTable(block, table);
  return [shown, leftPart(table.left, block.rest, at)];
}

type ShownTable = ReturnType<typeof tableFor>;

/** Rows as lines, which a search of the page shows or hides. */
function rowsPart({ columns, rows }: ShownTable): VNode {
  const [, ...titles] = columns.map(({ title }) => title);
  return html`<ul class="rows">${rows.map(({ cells: [name, ...cells], note, tone }) => {
    const known = titles
      .map((title, at) => [title, cells[at] ?? ''] as const)
      .filter(([, cell]) => plainOf(cell) !== '');
    return html`<li class=${tone ?? 'pass'}><b>${inline(name ?? '')}</b> ${known.map(([title, cell], at) => html`<span>${at === 0 ? '' : ', '}${title} ${inline(cell)}</span>`)} <em>${inline(note ?? '')}</em></li>`;
  })}</ul>`;
}

function framedTable(
  { label, map, prose }: BlockOf<'table'>,
  { columns, rows, hasNotes }: ShownTable,
): VNode {
  const table = html`<table class=${map ? 'map' : prose ? 'prose' : 'nights'}>
    <thead><tr>${columns.map(({ title, hint }) => html`<th scope="col" title=${hint}>${shorten(title, 60)}</th>`)}${hasNotes ? html`<th scope="col">why</th>` : undefined}</tr></thead>
    <tbody>${rows.map(
      ({ cells, note }) => html`<tr>
        ${cells.map((cell, at) =>
          at === 0
            ? html`<th scope="row">${inline(cell)}</th>`
            : html`<td class=${map && cell !== '' ? (toneOf(cell) ?? 'quiet') : undefined}>${inline(cell, map)}</td>`,
        )}
        ${hasNotes ? html`<td>${inline(note ?? '')}</td>` : undefined}
      </tr>`,
    )}</tbody>
  </table>`;
  // Scrolls in a frame of its own if the window is too narrow.
  return html`<div class="scrolled" role="group" tabindex="0" aria-label=${shorten(label, 300)}>${table}</div>`;
}

function inline(text: Text, isPlain: boolean = false): Part {
  return spansOf(text).map((one) => span(one, isPlain));
}

const STYLES: Readonly<Record<NonNullable<Span['as']>, (short: string, tone?: Tone) => Part>> = {
  badge: (short, tone) => html`<span class=${tone === undefined ? 'badge' : 'badge new'}>${short}</span>`,
  // Distinguishes text of a target from our own.
  quoted: (short) => short !== '' && html`<code class="quoted">${short}</code>`,
  code: (short) => html`<code>${short}</code>`,
  strong: (short) => html`<b>${short}</b>`,
  quiet: (short) => html`<span class="quiet">${short}</span>`,
};

/** @param isPlain whether the surrounding element already has the colour */
function span({ text, as, tone, to, title, more, share }: Span, isPlain: boolean): Part {
  const short = shorten(text, LONGEST);
  if (share !== undefined) {
    const [part, whole] = share;
    return [html`<progress max=${whole} value=${part} aria-label=${short}></progress>`, ' ', short];
  }
  if (more !== undefined)
    return folded(
      short,
      more.map((one) => html`<code>${shorten(one, LONGEST)}</code><br />`),
    );
  const signed = tone !== undefined && isState(tone) ? `${STATES[tone].sign} ${short}` : short;
  if (to !== undefined) {
    const words = as === 'code' ? STYLES.code(short) : short;
    return html`<a href=${to}>${isPlain ? signed.replace(' ', '') : words}</a>`;
  }
  if (as !== undefined) return STYLES[as](short, tone);
  if (isPlain && tone !== undefined) return html`<span>${signed}</span>`;
  if (tone === undefined) return short;
  return html`<span class=${`key ${tone}`} title=${title === undefined ? undefined : shorten(title, 600)}>${signed}</span>`;
}

function isState(tone: Tone): tone is State {
  return Object.hasOwn(STATES, tone);
}

function folded(summary: Part, ...content: readonly Part[]): VNode {
  return html`<details><summary>${summary}</summary>${content}</details>`;
}

/** Names and values. Rows without a value are left out. */
function facts(rows: readonly (readonly [name: string, value: Part])[]): VNode {
  return html`<dl class="facts">
    ${rows
      .filter(([, value]) => value !== undefined && value !== '' && value !== false)
      .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

const LONGEST_COMMAND = 3000;

/** A command to copy. If it is too long, it says so instead of being cut. */
function command(line: string, label: string, longest: number = LONGEST_COMMAND): VNode {
  if (line.length > longest) {
    return html`<p class="quiet">The command has ${line.length} characters; results.json has it.</p>`;
  }
  return html`<div class="command">
    <pre tabindex="0" role="group" aria-label=${label}><code>${line}</code></pre>
    <button type="button" class="copy" aria-label=${`Copy: ${label}`}>Copy</button>
  </div>`;
}

/** The search over rows of lists. Without a script there is none, and everything is visible. */
function search({ noun, choices, hint = 'words of an id or a title' }: NonNullable<View['search']>): VNode {
  return html`<form id="search" role="search" aria-label=${`Search ${noun}`} hidden>
      <label class="wide"><span>Search ${noun}</span>
        <input id="query" type="search" name="q" autocomplete="off" spellcheck="false" placeholder=${hint} />
      </label>
      ${choices.map(
        ({ name, label, values }) => html`<label><span>${label}</span>
          <select name=${name}><option value="">all</option>${values.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select>
        </label>`,
      )}
      <button type="reset">Clear</button>
      <p id="hits" role="status"></p>
    </form>`;
}
