import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../client/json.ts';
import type { Comparison } from '../compare/comparison.ts';
import { indexOf, withChange } from '../compare/site.fixture.ts';
import { sampleCheck, sampleResult } from '../reports/result.fixture.ts';
import { validatorOf } from '../specs/validators.ts';
import { temporaryFolder, tryMain } from './try-main.fixture.ts';

/** A snapshot file of an index. */
function keep(folder: string, name: string, index: JsonObject, url: string): string {
  const path = join(folder, `${name}.json`);
  const tool = { name: 'site-conformance', version: '0.1.0' };
  const digest = `sha256:${'0'.repeat(64)}`;
  const common = {
    format: 1,
    kind: 'snapshot',
    tool,
    target: { url },
    taken: '2025-01-01T00:00:00.000Z',
    digest,
  };
  writeFileSync(path, JSON.stringify({ ...common, index }));
  return path;
}

/** The folder of a run, with its index when there is one. */
function keepRun(folder: string, result: object, index?: JsonObject): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'results.json'), JSON.stringify(result));
  if (index !== undefined) writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
  return folder;
}

const NAME = ['routes', '/cms/v2/posts', 'endpoints', 0, 'args', 'per_page', 'maximum'];

async function snapshots(after: (index: JsonObject) => JsonObject): Promise<[string, string]> {
  const { index, url } = await indexOf('core');
  const folder = temporaryFolder();
  return [keep(folder, 'before', index, url), keep(folder, 'after', after(index), url)];
}

