import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ExchangeLog } from './exchange-log.ts';
import { createRedactor } from './redact.ts';
import { sendJson, testClient, testServer } from './server.fixture.ts';
import { SPELLINGS } from './spellings.fixture.ts';

const PASSWORD = 'abcd efgh/"ijkl"';
const TOKEN = 't0p/secret+value&more';

interface Entry {
  request: {
    method: string;
    url: string;
    headers: { name: string; value: string }[];
    postData?: { text: string };
  };
  response: {
    status: number;
    headers: { name: string; value: string }[];
    content: { text?: string; comment?: string; size: number };
    comment?: string;
  };
  comment?: string;
}

function recording(): { path: string; entries: () => Entry[]; text: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'exchanges-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'exchanges.ndjson');
  const text = (): string => readFileSync(path, 'utf8');
  const entries = (): Entry[] =>
    text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { path, entries, text };
}

it('records each request and its answer once', async () => {
  const { path, entries } = recording();
  const server = await testServer((_request, response) => sendJson(response, { ok: true }));
  const client = testClient(server.url, { exchanges: path, mode: 'full' });
  await client.request({ method: 'GET', route: '/x', query: [['page', '2']] });
  await client.request({
    method: 'POST',
    route: '/y',
    body: { json: { title: 'a' } },
    intent: 'alters-site',
  });
  await client.close();
  const [read, write] = entries();

  expect(entries()).toHaveLength(2);
  expect(read?.request.url).toContain('page=2');
  expect(read?.response).toMatchObject({ status: 200, content: { text: '{"ok":true}', size: 11 } });
  expect(write?.request).toMatchObject({ method: 'POST', postData: { text: '{"title":"a"}' } });
});

it('records why there was no answer', async () => {
  const { path, entries } = recording();
  const server = await testServer((request, response) =>
    request.method === 'HEAD' ? response.end() : response.socket?.destroy(),
  );
  const client = testClient(server.url, { exchanges: path });
  await client.request({ method: 'GET', route: '/x' });
  await client.close();

  expect(entries()[0]?.response).toMatchObject({ status: 0, comment: expect.stringContaining('closed') });
});

it('records nothing unless asked to', async () => {
  const { path, text } = recording();
  const server = await testServer((_request, response) => sendJson(response, {}));
  const client = testClient(server.url, {});
  await client.request({ method: 'GET', route: '/x' });

  expect(() => text()).toThrow(path);
});

it('never keeps a secret, in any encoding of a site', async () => {
  const { path, text, entries } = recording();
  const spelled = [PASSWORD, TOKEN].flatMap((secret) =>
    Object.values(SPELLINGS).map((spell) => spell(secret)),
  );
  const server = await testServer((request, response) => {
    response.setHeader('set-cookie', 'session=private-to-the-user');
    response.setHeader('x-echo', encodeURIComponent(String(request.headers['x-token'])));
    response.setHeader('location', `/?token=${encodeURIComponent(TOKEN)}`);
    sendJson(response, { authorization: request.headers.authorization, spelled });
  });
  const client = testClient(server.url, {
    exchanges: path,
    user: 'admin',
    password: PASSWORD,
    headers: { 'x-token': TOKEN, 'x-gate': 'off1' },
    mode: 'full',
  });
  await client.request({ method: 'GET', route: '/', as: 'user', query: [['password', PASSWORD]] });
  await client.request({
    method: 'POST',
    route: '/',
    as: 'user',
    body: { form: [['token', TOKEN]] },
    intent: 'alters-site',
  });
  await client.close();
  const kept = text();

  expect(entries()).toHaveLength(2);
  for (const secret of [
    ...spelled,
    Buffer.from(`admin:${PASSWORD}`).toString('base64'),
    'private-to-the-user',
  ]) {
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
  const headers = new Map(entries()[0]?.request.headers.map(({ name, value }) => [name, value]));
  expect([headers.get('authorization'), headers.get('x-token'), headers.get('x-gate')]).toEqual([
    '[redacted]',
    '[redacted]',
    '[redacted]',
  ]);
});

it('cuts long bodies, but never inside a secret', () => {
  const { path, entries } = recording();
  const log = new ExchangeLog(path, createRedactor([PASSWORD]), []);
  const body = Buffer.from(`${'x'.repeat(15_990)}${PASSWORD}${'y'.repeat(100_000)}`);
  log.record({ url: 'http://a/', method: 'GET', headers: {} }, new Date(), 1, {
    status: 200,
    headers: {},
    body,
  });
  const image = { status: 200, headers: { 'content-type': 'image/png' }, body };
  log.record({ url: 'http://a/', method: 'GET', headers: {}, body: new Uint8Array(9) }, new Date(), 1, image);
  log.close();
  const [text, bytes] = entries();

  expect(text?.response.content.text?.length).toBeLessThan(16_100);
  expect(text?.response.content).toMatchObject({
    size: body.length,
    comment: expect.stringContaining('cut after'),
  });
  expect(text?.response.content.text).not.toContain('abcd');
  expect(bytes?.response.content).toMatchObject({ comment: `${body.length} bytes, not kept` });
  expect(bytes?.response.content.text).toBeUndefined();
});

it.each([
  ['exchanges', { exchanges: 3, bytes: 1_000_000 }],
  ['bytes', { exchanges: 1000, bytes: 1700 }],
])('stops at the maximum %s, and says that there was more', (_what, bounds) => {
  const { path, entries } = recording();
  const log = new ExchangeLog(path, (text) => text, [], bounds);
  const answer = { status: 200, headers: {}, body: Buffer.from('{}') };
  for (let at = 0; at < 50; at += 1)
    log.record({ url: 'http://a/', method: 'GET', headers: {} }, new Date(), 1, answer);
  log.close();

  expect(entries()).toHaveLength(4);
  expect(entries().at(-1)).toEqual({ comment: 'more exchanges followed: 3 are recorded' });
});
