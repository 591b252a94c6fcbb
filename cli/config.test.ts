import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../specs/folder.fixture.ts';
import { loadConfig } from './config.ts';
import { refusal, testFile, tryMain, tryRun } from './try-main.fixture.ts';

describe('loadConfig', () => {
  it('reads settings and named targets', () => {
    const config = { concurrency: 2, targets: { staging: { url: 'https://staging.example.org', rate: 5 } } };

    expect(loadConfig(testFile('my.config.json', config))).toEqual(config);
  });

  it('is empty if no file is named and the default one is missing', () => {
    expect(loadConfig(undefined)).toEqual({});
  });
});

describe('a configuration file that cannot be used', () => {
  it.each<[string, string, RegExp]>([
    [
      'a misspelt name',
      '{"concurency": 3}',
      /the top level: does not know "concurency"; did you mean "concurrency"\?/,
    ],
    [
      'a misspelt name of a target',
      '{"targets": {"staging": {"url": "http://127.0.0.1:1", "timout": 3}}}',
      /\/targets\/staging: does not know "timout"; did you mean "timeout"\?/,
    ],
    [
      'a misspelt name beside a target whose name speaks of names',
      '{"targets": {"does not know": {"url": 5}}, "concurency": 3}',
      /the top level: does not know "concurency"; did you mean "concurrency"\?/,
    ],
    [
      'the address of one site',
      '{"url": "http://a"}',
      /the top level: does not know "url"; the address is "target"/,
    ],
    [
      'the address of one of several sites',
      '{"targets": {"staging": {"url": "http://a", "target": "http://a"}}}',
      /\/targets\/staging: does not know "target"; the address is "url" here/,
    ],
    ['an unknown name', '{"password": "x"}', /the top level: does not know "password" \(schema: /],
    ['a value of another type', '{"concurrency": "3"}', /\/concurrency: must be integer/],
    ['a wrong value', '{"mode": "all"}', /\/mode: must be one of \["read","validate","write","full"\]/],
    ['no address', '{"targets": {"staging": {}}}', /\/targets\/staging: must have required property/],
    ['text that is no JSON', '{\n', /is not JSON \(/],
  ])('says in one line what is wrong with %s', async (_what, text, line) => {
    const path = testFile('my.config.json', text);
    const { code, lines, left } = await tryRun('--config', path);

    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(lines[0]).toContain(`site-conformance: ${path}: `);
    expect({ code, left }).toEqual({ code: 2, left: [] });
  });

  it('reports that it is missing', async () => {
    expect(await tryRun('--config', join(testFolder(), 'none.json'))).toMatchObject(
      refusal(/--config: .*none\.json does not exist$/),
    );
  });

  it('suggests a named target', async () => {
    const path = testFile('my.config.json', '{"targets": {"staging": {"url": "http://127.0.0.1:1"}}}');
    expect(await tryRun('--config', path, '--target', 'stagin')).toMatchObject(
      refusal('(named are staging); did you mean "staging"?'),
    );
  });
});

describe('a file that we did not write', () => {
  const fifo = (): string => {
    const path = join(testFolder(), 'pipe.json');
    execFileSync('mkfifo', [path]);
    return path;
  };
  const large = (): string => {
    const path = join(testFolder(), 'large.json');
    writeFileSync(path, '');
    truncateSync(path, 2 ** 30);
    return path;
  };

  it.each<[string, () => string, RegExp]>([
    ['a pipe', fifo, /it is not a regular file/],
    ['a device', () => '/dev/zero', /it is not a regular file/],
    ['a folder', testFolder, /it is not a regular file/],
    ['a file of 1 GB', large, /it is larger than 16 MB/],
  ])('is refused at once in one line when it is %s', async (_what, path, line) => {
    expect(await tryRun('--config', path())).toMatchObject(refusal(line));
  });

  it.each([
    ['--deployment', fifo],
    ['--vocabulary', large],
  ])('is refused for %s too', async (option, path) => {
    expect(await tryRun(option, path())).toMatchObject(
      refusal(/it is (not a regular file|larger than 16 MB)/),
    );
  });

  it('is not a journal for clean', async () => {
    const folder = testFolder();
    mkdirSync(join(folder, 'journals'));
    execFileSync('mkfifo', [join(folder, 'journals', 'x.ndjson')]);
    expect(await tryMain('clean', '--run', 'x', '--out', folder)).toMatchObject(
      refusal('holds no journal of such a run'),
    );
  });
});
