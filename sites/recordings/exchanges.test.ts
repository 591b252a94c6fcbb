import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../listen.ts';
import {
  type RecordedExchange,
  readRecording,
  reduceBody,
  requestKey,
  startRecorder,
  withoutRepeats,
  writeRecording,
} from './recording.ts';

const READ = { who: 'anonymous', method: 'GET', query: '', status: 200, headers: {} } as const;
const RECORD = { id: 3, title: { raw: 'a' } };

/** A site that answers each request with its own address, whether it knows the caller, and how much was sent. */
async function site(): Promise<string> {
  const server = createServer(async (message, response) => {
    const url = `http://${message.headers.host}`;
    const who = (message.headers.authorization ?? 'nobody').length;
    const sent = (await buffer(message)).toString('utf8');
    response.writeHead(200, { 'x-wp-total': '7', 'x-powered-by': 'x' });
    const asked = message.url;
    response.end(JSON.stringify({ url, who, asked, sent, guid: 1 }).replaceAll('/', '\\/'));
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return url;
}

function post(url: string, route: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${url}/index.php?rest_route=${route}`, { method: 'POST', headers, body });
}

describe('a recorder', () => {
  it('lets requests through and keeps them without the address of the site', async () => {
    const real = await site();
    const recorder = await startRecorder(real);
    onTestFinished(() => recorder.close());
    const address = `${recorder.url}/index.php?rest_route=/a&url=${encodeURIComponent(`${recorder.url}/?p=1`)}`;

    const seen = await (await fetch(address)).text();
    await fetch(address, { headers: { authorization: 'Basic x' } });

    expect(seen).toContain(`"url":"${recorder.url}"`);
    expect(recorder.exchanges()).toEqual([
      {
        ...{ who: 'anonymous', method: 'GET', route: '/a', query: 'url={site}/?p=1', status: 200 },
        headers: { 'x-wp-total': '7' },
        body: {
          json: { url: '{site}', who: 6, asked: '/index.php?rest_route=/a&url={site}%2F%3Fp%3D1', sent: '' },
        },
      },
      expect.objectContaining({ who: 'user' }),
    ]);
  });

  it('forwards bodies in the words of the site, and distinguishes them without its address', async () => {
    const recorders = [await startRecorder(await site()), await startRecorder(await site())];
    onTestFinished(() => recorders.forEach((one) => void one.close()));
    for (const { url } of recorders) {
      await post(url, '/a', JSON.stringify({ src: `${url}/é.png` }));
      await post(url, '/a', '{}');
    }

    const [one = [], other = []] = recorders.map((recorder) => recorder.exchanges());
    expect(one).toEqual(other);
    expect(one.map(({ body }) => body)).toEqual([
      { json: expect.objectContaining({ sent: '{"src":"{site}/é.png"}' }) },
      { json: expect.objectContaining({ sent: '{}' }) },
    ]);
    expect(new Set(one.map(requestKey)).size).toBe(2);
  });
});

describe('withoutRepeats', () => {
  it('drops what the last answer says again, and nothing that comes before another one', () => {
    const answers = [1, 1, 2, 2].map((json): RecordedExchange => ({ ...READ, route: '/a', body: { json } }));
    const other: RecordedExchange = { ...READ, route: '/b', body: { json: 1 } };

    expect(withoutRepeats([...answers.slice(0, 3), other, ...answers.slice(3), { ...other }])).toEqual([
      ...answers.slice(0, 3),
      other,
    ]);
  });
});

describe('a recording', () => {
  it('reads as it was written', () => {
    const folder = mkdtempSync(join(tmpdir(), 'recording-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'recording.ndjson');
    const exchanges: RecordedExchange[] = [
      { ...READ, route: '/list', headers: { 'x-wp-total': '2' }, body: { json: [RECORD, { id: 4 }] } },
      { ...READ, route: '/list', query: 'a=b', body: { json: [] } },
      { ...READ, route: '/one', who: 'user', body: { json: RECORD } },
      { ...READ, route: '/none', status: 204, body: { text: '' } },
      { ...READ, method: 'POST', sent: 'af', route: '/one', body: { json: null } },
      { ...READ, route: '/', body: { json: { name: 'a', routes: { '/': RECORD, '/a': { b: [] } } } } },
    ];
    const recording = { seed: 3, verdicts: { 'a/b': 'pass' }, exchanges };
    writeRecording(path, recording);

    expect(readRecording(path)).toEqual(recording);
  });
});

describe('reduceBody', () => {
  it('leaves out what identifies a site, at any depth', () => {
    expect(reduceBody([{ id: 1, guid: 2, meta: { _links: {}, a: null } }], '/a', '', 200)).toEqual([
      { id: 1, meta: { a: null } },
    ]);
  });

  it('keeps of a refusal the code and the names of what it refuses, and nothing that it says', () => {
    expect(reduceBody({ code: 'no', message: 'in a folder' }, '/a', '', 500)).toEqual({ code: 'no' });
    expect(reduceBody('no', '/a', '', 400)).toBeNull();
    const named = { code: 'no', data: { status: 400, params: { page: 'page is in a folder' } } };
    expect(reduceBody(named, '/a', '', 400)).toEqual({ code: 'no', data: { params: { page: '' } } });
  });

  it('keeps of a refusal in a part of a batch the code alone', () => {
    const json = { responses: [{ status: 400, body: { code: 'no', message: 'in a folder', data: {} } }] };

    expect(reduceBody(json, '/batch/v1', '', 207)).toEqual({
      responses: [{ status: 400, body: { code: 'no' } }],
    });
  });

  it('keeps the index without the descriptions of parameters', () => {
    const index = {
      description: 'a site',
      _links: {},
      routes: { '/': { _links: 1, args: { a: { description: 'a', type: 'b' } } } },
    };

    expect(reduceBody(index, '/', '', 200)).toEqual({
      description: 'a site',
      routes: { '/': { _links: 1, args: { a: { type: 'b' } } } },
    });
  });

  it('keeps of the routes of a namespace what distinguishes answers', () => {
    const [one, same, other] = [{ a: 1 }, { a: 1 }, { a: 2 }].map((routes) =>
      reduceBody({ routes }, '/a', '', 200),
    );

    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
  });
});
