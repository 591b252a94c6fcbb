import { html as template } from 'htm/preact';
import type { VNode } from 'preact';
import type { Verdict } from '../../engine/result.ts';
import { shorten } from '../../engine/text.ts';

/** A piece of a page. */
export type Markup = VNode;

/** What a template takes: text, which is escaped, and pieces of a page. */
export type Part = string | number | Markup | null | undefined | false | readonly Part[];

/** A template of one element. Text that is put in stays text, in an attribute as well. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return template(texts, ...parts);
}

const LONGEST = 700;

/** Text of a target, bounded. What is hidden in it is spelled out where the whole page is. */
export function cut(text: string, limit: number = LONGEST): string {
  return shorten(text, limit);
}

/** A state that has a colour and a sign of its own: a verdict, or what stands for one on pages of several runs. */
export type State = Verdict | 'waived' | 'unstable';

/** Signs, so that colours are never all that tells states apart. */
export const SIGNS: Readonly<Record<State, string>> = {
  pass: '✓',
  fail: '✕',
  error: '‼',
  warn: '!',
  inconclusive: '?',
  unstable: '~',
  skip: '–',
  waived: '≈',
};

/** States in words. */
export const WORDS: Readonly<Record<State, string>> = {
  pass: 'passed',
  fail: 'failed',
  error: 'stopped at a fault of the suite',
  warn: 'warning',
  inconclusive: 'inconclusive',
  unstable: 'unstable',
  skip: 'skipped',
  waived: 'waived',
};

/** A sign in the colour of its state, with the word for those who do not see it. */
export function sign(state: State): Markup {
  return html`<span class=${`sign ${state}`}><span aria-hidden="true">${SIGNS[state]}</span><span class="unseen">${WORDS[state]}: </span></span>`;
}

/** A section of a page with a heading that can be linked to. */
export function section(id: string, title: string, ...content: readonly Part[]): Markup {
  return html`<section id=${id} aria-labelledby=${`${id}-title`}>
    <h2 id=${`${id}-title`}>${title}</h2>
    ${content}
  </section>`;
}

/** What is folded away until somebody asks for it. */
export function folded(summary: Part, ...content: readonly Part[]): Markup {
  return html`<details><summary>${summary}</summary>${content}</details>`;
}

/** Names beside values; rows without a value are left out. */
export function facts(rows: readonly (readonly [name: string, value: Part])[]): Markup {
  return html`<dl class="facts">
    ${rows
      .filter(([, value]) => value !== undefined && value !== '' && value !== false)
      .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** Text of a target which stands apart from ours. */
export function quoted(text: string | undefined, limit?: number): Markup | undefined {
  return text === undefined || text === ''
    ? undefined
    : html`<code class="quoted">${cut(text, limit)}</code>`;
}

const LONGEST_COMMAND = 3000;

/** A command that can be copied; one that is too long to be whole says so instead of being cut. */
export function command(line: string, label: string, longest: number = LONGEST_COMMAND): Markup {
  if (line.length > longest) {
    return html`<p class="quiet">The command has ${line.length} characters; results.json has it.</p>`;
  }
  return html`<div class="command">
    <pre tabindex="0" role="group" aria-label=${label}><code>${line}</code></pre>
    <button type="button" class="copy" aria-label=${`Copy: ${label}`}>Copy</button>
  </div>`;
}

/** A table in a frame of its own, which scrolls where the window is too narrow for it. */
export function scrolled(label: string, table: Markup): Markup {
  return html`<div class="scrolled" role="group" tabindex="0" aria-label=${label}>${table}</div>`;
}

/** A share as a bar. */
export function bar(part: number, whole: number, label: string): Markup {
  return html`<progress max=${whole} value=${part} aria-label=${label}></progress>`;
}

/** No anchor of the page itself begins with it, so that no check id can take the place of one. */
const OF_CHECKS = '/';
/** Longer ids are not ours. */
const LONGEST_ANCHOR = 300;

/** The name of the place where a check stands on its page: the same on every page of every run. */
export function anchorOf(id: string): string {
  return OF_CHECKS + id.toWellFormed().slice(0, LONGEST_ANCHOR).replaceAll(/\s/g, '_');
}

/** A link to the place of a check on the same page, and, behind the path of `report.html`, from elsewhere. */
export function linkTo(id: string): string {
  return `#${encodeURIComponent(anchorOf(id)).replaceAll('%2F', '/')}`;
}
