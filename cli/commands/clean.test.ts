import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closedAfter } from '../../client/server.fixture.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { refusal, tryMain, tryMainAs } from '../try-main.fixture.ts';

const DEAD = 2 ** 22 + 1;

function journal(folder: string, run: string, changes: Readonly<Record<string, unknown>> = {}): void {
  const head = {
    entry: 'run',
    run,
    tag: `sc-${run}`,
    target: 'https://shop.example/',
    deployment: 'core',
    vocabulary: 'neutral',
    user: 'ann',
    started: '2025-03-04T05:06:07.000Z',
    pid: DEAD,
    ...changes,
  };
  const lines = [
    head,
    { entry: 'intend', collection: 'posts', slug: 'a' },
    { entry: 'created', collection: 'posts', slug: 'a', id: 7 },
    { entry: 'intend', collection: 'media', slug: 'b' },
  ];
  mkdirSync(join(folder, 'journals'), { recursive: true });
  writeFileSync(
    join(folder, 'journals', `${run}.ndjson`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
}

function clean(out: string, ...more: string[]): ReturnType<typeof tryMain> {
  return tryMain('clean', '--out', out, ...more);
}

describe('clean', () => {
  it('sends nothing to a host of any run that is not confirmed', async () => {
    const out = testFolder();
    journal(join(out, 'shop'), 'r1');
    journal(join(out, 'blog', 'rerun'), 'r2', { target: 'https://blog.example/' });

    expect(await clean(out, '--confirm-host', 'shop.example')).toMatchObject(
      refusal('add --confirm-host blog.example'),
    );
  });

  it('does not touch a running run, and does not exit as if all were clean', async () => {
    const out = testFolder();
    journal(out, 'r1', { started: new Date().toISOString(), pid: process.pid });

    expect(await clean(out)).toMatchObject({
      code: 3,
      stdout: `run r1 is still running as process ${process.pid}: its records are not touched; if that is another program, add --run r1\n`,
    });
  });

  it.runIf(process.platform === 'linux')('treats a killed run as ended before its parent asks', async () => {
    const out = testFolder();
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60']);
    try {
      const [line] = await once(parent.stdout, 'data');
      const status = `/proc/${Number(line)}/status`;
      await expect.poll(() => readFileSync(status, 'utf8')).toMatch(/^State:\tZ/m);
      journal(out, 'r1', { pid: Number(line) });

      expect((await clean(out)).lines).toEqual([expect.stringContaining('--confirm-host shop.example')]);
    } finally {
      parent.kill();
    }
  });

  it('treats a run as ended if its process number is reused', async () => {
    const out = testFolder();
    journal(out, 'r1', { pid: process.pid });

    expect((await clean(out)).lines).toEqual([expect.stringContaining('--confirm-host shop.example')]);
  });

  it('reports how many uploads may have left a file that no route shows', async () => {
    const site = await closedAfter(serve({ deployment: 'core' }));
    const out = testFolder();
    journal(out, 'r1', { target: site.url, user: site.user });

    expect(await tryMainAs(site, 'clean', '--out', out)).toMatchObject({
      stdout: expect.stringContaining(
        '1 upload ended without a record: the site may have kept its file, which no route shows; look for sc-r1-*',
      ),
    });
  });

  it('reports that nothing is left', async () => {
    expect(await clean(testFolder())).toMatchObject({ code: 0, lines: [] });
  });
});

it('whoever meets a journal reports the leftovers of a fleet by kind of record, with the command that removes them', async () => {
  const out = testFolder();
  journal(join(out, 'shop'), 'r1');

  const config = join(out, 'config.json');
  writeFileSync(config, JSON.stringify({ deployment: 'core', only: ['index/**'], out }));

  expect(await tryMain('plan', '--config', config)).toMatchObject({
    lines: [
      expect.stringMatching(
        /^run r1 left up to 2 records on https:\/\/shop\.example\/ \(1 posts, 1 media\); to remove them: .*clean --run r1 --out .*shop --confirm-host shop\.example$/,
      ),
    ],
  });
});
