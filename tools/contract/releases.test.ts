import { expect, it } from 'vitest';
import { foldReleases, type Release, readReleaseFiles } from '../../specs/releases.ts';
import { currentContract, difference, releaseText, unreleased } from './current.ts';

const ROW = {
  level: 'read',
  basis: 'stated',
  asks: '0'.repeat(12),
  requirements: ['one'],
  in: ['core'],
} as const;
const DIGESTS = { 'core neutral': `sha256:${'0'.repeat(64)}` };
const BEFORE: Release = {
  version: '1.0',
  contracts: DIGESTS,
  checks: new Map([
    ['a/stays', ROW],
    ['a/goes', ROW],
    ['a/asks-more', ROW],
  ]),
};
const CURRENT = currentContract();
const NOW = {
  contracts: DIGESTS,
  checks: new Map([
    ['a/stays', ROW],
    ['a/asks-more', { ...ROW, asks: '1'.repeat(12) }],
    ['a/comes', ROW],
  ]),
};

it('reports when the contract has changed without a release', () => {
  const newest = foldReleases(readReleaseFiles()).at(-1);
  expect(newest && unreleased(newest, CURRENT)).toBeUndefined();
});

it('lists what a release adds, drops and changes by check id', () => {
  const { added, dropped, changed } = difference(BEFORE, NOW);
  expect([Object.keys(added), dropped, Object.keys(changed)]).toEqual([
    ['a/comes'],
    ['a/goes'],
    ['a/asks-more'],
  ]);
});

it('says in one sentence what no release holds', () => {
  expect(unreleased(BEFORE, NOW)).toContain('1 checks added, 1 dropped, 1 changed; make a release');
  expect(unreleased(BEFORE, { ...NOW, checks: BEFORE.checks })).toBeUndefined();
  expect(unreleased(BEFORE, { contracts: {}, checks: BEFORE.checks })).toContain('other digests');
});

it('gives back a release from its file, after the one that it follows', () => {
  const first = { format: 1 as const, version: '1.0', contracts: DIGESTS };
  const files = [
    { ...first, ...difference(undefined, BEFORE) },
    { ...first, version: '1.1', after: '1.0', ...difference(BEFORE, NOW) },
  ].map((file) => JSON.parse(releaseText(file)));
  const folded = foldReleases(files);

  expect(folded.map(({ version }) => version)).toEqual(['1.0', '1.1']);
  expect(new Map([...(folded[1]?.checks ?? [])].toSorted())).toEqual(new Map([...NOW.checks].toSorted()));
});

it('allows to be inconclusive what a reading leaves open, and nothing else', () => {
  const inconclusive = [...CURRENT.checks].filter(([, { untold: may }]) => may === true);
  const kinds = inconclusive.map(([id]) =>
    id.replace(/^.*?(?=\/default|\/orderby)|^[\w-]+(?=\.list)|(?<=revisions\/)\w+/, '…'),
  );
  expect([...new Set(kinds)].toSorted()).toEqual([
    'revisions/…/force',
    'revisions/…/list/search',
    '….list/exclude/filters/beside',
    '….list/include/filters/beside',
    '….list/modified_after/filters',
    '….list/modified_before/filters',
    '….list/search/filters',
    '…/default/applied',
    ...['date', 'id', 'modified', 'title'].map((order) => `…/orderby/filters/${order}`),
  ]);
  expect(
    inconclusive.filter(([id]) => /^(posts|pages|media|index|[\w-]+\.root)\b.*default/.test(id)),
  ).toEqual([]);
});
