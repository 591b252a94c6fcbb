import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../client/json.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { indexOf, snapshotOf, withChange } from '../../compare/site.fixture.ts';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { validatorOf } from '../../specs/validators.ts';
import { refusal, testFile, tryMain } from '../try-main.fixture.ts';

function keepRun(result: object, index?: JsonObject): string {
  return testFolder({ 'results.json': result, ...(index !== undefined && { 'index.json': index }) });
}

const NAME = ['routes', '/cms/v2/posts', 'endpoints', 0, 'args', 'per_page', 'maximum'];

async function snapshots(after: (index: JsonObject) => JsonObject): Promise<[string, string]> {
  const { index, url } = await indexOf('core');
  return [
    testFile('before.json', snapshotOf(index, url)),
    testFile('after.json', snapshotOf(after(index), url)),
  ];
}

describe('diff', () => {
  it('prints in one line that nothing changed, and what was compared', async () => {
    const trial = await tryMain('diff', ...(await snapshots((index) => index)));

    expect(trial.code).toBe(0);
    expect(trial.stdout).toMatch(/^nothing changed: 5 namespaces, \d+ routes and \d+ parameters compared$/m);
  });

  it.each([
    [50, [], 1],
    [50, ['--fail-on', 'none'], 0],
    [200, [], 0],
    [200, ['--fail-on', 'any'], 1],
  ])('with another maximum of %i and %j ends with exit code %i', async (maximum, options, code) => {
    const paths = await snapshots((index) => withChange(index, NAME, () => maximum));

    expect((await tryMain('diff', ...paths, ...options)).code).toBe(code);
  });

  it('writes a document that fits its schema, and Markdown', async () => {
    const paths = await snapshots((index) => withChange(index, NAME, () => 50));
    const out = join(testFolder(), 'out');
    const trial = await tryMain('diff', ...paths, '--json', '--out', out);
    const validate = validatorOf<Comparison>('comparison.schema.json');

    expect(validate(JSON.parse(trial.stdout))).toBe(true);
    expect(JSON.parse(readFileSync(join(out, 'comparison.json'), 'utf8'))).toEqual(JSON.parse(trial.stdout));
    expect(readFileSync(join(out, 'comparison.md'), 'utf8')).toContain(
      'per\\_page maximum was 100 and is 50: fewer values are accepted, for example no longer 51',
    );
  });

  it('prints the path of the page, which may be chosen', async () => {
    const paths = await snapshots((index) => withChange(index, NAME, () => 50));
    const folder = testFolder();
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

  it('shows text of a site and never executes it', async () => {
    const hostile = '\u001b[31m<script>alert(1)</script>\n::error::[x](http://evil.example)\n##[command]';
    const entry = { [`/a\`b${hostile}`]: { endpoints: [] } };
    const paths = await snapshots((index) => ({
      ...withChange(index, ['name'], () => hostile),
      routes: { ...Object(index.routes), ...entry },
    }));
    const terminal = await tryMain('diff', ...paths);
    const markdown = await tryMain('diff', ...paths, '--markdown');

    for (const { stdout } of [terminal, markdown]) {
      expect(stdout).not.toContain('\u001b');
      expect(stdout).not.toMatch(/^::|##\[/m);
    }
    expect(await marked.parse(markdown.stdout)).not.toMatch(/<script|<a /);
  });

  it('compares what runs have in common, and reports the rest', async () => {
    const [passing, failing] = [sampleCheck({}), sampleCheck({ verdict: 'fail', observed: 'accepted' })];
    const before = sampleResult([passing]);
    const after = sampleResult([failing], { run: { ...before.run, mode: 'read' } });
    const paths = [keepRun(before), keepRun(after)];
    const trial = await tryMain('diff', ...paths);

    expect(trial.code).toBe(1);
    expect(trial.stdout).toContain('the runs differ in their mode: write before, read after');
    expect(trial.stdout).toContain('  before, there is no index.json beside');
    expect(trial.stdout).toContain('1 breaking, 0 unknown, 0 compatible, from 1 cause; 1 check compared');
  });

  it('groups checks under the change of the index that explains them', async () => {
    const { index, url } = await indexOf('core');
    const sample = sampleResult([sampleCheck({ operation: 'posts.list', parameter: 'per_page' })]);
    const place = { namespace: 'cms/v2', route: '/cms/v2/posts', methods: ['GET'] };
    const target = { ...sample.target, url, operations: { 'posts.list': place } };
    const failed = sample.checks.map((one) => ({ ...one, verdict: 'fail' }));
    const before = keepRun({ ...sample, target }, index);
    const changed = withChange(index, NAME, () => 50);
    const after = keepRun({ ...sample, target, checks: failed }, changed);
    const trial = await tryMain('diff', before, after);

    expect(trial.stdout).toContain(
      'per_page maximum was 100 and is 50: fewer values are accepted, for example no longer 51.',
    );
    expect(trial.stdout).toContain('1 other change depends on it');
    expect(trial.stdout).toMatch(/2 breaking, 0 unknown, 0 compatible, from 1 cause;/);
  });
});

async function runs(before: object, after: object): Promise<[string, string]> {
  const { index, url } = await indexOf('core');
  const sample = sampleResult([sampleCheck({}), sampleCheck({ id: 'pages.list/answers' })]);
  const target = { ...sample.target, url };
  return [keepRun({ ...sample, target, ...before }, index), keepRun({ ...sample, target, ...after }, index)];
}

describe('a comparison that saw too little', () => {
  const sample = sampleResult([sampleCheck({}), sampleCheck({ id: 'pages.list/answers' })]);
  const [first, second] = sample.checks;
  const nowhere = { ...sample.target, deployment: '', vocabulary: '' };
  const dead = { run: { ...sample.run, ended: 'before the first check' }, target: nowhere, checks: [] };

  it.each<[string, object, object, string]>([
    [
      'a run that was interrupted',
      {},
      { run: { ...sample.run, ended: 'interrupted' } },
      'nothing can be concluded: the run after did not finish: interrupted',
    ],
    [
      'a run that ended before',
      { run: { ...sample.run, ended: 'interrupted' } },
      {},
      ': the run before did not finish: interrupted',
    ],
    [
      'a run that its budget cut off',
      {},
      { checks: [first, { ...second, verdict: 'skip', skip: { kind: 'over-budget' } }] },
      ': the run after did not finish: 1 check over budget',
    ],
    [
      'a run of a site that was down',
      {},
      dead,
      ': the run after did not finish: before the first check; the run after evaluated nothing:',
    ],
    [
      'a run that reports nothing',
      { checks: sample.checks.map((one) => ({ ...one, verdict: 'inconclusive' })) },
      {},
      ': the run before evaluated nothing:',
    ],
    [
      'runs that asked other things',
      { checks: [first] },
      { checks: [second] },
      ': the runs share 0 of 1 check: they were not asked the same',
    ],
  ])(
    'ends with exit code 3 and says so first, never that nothing changed: %s',
    async (_title, before, after, expected) => {
      const paths = await runs(before, after);
      const [trial, markdown] = [
        await tryMain('diff', ...paths, '--fail-on', 'none'),
        await tryMain('diff', ...paths, '--markdown'),
      ];

      expect(trial.code).toBe(3);
      expect(trial.stdout.split('\n')[0]).toMatch(/^nothing can be concluded: /);
      expect(trial.stdout.replaceAll(/\s+/g, ' ')).toContain(expected);
      expect(trial.stdout).not.toContain('nothing changed');
      expect(markdown.stdout.split('\n')[2]).toMatch(/^\*\*nothing can be concluded: /);
    },
  );

  it('gives the reason in the document, and omits it if there is none', async () => {
    const read = async (after: object): Promise<unknown> =>
      JSON.parse((await tryMain('diff', ...(await runs({}, after)), '--json')).stdout);
    const inconclusive = await read(dead);
    // What a run that never began leaves out is no difference of the sites.
    const notes = expect.not.arrayContaining([expect.stringContaining('the runs differ')]);

    expect(validatorOf<Comparison>('comparison.schema.json')(inconclusive)).toBe(true);
    expect(inconclusive).toMatchObject({
      notes,
      inconclusive: [expect.stringContaining('did not finish'), expect.stringContaining('evaluated nothing')],
    });
    expect(await read({})).not.toHaveProperty('inconclusive');
  });

  it('does not compare indexes of two sites that share nothing', async () => {
    const paths = await snapshots((index) => ({
      ...index,
      routes: Object.fromEntries(
        Object.entries(Object(index.routes)).map(([key, entry]) => [`/other${key}/x`, entry]),
      ),
    }));
    const trial = await tryMain('diff', ...paths);

    expect(trial.code).toBe(3);
    expect(trial.stdout).toMatch(
      /^nothing can be concluded: the indexes share 0 of \d+ routes: they are hardly of one site/,
    );
  });
});

it('names a document only if it has written one', async () => {
  const paths = await snapshots((index) => ({
    ...index,
    ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x_${at}`, at])),
  }));
  const out = join(testFolder(), 'out');

  expect((await tryMain('diff', ...paths)).stdout).toMatch(/^ {2}… and 10 more$/m);
  expect((await tryMain('diff', ...paths, '--out', out)).stdout).toContain(
    `… and 10 more, see ${join(out, 'comparison.json')}`,
  );
  expect(readFileSync(join(out, 'comparison.html'), 'utf8')).toContain('comparison.json contains everything');
  expect((await tryMain('diff', ...paths, '--html', join(out, 'alone.html'))).code).toBe(0);
  expect(readFileSync(join(out, 'alone.html'), 'utf8')).not.toContain('comparison.json');
});

it('shows routes as code in Markdown, and folds long lists', async () => {
  const paths = await snapshots((index) => ({
    ...withChange(index, NAME, () => 50),
    ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x_${at}`, at])),
  }));
  const { stdout } = await tryMain('diff', ...paths, '--markdown');

  expect(stdout).toContain('- `GET /cms/v2/posts`: `per_page` maximum');
  expect(stdout).toMatch(/\n\n<details><summary>27 more compatible causes<\/summary>\n\n### site\n\n- /);
  expect(stdout.trimEnd().endsWith('</details>')).toBe(true);
});

it.each([
  ['no such file', undefined, /cannot be read: there is no such file; expected results\.json or a snapshot/],
  ['half a file', '{"format":1,"che', /not JSON/],
  ['a comparison', '{"format":1,"kind":"comparison"}', /results\.json of a run \(format 1\), nor a snapshot/],
  ['another format', '{"format":2,"checks":[]}', /is not the results\.json/],
  [
    'a run with a misspelt verdict',
    JSON.stringify(sampleResult([]))
      .replace('"conformant"', '"conforment"')
      .replace('"inconclusive","reason', '"unclear","reason'),
    /schema: specs\/schemas\/result\.schema\.json/,
  ],
])(
  'what is no side of a comparison %s ends with one line and exit code 2',
  async (_title, text, expected) => {
    const path = text === undefined ? join(testFolder(), 'some.json') : testFile('some.json', text);
    const trial = await tryMain('diff', path, path, '--out', join(testFolder(), 'out'));

    expect(trial).toMatchObject(refusal(expected));
    expect(trial.lines[0]).toContain(path);
  },
);
