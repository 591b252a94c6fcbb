import { describe, expect, it } from 'vitest';
import { refusal, testFile, tryRun } from '../try-main.fixture.ts';
import { readWaivers } from './waivers.ts';

const WAIVER = { check: 'posts.list/**', reason: 'a plugin', owner: 'the shop', expires: '2027-01-31' };

function fileOf(document: unknown): string {
  return testFile('waivers.json', document);
}

function listOf(...waivers: unknown[]): string {
  return fileOf({ format: 1, waivers });
}

describe('readWaivers', () => {
  it('keeps the members of the user, in the file and in a waiver', () => {
    const document = { format: 1, 'x-team': 'web', waivers: [{ ...WAIVER, 'x-ticket': { id: 7 } }] };

    expect(readWaivers(fileOf(document))).toEqual(document);
  });

  it.each([
    [
      'a misspelt member',
      { ...WAIVER, expirse: '2027-01-31' },
      'does not know the member "expirse"; did you mean "expires"? (members of your own begin with x-)',
    ],
    [
      'no expiry',
      { ...WAIVER, expires: undefined },
      'has no "expires": every waiver needs its last day, such as 2027-01-31',
    ],
    ['an expiry in other words', { ...WAIVER, expires: 'next year' }, '"expires" is not a valid day'],
    ['a day that there is not', { ...WAIVER, expires: '2027-02-30' }, '"expires" is not a valid day'],
    ['a bad day of the first run', { ...WAIVER, firstSeen: '2026-1-1' }, '"firstSeen" is not a valid day'],
    ['no owner', { ...WAIVER, owner: undefined }, "must have required property 'owner'"],
    ['an empty reason', { ...WAIVER, reason: ' ' }, '"reason" is not a text with content'],
    [
      'a finding for a check',
      { ...WAIVER, check: 'a/fuzz/robust#b:broken' },
      'the id of a finding belongs into "finding"',
    ],
    ['a wrong link', { ...WAIVER, link: 'javascript:alert(1)' }, '"link" is not an http or https address'],
    ['a text', 'posts.list', 'must be object'],
  ])('refuses %s, with the file and the waiver', (_case, waiver, line) => {
    const path = listOf(WAIVER, waiver);

    expect(() => readWaivers(path)).toThrow(`${path}: waiver 2`);
    expect(() => readWaivers(path)).toThrow(line);
  });

  it('refuses two waivers about the same', () => {
    const path = listOf(WAIVER, { ...WAIVER, reason: 'another' });

    expect(() => readWaivers(path)).toThrow(
      `${path}: waiver 2 (posts.list/**) is about the same as waiver 1: keep one of them`,
    );
  });

  it.each([
    [
      'a misspelt member of the file',
      { format: 1, waivers: [], waiver: [] },
      'does not know the member "waiver"; did you mean "waivers"?',
    ],
    ['another format', { format: 2, waivers: [] }, '/format: must be equal to constant'],
    ['a list alone', [], 'must be object'],
    ['half a file', '{"format": 1, "waivers": [', 'is not JSON'],
  ])('refuses %s', (_case, document, line) => {
    const path = fileOf(document);

    expect(() => readWaivers(path)).toThrow(path);
    expect(() => readWaivers(path)).toThrow(line);
  });
});

it('run --waivers ends with 2 and one line before any request, and overwrites nothing', async () => {
  const path = listOf({ ...WAIVER, expires: undefined });
  const target = ['--target', 'http://127.0.0.1:1', '--waivers', path];
  expect(await tryRun(...target)).toMatchObject(
    refusal(`${path}: waiver 1 (posts.list/**): has no "expires"`),
  );
});
