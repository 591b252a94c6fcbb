import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleCounterexample } from '../../engine/result.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import { refusal, testFile, tryRun } from '../try-main.fixture.ts';
import { changed, chooseTargets, resolveTargets } from './configure.ts';
import { checkExamples, examplesFor, keepExamples } from './repeat.ts';

const CHECK = 'posts.list/fuzz/accepted';

function targets(examplesFile: string): RunConfig[] {
  return resolveTargets({ target: 'http://127.0.0.1:9', deployment: 'core', examplesFile }, {}, {});
}

describe('a file of examples', () => {
  it('is made by the first run that finds something, and read by the next', () => {
    const file = join(testFolder(), 'examples.json');
    const sets = [sampleCounterexample({ args: { search: 'x' } })];

    expect(targets(file).map(examplesFor)[0]?.fuzz.kept).toEqual([]);
    keepExamples(targets(file)[0], [sampleCheck({ id: CHECK, replay: { sets } })]);
    expect(targets(file).map(examplesFor)[0]?.fuzz.kept).toEqual([{ check: CHECK, args: { search: 'x' } }]);
  });

  it('is the same whatever the order of the findings, without duplicates and secrets', () => {
    const file = join(testFolder(), 'examples.json');
    const write = (...all: Record<string, unknown>[]): string => {
      const sets = all.map((args) => sampleCounterexample({ args }));
      const masked = sampleCounterexample({ args: { search: '[redacted]' }, masked: true });
      const checks = [sampleCheck({ id: CHECK, replay: { sets: [...sets, masked] } })];
      const known = { examples: 0, kept: [{ check: CHECK, args: { b: 1, a: 1 } }] };
      keepExamples(changed(targets(file), () => ({ fuzz: known }))[0], checks);
      return readFileSync(file, 'utf8');
    };
    const text = write({ c: 1 }, { a: 1, b: 1 }, { a: 2 });

    expect(write({ a: 2 }, { c: 1 })).toBe(text);
    expect(JSON.parse(text)).toEqual({
      sets: [{ b: 1, a: 1 }, { a: 2 }, { c: 1 }].map((args) => ({ check: CHECK, args })),
    });
    expect(text.endsWith('}\n')).toBe(true);
  });

  it.each([
    ['of checks that this run does not have, which are named', 'books.list/fuzz/accepted', { a: 1 }],
    ['with arguments of other operations: searches send them too', CHECK, { password: ['s'] }],
  ])('may hold examples %s', (_what, check, args) => {
    const file = testFile('examples.json', { sets: [{ check, args }] });
    const unknown = check === CHECK ? [] : [check];

    expect(checkExamples(chooseTargets(changed(targets(file), examplesFor), {}))).toEqual(unknown);
  });

  it.each([
    ['is no JSON', '{', /examples\.json: is not JSON/],
    ['has another form', '{"sets":[{"args":{}}]}', /\/sets\/0: must have required property 'check'/],
    ['has a misspelt member', '{"set":[]}', /does not know the member "set"/],
    [
      'holds a method override',
      JSON.stringify({ sets: [{ check: CHECK, args: { _method: 'DELETE' } }] }),
      /the argument "_method" of a set of posts\.list\/fuzz\/accepted .* is never sent/,
    ],
  ])('is refused where it %s, before anything is sent', async (_what, text, message) => {
    const file = testFile('examples.json', text);
    expect(await tryRun('--target', 'http://127.0.0.1:9', '--examples-file', file)).toMatchObject(
      refusal(message),
    );
  });

  it('is refused if it is not writable', () => {
    const folder = testFolder();
    mkdirSync(join(folder, 'examples.json'));

    expect(() => targets(join(folder, 'missing', 'examples.json')).map(examplesFor)).toThrow(
      'cannot be written',
    );
    expect(() => targets(join(folder, 'examples.json')).map(examplesFor)).toThrow('not a regular file');
  });
});
