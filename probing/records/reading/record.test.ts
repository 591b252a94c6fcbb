import { expect, it } from 'vitest';
import { fileAddressIn, memberLike } from './record.ts';

const RECORD = {
  id: 7,
  caption: 'see https://example.org/a.png',
  permalink: 'https://example.org/?piece=7',
  file: 'https://example.org/files/7/a%20b.png',
  kind: 'image/png',
};

it.each([
  ['link', 'https://example.org/?piece=7'],
  ['source_url', 'https://example.org/files/7/a%20b.png'],
  ['mime_type', 'image/png'],
  ['author', undefined],
])('finds %s, whose name no section states, by how its value looks', (name, value) => {
  expect(memberLike(RECORD, name)).toBe(value);
});

it('prefers a member of the usual name', () => {
  expect(memberLike({ ...RECORD, link: 'https://example.org/a' }, 'link')).toBe('https://example.org/a');
});

it.each([
  ['a member of another name', RECORD],
  ['a member of a member', { id: 7, _links: {}, sizes: [{ full: { address: RECORD.file } }] }],
])('finds the address of a file in %s', (_, json) => {
  expect(fileAddressIn(json)).toBe(RECORD.file);
});

it('finds no address of a file where a record shows none', () => {
  expect(fileAddressIn({ id: 7, link: 'https://example.org/?piece=7', title: null })).toBeUndefined();
});
