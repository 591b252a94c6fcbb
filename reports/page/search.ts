import { html, type Markup } from './markup.ts';

/** A list to choose from: the name of what it narrows, and each value with the text that is shown. */
export interface Choice {
  readonly name: 'state' | 'kind' | 'area';
  readonly label: string;
  readonly values: readonly (readonly [value: string, text: string])[];
}

/** The search of a page over the rows of its lists. Without script there is none, and nothing is hidden. */
export function search(
  noun: string,
  choices: readonly Choice[],
  hint: string = 'words of an id or a title',
): Markup {
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

/** Where the script puts what was found. */
export function found(): Markup {
  return html`<section id="found" aria-label="What was found" hidden>
    <ol class="rows"></ol>
    <button type="button" id="more">Show more</button>
  </section>`;
}
