import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Exchange } from './exchange.ts';
import { readRecording } from './read-recording.ts';
import { startRecorder } from './record-exchanges.ts';
import { reduceBody } from './reduce-body.ts';
import { serveExchanges } from './serve-exchanges.ts';
import { writeRecording } from './write-recording.ts';

const READ = { who: 'anonymous', method: 'GET', query: '', status: 200, headers: {} } as const;
const RECORD = { id: 3, title: { raw: 'a' } };

/** A site that answers each request with its own address and whether it knows the caller. */
async function site(): Promise<string> {
  const server = createServer((message, response) => {
    const url = `http://${message.headers.host}`;
    const who = message.headers.authorization ?? 'nobody';
    response.writeHead(200, { 'x-wp-total': '7', 'x-powered-by': 'x' });
    response.end(
      JSON.stringify({ url, who: who.length, asked: message.url, guid: 1 }).replaceAll('/', '\\/'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

describe('a recorder', () => {
  it('lets reads through and keeps them without the address of the site', async () => {
    const real = await site();
    const recorder = await startRecorder(real);
    onTestFinished(() => recorder.close());
    const address = `${recorder.url}/index.php?rest_route=/a&url=${encodeURIComponent(`${recorder.url}/?p=1`)}`;

    const seen = await (await fetch(address)).text();
    await fetch(address, { headers: { authorization: 'Basic x' } });
    await fetch(address);

    expect(seen).toContain(`"url":"${recorder.url}"`);
    expect(recorder.exchanges()).toEqual([
      {
        ...{ who: 'anonymous', method: 'GET', route: '/a', query: 'url={site}/?p=1', status: 200 },
        headers: { 'x-wp-total': '7' },
        body: { json: { url: '{site}', who: 6, asked: '/index.php?rest_route=/a&url={site}%2F%3Fp%3D1' } },
      },
      expect.objectContaining({ who: 'user' }),
    ]);
  });
});

describe('a replay', () => {
  it('answers what is recorded with its own address, and 404 otherwise', async () => {
    const exchange: Exchange = { ...READ, route: '/a', query: 'url={site}', body: { json: ['{site}/b'] } };
    const replay = await serveExchanges([exchange]);
    onTestFinished(() => replay.close());

    const known = await fetch(`${replay.url}/index.php?rest_route=/a&url=${replay.url}`);
    const unknown = await fetch(`${replay.url}/index.php?rest_route=/a`);
    const other = await fetch(`${replay.url}/index.php?rest_route=/a&url=${replay.url}`, {
      headers: { authorization: 'Basic x' },
    });

    expect(await known.json()).toEqual([`${replay.url}/b`]);
    expect([known.status, unknown.status, other.status]).toEqual([200, 404, 404]);
    expect([...replay.unknown]).toEqual(['anonymous GET /a ', 'user GET /a url={site}']);
  });
});

describe('a recording', () => {
  it('reads as it was written', () => {
    const folder = mkdtempSync(join(tmpdir(), 'recording-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'recording.ndjson');
    const exchanges: Exchange[] = [
      { ...READ, route: '/list', headers: { 'x-wp-total': '2' }, body: { json: [RECORD, { id: 4 }] } },
      { ...READ, route: '/list', query: 'a=b', body: { json: [] } },
      { ...READ, route: '/one', who: 'user', body: { json: RECORD } },
      { ...READ, route: '/none', status: 204, body: { text: '' } },
    ];
    const recording = { seed: 3, verdicts: { 'a/b': 'pass' }, exchanges };
    writeRecording(path, recording);

    expect(readRecording(path)).toEqual(recording);
  });
});

describe('reduceBody', () => {
  it('leaves out what tells about one site, at any depth', () => {
    expect(reduceBody([{ id: 1, guid: 2, meta: { _links: {}, a: null } }], '/a', 200)).toEqual([
      { id: 1, meta: { a: null } },
    ]);
  });

  it('keeps of a refusal the code alone', () => {
    expect(reduceBody({ code: 'no', message: 'in a folder' }, '/a', 500)).toEqual({ code: 'no' });
    expect(reduceBody('no', '/a', 400)).toBeNull();
  });

  it('keeps the index without the descriptions of parameters', () => {
    const index = {
      description: 'a site',
      _links: {},
      routes: { '/': { _links: 1, args: { a: { description: 'a', type: 'b' } } } },
    };

    expect(reduceBody(index, '/', 200)).toEqual({
      description: 'a site',
      routes: { '/': { _links: 1, args: { a: { type: 'b' } } } },
    });
  });

  it('keeps of the routes of a namespace what tells answers apart', () => {
    const [one, same, other] = [{ a: 1 }, { a: 1 }, { a: 2 }].map((routes) =>
      reduceBody({ routes }, '/a', 200),
    );

    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
  });
});
