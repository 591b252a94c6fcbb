import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../specs/folder.fixture.ts';
import { refusal, testFile, tryMain, tryRun } from './try-main.fixture.ts';

describe('the command line with wrong usage', () => {
  it.each<[string, string[], RegExp]>([
    [
      'an unknown option',
      ['--targett', 'x'],
      /unknown option '--targett' \(Did you mean one of --target, --targets\?\)/,
    ],
    ['an option without its value', ['--target'], /--target <url>' argument missing/],
    ['a wrong deployment', ['--deployment', 'c'], /unknown deployment "c": expected one of a, b, core, auto/],
    ['a wrong vocabulary', ['--vocabulary', 'wp'], /unknown vocabulary "wp": expected one of neutral, word/],
    ['a deployment that is misspelt', ['--deployment', 'cor'], /exists; did you mean "core"\?$/],
    ['a vocabulary that is misspelt', ['--vocabulary', 'wordpres'], /; did you mean "wordpress"\?$/],
    ['a check that is misspelt', ['--only', 'index/nmae/type'], /; did you mean "index\/name\/type"\?$/],
    [
      'two targets',
      ['--target', 'http://127.0.0.1', '--target', 'http://127.0.0.2'],
      /One run checks one site\. .* use --all-targets or --targets NAME\.$/,
    ],
    [
      'two sites',
      ['http://127.0.0.1', 'http://127.0.0.2'],
      /one run checks one site, and "http:\/\/127.0.0.2" is another: .* use --all-targets or --targets NAME$/,
    ],
    [
      'a site and another target',
      ['http://127.0.0.1', '--target', 'http://127.0.0.2'],
      /one run checks one site, and "http:\/\/127.0.0.1" is another/,
    ],
    [
      'a site among globs',
      ['--only', 'index/**', 'http://127.0.0.1'],
      /"http:\/\/127.0.0.1" stands among the globs of --only or --skip: name the site before them/,
    ],
    ['an unknown mode', ['--mode', 'all'], /argument 'all' is invalid. Allowed choices are read, validate/],
    ['a number out of its bounds', ['--concurrency', '0'], /'0' is invalid. Expected a whole number from 1/],
    ['seconds that are no number', ['--timeout', '-1'], /'-1' is invalid. Expected a number above 0/],
    ['a glob without a match', ['--only', 'posst/**'], /no check of a or b has an id like "posst\/\*\*"/],
    ['a short glob', ['--only', 'posts.*'], /id like "posts\.\*": .* did you mean "posts\.\*\/\*\*"\?$/],
    ['a skip that matches nothing', ['--skip', 'zzz'], /no check of a or b has an id like "zzz"/],
    ['an address that is none', ['--target', 'http://'], /"http:\/\/" is not an address/],
    ['misspelt waivers', ['--waivers', 'knwon'], /knwon: there is no such file; did you mean "known"\?$/],
    ['a name that none names', ['--target', 'staging'], /"staging" is neither an http or https address nor/],
    ['credentials in a URL', ['--target', 'http://me:pass-word@127.0.0.1'], /the address holds credentials/],
    ['a user alone', ['--target', 'http://127.0.0.1', '--user', 'me'], /SITE_CONFORMANCE_PASSWORD$/],
    ['a user of the embedded site', ['--user', 'me'], /--user needs --target/],
    ['a header that overrides', ['--header', 'X-HTTP-Method-Override: DELETE'], /Override is never sent/],
    ['a header of one request', ['--header', 'Content-Length: 3'], /Content-Length belongs to each request/],
    [
      'a baseline that is not there',
      ['--baseline', 'x.json'],
      /--baseline x.json: cannot be read: there .*; the first run has none: run without it once$/,
    ],
    ['a result of two runs', ['--json'], /--json prints the result of one run, and these are 2: choose one/],
    ['one result of many targets', ['--json', '--all-targets'], /leave it out and read fleet\.json in /],
    ['no folder', ['--out', ''], /--out: the name of a folder is missing/],
  ])('says in one line what is wrong with %s', async (_what, args, line) => {
    const trial = await tryRun(...args);

    expect(trial).toMatchObject({ ...refusal(line), left: [] });
    expect(trial.lines[0]).toMatch(/^site-conformance: /);
  });

  it('never passes an argument on as a command to a CI server or the terminal', async () => {
    expect(
      await tryMain('run', '--mode', 'x\n::error::owned ##[error]\u001b[31m', '--seed', '::x'),
    ).toMatchObject({ lines: [expect.stringMatching(/^site-conformance: .*\\u0023\[error\]\\x1b\[31m/)] });
  });

  it('knows its commands', async () => {
    expect(await tryMain('paln')).toMatchObject(
      refusal(
        /^site-conformance: unknown command "paln": expected one of run, plan, .*; did you mean "plan"\?$/,
      ),
    );
  });

  it.each([
    ['after the command', ['run', 'http://127.0.0.1:9', '--out']],
    ['in place of a command', ['http://127.0.0.1:9', '--out']],
  ])('takes the address of a site %s', async (_what, words) => {
    expect(await tryMain(...words, join(testFolder(), 'out'))).toMatchObject({
      code: 3,
      lines: [expect.stringContaining('127.0.0.1:9')],
    });
  });

  it('refuses unexpected arguments', async () => {
    expect(await tryMain('plan', 'posts')).toMatchObject(refusal("too many arguments for 'plan'"));
    expect(await tryMain('init', 'https://a.example')).toMatchObject(
      refusal('name a site with --target https://a.example'),
    );
  });

  it('shows help and version on standard output', async () => {
    const help = await tryMain('--help');
    const version = await tryMain('--version');

    expect(help).toMatchObject({ code: 0, lines: [] });
    expect(help.stdout).toContain('serve   ');
    expect(version).toMatchObject({ code: 0, stdout: '0.1.0\n', lines: [] });
  });
});

describe('a folder for reports that cannot be used', () => {
  it('is refused if a file is in its place', async () => {
    const file = testFile('out', 'mine');
    const { code, lines } = await tryMain('run', '--out', file);

    expect(lines).toEqual([expect.stringContaining(`--out ${file}: reports cannot be written there`)]);
    expect(code).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('is refused if it has a file of the same name that no run wrote', async () => {
    const folder = testFolder({ 'a/index.json': 'mine' });
    const { code, lines } = await tryMain('run', '--out', folder);

    expect(lines).toEqual([
      expect.stringContaining('index.json is there, and no run of this suite wrote it'),
    ]);
    expect(code).toBe(2);
    expect(readdirSync(folder, { recursive: true })).toEqual(['a', join('a', 'index.json')]);
  });
});

describe('plan', () => {
  it('lists the checks of a selection as JSON and sends nothing', async () => {
    const about = ['--deployment', 'core', '--only', 'index/name'];
    const { code, stdout, lines } = await tryMain('plan', '--json', ...about);

    expect(lines).toEqual([]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({
        deployment: 'core',
        id: 'index/name/present',
        section: '1',
        basis: 'stated',
      }),
      expect.objectContaining({ deployment: 'core', id: 'index/name/type', section: '1', basis: 'stated' }),
    ]);
  });

  it('leaves out an embedded deployment without selected checks', async () => {
    const { stdout } = await tryMain('plan', '--json', '--only', 'namespaces/seo/v1/**');
    const rows: unknown = JSON.parse(stdout);

    expect(new Set(Array.isArray(rows) ? rows.map((row) => row.deployment) : [])).toEqual(new Set(['b']));
  });

  it('ends as inconclusive if everything is left out', async () => {
    expect(await tryMain('plan', '--deployment', 'core', '--skip', '**')).toMatchObject({
      code: 3,
      stdout: '0 checks, 0 to run, 0 skipped with a reason\n',
    });
  });
});

describe('serve', () => {
  it.each([
    ['no deployment', [], /required option '--deployment <name>' not specified: --help shows what/],
    ['port 65536', ['--deployment', 'a', '--port', '65536'], /Expected a whole number from 1 to 65535/],
    [
      'an unknown mutant',
      ['--deployment', 'core', '--mutant', 'posts.list/per_page/maximum~widr'],
      /--mutant: unknown mutant "posts.list.*"; did you mean "posts\.list\/per_page\/maximum~wider"/,
    ],
  ])('says in one line what is wrong with %s', async (_what, args, line) => {
    expect(await tryMain('serve', ...args)).toMatchObject(refusal(line));
  });

  it('lists the mutants of a deployment, one per line', async () => {
    const { code, stdout } = await tryMain('serve', '--deployment', 'core', '--list-mutants');

    expect(stdout).toContain(
      '\nposts.list/per_page/maximum~wider  the declared maximum of posts.list/per_page is wider\n',
    );
    expect(stdout.split('\n').length).toBeGreaterThan(4000);
    expect(code).toBe(0);
  });
});
