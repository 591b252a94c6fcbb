import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlameDocument } from '../compare/blame/document.ts';
import type { Comparison } from '../compare/comparison.ts';
import { together } from '../sites/alterations/alteration.ts';
import { declaring, sending, showing } from '../sites/alterations/handling.ts';
import { type Served, serve } from '../sites/reference/serve.ts';
import type { Alter } from '../sites/reference/site.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { validatorOf } from '../specs/validators.ts';
import { spawnMain } from './spawn-main.fixture.ts';
import { tryMain } from './try-main.fixture.ts';

/** Steps are files in a folder that the site reads. A step creates one, and a reset removes all. */
function steppedBy(folder: string): Alter {
  const has = (name: string): boolean => existsSync(join(folder, name));
  let times = 0;
  return together(
    // A single step changes a type.
    showing('posts.list', (record) => (has('type') ? { ...record, author: String(record.author) } : record)),
    // Two steps together remove a route.
    declaring(({ routes }) => {
      if (has('left') && has('right')) delete routes['/cms/v2/media'];
    }),
    // One step removes a header; another removes it at every other reading of the index.
    sending((shown, { route }) => {
      if (has('down')) return { ...shown, status: 500, body: { code: 'down', message: 'down' } };
      if (route === '/') times += 1;
      const { 'X-WP-TotalPages': _, ...headers } = shown.headers;
      return has('header') || (has('now-and-then') && times % 2 === 0) ? { ...shown, headers } : shown;
    }),
  );
}

/** A whole run and two searches. */
const LONG_MS = 120_000;
const NAMES = ['a', 'b', 'type', 'c', 'left', 'd', 'header', 'right', 'e', 'now-and-then', 'f'];

