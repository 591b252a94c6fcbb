import { describe, expect, it } from 'vitest';
import { downShare, failingCheck, sampleFleet, sampleShare } from '../../compare/fleet.fixture.ts';
import { renderFleetMarkdown } from './markdown.ts';

describe('the Markdown of a fleet', () => {
  it('lists what is not well, and what fails on how many', () => {
    const text = renderFleetMarkdown(
      sampleFleet([
        sampleShare('healthy'),
        sampleShare('ill', [failingCheck('index/name/present', { isNew: true })]),
        downShare('down', 3, 'a <b>bold</b> | reason @all'),
      ]),
    );

    expect(text).toContain('# Fleet: nonconformant');
    expect(text).toContain('| ill | **fails** | 1 |  |  | index/name/present |');
    expect(text).toContain('a &lt;b&gt;bold&lt;/b&gt; \\| reason `@all`');
    expect(text).toContain('| what index/name/present says `index/name/present` | 1 of 3 | 1 | ill |');
    expect(text).not.toContain('healthy');
  });

  it('fits into a comment, however many targets are ill', () => {
    const shares = Array.from({ length: 2000 }, (_, at) => downShare(`site-${at}`, 3, 'x'.repeat(500)));
    const text = renderFleetMarkdown(sampleFleet(shares));

    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/More is in `fleet.json`.\n$/);
  });
});
