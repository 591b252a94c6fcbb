import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import { EventLog } from '../../reports/read-events.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { testFile, tryMain } from '../try-main.fixture.ts';
import { ignoreBrokenPipes, openPage } from './output.ts';

function withOpener(script: string): string {
  const notes = join(testFolder(), 'opened');
  const opener = testFile('xdg-open', `#!/bin/sh\n[ $# = 1 ] && printf '%s' "$1" > '${notes}'\n${script}\n`);
  chmodSync(opener, 0o755);
  vi.stubEnv('PATH', `${dirname(opener)}:${process.env.PATH}`);
  return notes;
}

function runFolder(): string {
  const folder = testFolder();
  const { tool, target, run, conclusion, reason } = sampleResult([sampleCheck({})]);
  const { id, started, mode, seed, seconds, requests, retries } = run;
  const log = new EventLog(join(folder, 'events.ndjson'));
  log.append({ event: 'start', tool, target, run: { id, started, mode, seed }, planned: 1 });
  log.append({ event: 'check', check: sampleCheck({}) });
  log.append({ event: 'end', conclusion, reason, seconds, requests, retries });
  log.close();
  return folder;
}

describe('report --open', () => {
  it('opens the page, whatever its path, without a shell', async () => {
    const notes = withOpener('');
    const out = join(testFolder(), "it's $(a) page");
    const { code, lines } = await tryMain('report', runFolder(), '--out', out, '--open');

    expect({ code, lines }).toEqual({ code: 0, lines: [] });
    expect(readFileSync(notes, 'utf8')).toBe(join(out, 'report.html'));
  });

  it('prints the path of a page that cannot be opened', async () => {
    withOpener('exit 3');
    const folder = runFolder();
    const page = join(folder, 'report.html');
    const failed = await tryMain('report', folder, '--open');

    expect(failed).toMatchObject({ code: 2 });
    expect(failed.lines).toEqual([
      `site-conformance: --open: xdg-open ended with code 3; the page is ${page}`,
    ]);
    expect(existsSync(page)).toBe(true);

    vi.stubEnv('PATH', testFolder());
    await expect(openPage(page, 'linux')).rejects.toThrow(
      `--open: there is no xdg-open on this machine; the page is ${page}`,
    );
    await expect(openPage(page, 'darwin')).rejects.toThrow('there is no open on this machine');
  });

  it('is refused before anything is made if no page is made', async () => {
    const folder = runFolder();
    const { code, lines } = await tryMain('report', folder, '--reporter', 'markdown', '--open');

    expect({ code, lines }).toEqual({
      code: 2,
      lines: ['site-conformance: --open opens the page: add --reporter html'],
    });
    expect(existsSync(join(folder, 'report.md'))).toBe(false);
  });

  it('continues if the opener becomes the browser', async () => {
    withOpener('sleep 2');

    await expect(openPage('report.html', 'linux', 200)).resolves.toBeUndefined();
  });
});

it('does not hide other errors of a stream, and listens once', () => {
  const stream = new PassThrough();
  ignoreBrokenPipes([stream]);
  ignoreBrokenPipes([stream]);

  expect(stream.listenerCount('error')).toBe(1);
  expect(() => stream.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }))).toThrow('full');
  expect(() => stream.emit('error', Object.assign(new Error('closed'), { code: 'EPIPE' }))).not.toThrow();
});
