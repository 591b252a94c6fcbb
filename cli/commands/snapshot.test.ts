import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closedAfter, testServer } from '../../client/server.fixture.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { refusal, testFile, tryMain } from '../try-main.fixture.ts';

async function siteUrl(): Promise<string> {
  const site = await closedAfter(serve({ deployment: 'core' }));
  return site.url;
}

it('keeps an index that compares as equal with a later one of the same site', async () => {
  const [url, folder] = [await siteUrl(), testFolder()];
  const paths = ['one.json', 'two.json'].map((name) => join(folder, name));
  for (const path of paths) expect((await tryMain('snapshot', '--target', url, '--out', path)).code).toBe(0);

  expect((await tryMain('diff', ...paths)).stdout).toMatch(/^nothing changed: 5 namespaces/m);
});

it('replaces no file without --force', async () => {
  const [url, path] = [await siteUrl(), testFile('kept.json', 'mine')];
  const snapshot = (...more: string[]): ReturnType<typeof tryMain> =>
    tryMain('snapshot', '--target', url, '--out', path, ...more);

  expect(await snapshot()).toMatchObject(refusal('is there already'));
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect((await snapshot('--force')).code).toBe(0);
});

it('prints one line if the file cannot be written', async () => {
  const path = join(testFile('file', ''), 'deep', 'snapshot.json');
  const trial = await tryMain('snapshot', '--target', await siteUrl(), '--out', path);

  expect(trial).toMatchObject(refusal('cannot be written'));
});

it('writes nothing if there is no index', async () => {
  const path = join(testFolder(), 'none.json');
  const trial = await tryMain('snapshot', '--target', 'http://127.0.0.1:9', '--out', path);

  expect(trial.code).toBe(3);
  expect(existsSync(path)).toBe(false);
});

it('is refused by name if it was changed, whatever its formatting', async () => {
  const path = join(testFolder(), 'kept.json');
  expect((await tryMain('snapshot', '--target', await siteUrl(), '--out', path)).code).toBe(0);
  const kept: unknown = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify(kept, undefined, 2));
  expect((await tryMain('diff', path, path)).code).toBe(0);

  writeFileSync(path, readFileSync(path, 'utf8').replace('"maximum": 100', '"maximum": 99'));

  expect(await tryMain('diff', path, path)).toMatchObject(
    refusal(/kept\.json: was changed after it was taken: .*sha256:/),
  );
});

it('waits no longer than --timeout', async () => {
  const { url } = await testServer(() => undefined);
  const begin = performance.now();

  expect(
    (await tryMain('snapshot', '--target', url, '--timeout', '0.2', '--out', join(testFolder(), 'none.json')))
      .code,
  ).toBe(3);
  expect(performance.now() - begin).toBeLessThan(15_000);
});