describe('blame', () => {
  let site: Served;
  let root: string;
  let steps: string;
  let comparison: Comparison;

  const run = async (out: string): Promise<void> => {
    const only = [
      '--only',
      'posts.list/{answers,contexts}/**',
      'index/**',
      '--tour',
      'short',
      '--seed',
      '1',
      '--profile',
      'quick',
    ];
    await tryMain('run', ...asking(), '--mode', 'read', ...only, '--reporter', 'json', '--out', out);
  };
  const asking = (): string[] => [
    ...['--target', site.url, '--user', site.user],
    ...['--deployment', 'core', '--vocabulary', 'neutral'],
  ];

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'site-conformance-test-'));
    steps = mkdtempSync(join(root, 'steps-'));
    site = await serve({ deployment: 'core', behaviour: steppedBy(steps) });
    process.env.SITE_CONFORMANCE_PASSWORD = site.password;
    await run(join(root, 'before'));
    for (const name of NAMES) if (name !== 'now-and-then') writeFileSync(join(steps, name), '');
    await run(join(root, 'after'));
    for (const name of NAMES) rmSync(join(steps, name), { force: true });
    await tryMain('diff', join(root, 'before'), join(root, 'after'), '--out', root);
    comparison = JSON.parse(readFileSync(join(root, 'comparison.json'), 'utf8'));
  });

  afterAll(async () => {
    delete process.env.SITE_CONFORMANCE_PASSWORD;
    await site.close();
    rmSync(root, { recursive: true, force: true });
  });

  const searching = (change: string, names: readonly string[], out: string, reset?: string): string[] => [
    ...['blame', '--before', join(root, 'before'), '--comparison', join(root, 'comparison.json')],
    ...['--change', change, '--reset', reset ?? `rm -f '${steps}'/*`, '--out', out, '--site-timeout', '1'],
    ...names.flatMap((name) => ['--step', `${name}=touch '${steps}/${name}'`]),
    ...asking(),
  ];

  const blame = async (
    change: string,
    names: readonly string[],
    reset?: string,
  ): Promise<{ code: number; stdout: string; lines: readonly string[]; document: BlameDocument }> => {
    const out = testFolder();
    const tried = await tryMain(...searching(change, names, out, reset));
    if (!existsSync(join(out, 'blame.json'))) throw new Error(tried.lines.join('\n'));
    return { ...tried, document: documentIn(out) };
  };

  const documentIn = (out: string): BlameDocument => {
    const document: unknown = JSON.parse(readFileSync(join(out, 'blame.json'), 'utf8'));
    const validate = validatorOf<BlameDocument>('blame.schema.json');
    if (!validate(document)) throw new Error(JSON.stringify(validate.errors));
    return document;
  };

  const idOf = (kind: string): string => comparison.changes.find((one) => one.kind === kind)?.digest ?? kind;
  const STEADY = NAMES.filter((name) => name !== 'now-and-then');

  it.each([
    ['answer-type', ['type']],
    ['header-removed', ['header']],
    ['route-removed', ['left', 'right']],
  ])('finds the steps of a change of kind %s, asking little, and resets the site', async (kind, expected) => {
    const { code, document, stdout } = await blame(idOf(kind), STEADY);
    expect(document.inconclusive).toBeUndefined();
    expect(document.found?.steps).toEqual(expected);
    expect(code).toBe(0);
    expect(stdout).toContain(
      expected.length === 1 ? `It is ${expected[0]}` : 'Only together: left and right',
    );
    expect(document.extent).toBe('requests');
    expect(document.spent.requests).toBeLessThan(400);
    expect(readdirSync(steps)).toEqual([]);
  });

  it('makes its folder, and prints its document alone with --json', async () => {
    const out = join(testFolder(), 'not', 'there');
    const { stdout } = await tryMain(...searching(idOf('answer-type'), STEADY, out), '--json');
    expect(JSON.parse(stdout)).toEqual(documentIn(out));
  });

  it(
    'learns without a comparison what all steps change',
    async () => {
      const out = testFolder();
      const args = searching('any', ['a', 'type', 'b'], out).filter(
        (word, at, all) => word !== '--comparison' && all[at - 1] !== '--comparison',
      );
      const { code } = await tryMain(...args);
      expect(documentIn(out).found?.steps).toEqual(['type']);
      expect(code).toBe(0);
      expect(existsSync(join(out, 'comparison.json'))).toBe(true);
    },
    LONG_MS,
  );

  it('finds the first of several changes that break', async () => {
    const { document } = await blame('any', STEADY);
    expect(document.found?.steps).toEqual(['type']);
  });

  it('shows a plan and runs nothing with --dry-run', async () => {
    const { code, stdout } = await tryMain(
      ...searching(idOf('answer-type'), STEADY, join(testFolder(), 'none'), 'exit 1'),
      '--dry-run',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/at most \d+ resets and \d+ steps in \d+ tests/i);
  });

  it('is inconclusive about a change that comes and goes', async () => {
    const { code, document } = await blame(idOf('header-removed'), ['a', 'now-and-then', 'b']);
    expect(document.inconclusive).toMatch(/unstable: .* shows in \d of \d readings with a, now-and-then, b/);
    expect(code).toBe(3);
  });

  it.each([
    ['a step that fails', ['a', 'type', 'bad/name'], undefined, /step "bad\/name" ended with exit code 1/],
    ['a reset that fails', STEADY, 'echo no >&2; exit 4', /--reset ended with exit code 4: no/],
    ['a reset without effect', ['a', 'type'], 'true', /the reset does not bring the earlier site back/],
    ['a site that is down', ['a', 'down', 'type'], undefined, /with all steps the site does not answer/],
  ])('says in one sentence of %s that nothing can be concluded', async (_what, names, reset, sentence) => {
    const { code, document } = await blame(idOf('answer-type'), names, reset);
    for (const name of readdirSync(steps)) rmSync(join(steps, name));
    expect(document.inconclusive).toMatch(sentence);
    expect(code).toBe(3);
  });

  it('reports how the reset site differs from its initial state', async () => {
    for (const name of ['left', 'right']) writeFileSync(join(steps, name), '');
    const { code, document, stdout } = await blame(idOf('answer-type'), ['type']);
    expect(document.found?.steps).toEqual(['type']);
    expect(document.left).toMatch(/not as it was found: its index differs in \d+ things?/);
    expect(stdout).toContain('not as it was found');
    expect(code).toBe(0);
  });

  it('reports that all steps together do not show a change, reading only its declaration', async () => {
    const { code, document } = await blame(idOf('route-removed'), ['a', 'left', 'b']);
    expect(document.inconclusive).toMatch(/all steps together do not show/);
    expect(document.spent.requests).toBeLessThan(20);
    expect(code).toBe(3);
  });

  it(
    'goes on from what is known where it was interrupted',
    async () => {
      const out = testFolder();
      const slow = searching(idOf('answer-type'), STEADY, out, `rm -f '${steps}'/*; sleep 0.2`);
      const { child, ended } = spawnMain(slow);
      while (!existsSync(join(out, 'blame.json')) || documentIn(out).tests.length < 2) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      child.kill('SIGINT');
      const { code } = await ended;
      expect(code).toBe(3);
      const interrupted = documentIn(out);
      expect(interrupted.inconclusive).toContain('interrupted');
      expect(readdirSync(steps)).toEqual([]);
      const again = await tryMain(...slow);
      expect(again.code).toBe(0);
      const { found, tests } = documentIn(out);
      expect(found?.steps).toEqual(['type']);
      expect(tests.slice(0, interrupted.tests.length)).toEqual(interrupted.tests);
      // A known result is shown without a run.
      expect((await tryMain(...searching(idOf('answer-type'), STEADY, out, 'exit 1'))).code).toBe(2);
      expect((await tryMain(...slow)).code).toBe(0);
    },
    LONG_MS,
  );
});
