import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('html', () => {
  it('escapes what is put in, in texts and in attributes', () => {
    const evil = `<script>"&'`;

    expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
      '<p title="&#60;script&#62;&#34;&#38;&#39;">&#60;script&#62;&#34;&#38;&#39;</p>',
    );
  });

  it('leaves markup alone, one piece or several', () => {
    const items = ['a', '<b>'].map((one) => html`<li>${one}</li>`);

    expect(html`<ul>${items}</ul>${html`<hr>`}${3}`.text).toBe(
      '<ul><li>a</li><li>&#60;b&#62;</li></ul><hr>3',
    );
  });
});
