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

it('draws no conclusion from an index that names no route', async () => {
  const { index, url } = await indexOf('core');
  const side = (of: typeof index): Side => ({ path: '', url, taken: '', index: of, run: undefined });
  const [whole, none] = [side(index), side(withChange(index, ['routes'], () => ({})))];

  expect(compareSides(whole, none).inconclusive).toEqual([expect.stringContaining('after names no route')]);
  expect(compareSides(none, whole).inconclusive).toEqual([expect.stringContaining('before names no route')]);
  expect(compareSides(none, none).inconclusive).toBeUndefined();
});