describe('diff', () => {
  it('says in one line that nothing changed, and what was looked at', async () => {
    const trial = await tryMain('diff', ...(await snapshots((index) => index)));

    expect(trial.code).toBe(0);
    expect(trial.stdout).toMatch(/^nothing changed: 5 namespaces, \d+ routes and \d+ parameters compared$/m);
  });

  it('ends with exit code 1 for what breaks callers, or for nothing, as it is told', async () => {
    const paths = await snapshots((index) => withChange(index, NAME, () => 50));

    expect((await tryMain('diff', ...paths)).code).toBe(1);
    expect((await tryMain('diff', ...paths, '--fail-on', 'none')).code).toBe(0);
  });

  it('ends with exit code 1 for any change only where it is told', async () => {
    const paths = await snapshots((index) => withChange(index, NAME, () => 200));

    expect((await tryMain('diff', ...paths)).code).toBe(0);
    expect((await tryMain('diff', ...paths, '--fail-on', 'any')).code).toBe(1);
  });

  it('writes a document that fits its schema, and Markdown', async () => {
    const paths = await snapshots((index) => withChange(index, NAME, () => 50));
    const out = join(temporaryFolder(), 'out');
    const trial = await tryMain('diff', ...paths, '--json', '--out', out);
    const validate = validatorOf<Comparison>('comparison.schema.json');

    expect(validate(JSON.parse(trial.stdout))).toBe(true);
    expect(JSON.parse(readFileSync(join(out, 'comparison.json'), 'utf8'))).toEqual(JSON.parse(trial.stdout));
    expect(readFileSync(join(out, 'comparison.md'), 'utf8')).toContain(
      'per\\_page maximum was 100 and is 50',
    );
  });

  it('says where it has written the page, which has a name of its own if wanted', async () => {
    const paths = await snapshots((index) => withChange(index, NAME, () => 50));
    const folder = temporaryFolder();
    const page = join(folder, 'upgrade.html');
    const trial = await tryMain('diff', ...paths, '--html', page, '--out', join(folder, 'out'));

    expect(readFileSync(page, 'utf8')).toContain('<h1>1 breaking change</h1>');
    expect(trial.stdout.split('\n').slice(-5)).toEqual([
      `comparison  ${join(folder, 'out', 'comparison.json')}`,
      `Markdown    ${join(folder, 'out', 'comparison.md')}`,
      `page        ${join(folder, 'out', 'comparison.html')}`,
      `page        ${page}`,
      '',
    ]);
  });

  it('shows what a site says and does nothing of it', async () => {
    const hostile = '\u001b[31m<script>alert(1)</script>\n::error::[x](http://evil.example)\n##[command]';
    const paths = await snapshots((index) => withChange(index, ['name'], () => hostile));
    const [terminal, markdown] = [
      await tryMain('diff', ...paths),
      await tryMain('diff', ...paths, '--markdown'),
    ];

    for (const { stdout } of [terminal, markdown]) {
      expect(stdout).not.toContain('\u001b');
      expect(stdout).not.toMatch(/^::|##\[/m);
    }
    expect(markdown.stdout).not.toContain('<script');
    expect(markdown.stdout).not.toMatch(/\]\(http:|[^\\]\[x\]/);
  });

  it('compares runs in what they share, and says what they do not', async () => {
    const folder = temporaryFolder();
    const [passing, failing] = [sampleCheck({}), sampleCheck({ verdict: 'fail', observed: 'accepted' })];
    const before = sampleResult([passing]);
    const after = sampleResult([failing], { run: { ...before.run, mode: 'read' } });
    const trial = await tryMain(
      'diff',
      keepRun(join(folder, 'a'), before),
      keepRun(join(folder, 'b'), after),
    );

    expect(trial.code).toBe(1);
    expect(trial.stdout).toContain('the runs differ in their mode: write before, read after');
    expect(trial.stdout).toContain('no index.json beside');
    expect(trial.stdout).toContain('1 breaking, 0 unknown, 0 compatible, from 1 cause; 1 check compared');
  });

  it('hangs checks on the change of the index that explains them', async () => {
    const { index, url } = await indexOf('core');
    const folder = temporaryFolder();
    const sample = sampleResult([sampleCheck({ operation: 'posts.list', parameter: 'per_page' })]);
    const place = { namespace: 'cms/v2', route: '/cms/v2/posts', methods: ['GET'] };
    const target = { ...sample.target, url, operations: { 'posts.list': place } };
    const failed = sample.checks.map((one) => ({ ...one, verdict: 'fail' }));
    const before = keepRun(join(folder, 'a'), { ...sample, target }, index);
    const changed = withChange(index, NAME, () => 50);
    const after = keepRun(join(folder, 'b'), { ...sample, target, checks: failed }, changed);
    const trial = await tryMain('diff', before, after);

    expect(trial.stdout).toContain('per_page maximum was 100 and is 50: less is taken.');
    expect(trial.stdout).toContain('1 other change hangs on it');
    expect(trial.stdout).toMatch(/2 breaking, 0 unknown, 0 compatible, from 1 cause;/);
  });
});

describe('what is no side of a comparison', () => {
  it.each([
    [
      'a file that is not there',
      undefined,
      /cannot be read: there is no such file; expected results\.json or a snapshot/,
    ],
    ['half a file', '{"format":1,"che', /not JSON/],
    [
      'another document',
      '{"format":1,"kind":"comparison"}',
      /neither the results\.json of a run \(format 1\) nor a snapshot/,
    ],
    ['another format', '{"format":2,"checks":[]}', /neither the results\.json/],
    [
      'a run with a misspelt verdict',
      JSON.stringify(sampleResult([]))
        .replace('"conformant"', '"conforment"')
        .replace('"inconclusive","reason', '"unclear","reason'),
      /schema: specs\/schemas\/result\.schema\.json/,
    ],
  ])('%s ends with one line and exit code 2', async (_title, text, expected) => {
    const folder = temporaryFolder();
    const path = join(folder, 'some.json');
    if (text !== undefined) writeFileSync(path, text);
    const trial = await tryMain('diff', path, path, '--out', join(folder, 'out'));

    expect(trial.code).toBe(2);
    expect(trial.lines).toHaveLength(1);
    expect(trial.lines[0]).toMatch(expected);
    expect(trial.lines[0]).toContain(path);
  });
});
