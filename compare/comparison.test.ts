import { expect, it } from 'vitest';
import { sampleResult } from '../engine/result.fixture.ts';
import { compareSides } from './comparison.ts';
import type { Side } from './side.ts';
import { indexOf, withChange } from './site.fixture.ts';

it('compares the links of the index only where the same caller asked', async () => {
  const { index, url } = await indexOf('core');
  const linked = withChange(index, ['_links'], () => ({ curies: [{ name: 'wp', href: '{rel}' }] }));
  const { target } = sampleResult([]);
  const run = sampleResult([], { target: { ...target, as: 'user' } });
  const side = (of: typeof index, by?: typeof run): Side => ({
    path: '',
    url,
    taken: '',
    index: of,
    run: by,
  });
  const subjects = (before: Side, after: Side): string[] =>
    compareSides(before, after).changes.map(({ kind, subject }) => `${kind} ${subject}`);

  expect(subjects(side(linked), side(index))).toEqual([
    'member-removed _links/curies',
    'member-added _links/help',
  ]);
  expect(subjects(side(linked, run), side(index))).toEqual([]);
  expect(compareSides(side(linked, run), side(index)).notes).toContainEqual(
    expect.stringContaining('depend on who asks'),
  );
});
