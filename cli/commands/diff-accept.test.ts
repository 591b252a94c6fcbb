import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { indexOf, snapshotOf, withChange } from '../../compare/site.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import type { WaiverFile } from '../../specs/waivers.ts';
import { testFile, tryMain } from '../try-main.fixture.ts';

const WORDS = ['--owner', 'the web team', '--reason', 'clients are ready', '--expires', '2999-01-31'];

async function upgrade(): Promise<{ paths: [string, string]; folder: string; file: string }> {
  const { index, url } = await indexOf('core');
  const folder = testFolder();
  const maximum = ['routes', '/cms/v2/posts', 'endpoints', 0, 'args', 'per_page', 'maximum'];
  const after = withChange(index, maximum, () => 50);
  return {
    paths: [testFile('before.json', snapshotOf(index, url)), testFile('after.json', snapshotOf(after, url))],
    folder,
    file: join(folder, 'accepted.json'),
  };
}

function entriesOf(path: string): NonNullable<WaiverFile['changes']> {
  const file: WaiverFile = JSON.parse(readFileSync(path, 'utf8'));
  return file.changes ?? [];
}

it('accepts a breaking change until its expiry day, and shows it as accepted', async () => {
  const { paths, file } = await upgrade();
  const written = await tryMain('diff', ...paths, '--write-accept', file, ...WORDS);
  const accepted = await tryMain('diff', ...paths, '--accept', file);

  expect(entriesOf(file)).toMatchObject([
    {
      about: 'GET /cms/v2/posts: `per_page` maximum is 50, not 100',
      owner: 'the web team',
      expires: '2999-01-31',
      firstSeen: '2025-01-01',
    },
  ]);
  expect(written.code).toBe(0);
  expect(written.lines.join('\n')).toContain(`${file}: 1 accepted change, 1 of them new`);
  expect(accepted.code).toBe(0);
  expect(accepted.stdout).toContain('Accepted until 2999-01-31 by the web team: clients are ready');
  expect(accepted.stdout).toContain('1 breaking (1 accepted)');
});

it('counts an expired change again, and says so', async () => {
  const { paths, file } = await upgrade();
  await tryMain('diff', ...paths, '--write-accept', file, ...WORDS);
  writeFileSync(file, readFileSync(file, 'utf8').replace('2999-01-31', '2020-01-31'));
  const trial = await tryMain('diff', ...paths, '--accept', file);

  expect(trial.code).toBe(1);
  expect(trial.stdout).toMatch(/the acceptance of cause-\w{12} has expired: it counts again/);
});

it('keeps the waivers and reasons of a file, and drops needless entries', async () => {
  const { paths, file } = await upgrade();
  await tryMain('diff', ...paths, '--write-accept', file, ...WORDS);
  const [known] = entriesOf(file);
  const waiver = { check: 'posts.list/answers', reason: 'ticket 1', owner: 'we', expires: '2999-01-01' };
  const gone = { id: 'chg-0123456789ab', reason: 'ticket 2', owner: 'we', expires: '2999-01-01' };
  const mine = { ...known, reason: 'ticket 3', 'x-ticket': 3 };
  writeFileSync(file, JSON.stringify({ format: 1, waivers: [waiver], changes: [mine, gone], 'x-own': 1 }));
  const said = await tryMain('diff', ...paths, '--accept', file);
  const written = await tryMain('diff', ...paths, '--write-accept', file);

  expect(said.stdout).toContain(
    'the acceptance of chg-0123456789ab is about nothing that changed: it can go',
  );
  expect(written.lines.join('\n')).toContain(
    'removes chg-0123456789ab, we: ticket 2: nothing that changed needs it',
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    format: 1,
    waivers: [waiver],
    changes: [{ ...mine, lastSeen: '2025-01-01' }],
    'x-own': 1,
  });
  expect((await tryMain('waivers', 'list', file)).stdout).toContain('1 waiver and 1 accepted change');
});

it('writes nothing if new entries have no owner', async () => {
  const { paths, file } = await upgrade();
  const trial = await tryMain('diff', ...paths, '--write-accept', file, '--owner', 'we');

  expect(trial.code).toBe(2);
  expect(trial.lines.join('\n')).toContain('add --reason, --expires');
  expect(existsSync(file)).toBe(false);
});

it.each([
  [{ id: 'posts' }, 'is not the id of a change or a cause'],
  [{ expires: 'soon' }, '"expires" is not a valid day'],
  [{ expires: undefined }, 'every waiver needs its last day'],
  [{ raeson: 'x' }, 'did you mean "reason"?'],
])('refuses an entry with %j in the words of waivers', async (more, message) => {
  const { paths, file } = await upgrade();
  const entry = { id: 'chg-0123456789ab', reason: 'r', owner: 'o', expires: '2999-01-01', ...more };
  writeFileSync(file, JSON.stringify({ format: 1, waivers: [], changes: [entry] }));
  const trial = await tryMain('diff', ...paths, '--accept', file);

  expect(trial.code).toBe(2);
  expect(trial.lines.join('\n')).toContain('change 1');
  expect(trial.lines.join('\n')).toContain(message);
});

it('explains a change and its cause by their ids', async () => {
  const { paths, folder } = await upgrade();
  const out = join(folder, 'out');
  const { stdout } = await tryMain('diff', ...paths, '--json', '--out', out);
  const { changes, groups } = JSON.parse(stdout);
  const [cause, one] = [groups[0].digest, changes[0].digest];

  for (const id of [cause, one]) {
    const trial = await tryMain('explain', id, '--comparison', out);
    expect(trial.code).toBe(0);
    expect(trial.stdout).toContain('GET /cms/v2/posts: `per_page` maximum is 50, not 100');
    expect(trial.stdout).toContain('breaking: what callers send is more limited than before');
    expect(trial.stdout).toMatch(/before +100\nafter +50/);
    expect(trial.stdout).toContain('what to do');
  }
  expect((await tryMain('explain', one)).lines.join('\n')).toContain('add --comparison FILE');
  expect((await tryMain('explain', 'chg-0123456789ab', '--comparison', out)).code).toBe(2);
});
