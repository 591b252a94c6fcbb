import { html, type Markup, type Part } from './markup.ts';
import { found } from './search.ts';

/** What all pages share: the head with its conclusion, the ways through the page, and the foot. */
export interface Frame {
  /** The conclusion, in a word or a sentence. */
  readonly heading: Part;
  /** The state whose colour the head has. */
  readonly state: 'pass' | 'fail' | 'inconclusive' | 'plain';
  readonly head: readonly Part[];
  /** Sections that can be jumped to: the anchor, the words, and how much is there. */
  readonly ways: readonly (readonly [anchor: string, words: string, amount?: string])[];
  readonly search?: Markup;
  readonly content: readonly Part[];
  readonly foot: Part;
}

/** The body of a page. */
export function frame({ heading, state, head, ways, search, content, foot }: Frame): Markup {
  return html`<div class="page">
    <a class="skip-link" href="#content">Skip to the content</a>
    <header class=${`head ${state}`}>
      <button type="button" id="theme" hidden>Dark</button>
      <h1>${heading}</h1>
      ${head}
    </header>
    <nav aria-label="Sections">
      <ul>${ways.map(([anchor, words, amount]) => html`<li><a href=${`#${anchor}`}>${words}${amount === undefined ? '' : html` <b>${amount}</b>`}</a></li>`)}</ul>
    </nav>
    ${search} ${search === undefined ? undefined : found()}
    <main id="content" tabindex="-1">${content}</main>
    <footer>
      <p>${foot}</p>
      <p class="keys" hidden>Keys: <kbd>/</kbd> search, <kbd>Esc</kbd> clear, <kbd>j</kbd> and <kbd>k</kbd> next and previous, <kbd>Enter</kbd> open.</p>
    </footer>
  </div>`;
}
