import { describe, expect, it } from 'vitest';
import { CATALOGUE, CONTROLS } from './catalogue.ts';

describe('the catalogue of hostile servers', () => {
  it('gives every server a name of its own, with its family', () => {
    const names = [...CONTROLS, ...CATALOGUE].map(({ name }) => name);

    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.filter((name) => !/^[a-z]+\/[a-z0-9.-]+$/.test(name))).toEqual([]);
  });

  it('says of every server what is wrong with it, of no two the same', () => {
    const titles = CATALOGUE.map(({ title }) => title);

    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
    expect(titles.filter((title) => title.length < 15)).toEqual([]);
  });

  it.each(CATALOGUE)('expects of $name exit codes and endings that go together', ({ mode, expected }) => {
    const { codes, endings } = expected;

    expect(codes.length * endings.length).toBeGreaterThan(0);
    // Wrong usage is never the fault of a server, and a run that only reads leaves nothing.
    expect(codes.filter((code) => ![0, 1, 3, ...(mode === 'write' ? [4] : [])].includes(code))).toEqual([]);
    if (!codes.includes(3)) expect(endings).not.toContain('unreached');
    if (!endings.some((ending) => ending !== 'unreached')) expect(codes).toEqual([3]);
  });

  it('expects a healthy site to conform', () => {
    for (const { expected } of CONTROLS) expect(expected).toEqual({ codes: [0], endings: ['whole'] });
  });
});
