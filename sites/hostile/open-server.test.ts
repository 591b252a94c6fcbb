import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CATALOGUE, CONTROLS } from './catalogue.ts';
import { basic, PASSWORD, USER } from './exchange.ts';
import { openServer } from './open-server.ts';
import type { HostileServer } from './server.ts';

const LOGIN = basic({ user: USER, password: PASSWORD });

async function open(name: string): ReturnType<typeof openServer> {
  const server = [...CONTROLS, ...CATALOGUE].find((one) => one.name === name);
  if (server === undefined) throw new Error(`no server is called ${name}`);
  const up = await openServer(server);
  onTestFinished(() => up.close());
  return up;
}

async function ask(
  up: Awaited<ReturnType<typeof openServer>>,
  route: string,
  init: RequestInit = {},
): Promise<unknown> {
  return (await fetch(`${up.url}/index.php?rest_route=${route}`, init)).json();
}

it('takes a census that shows what was written', async () => {
  const up = await open('control/write');
  const before = await up.census();
  await ask(up, '/cms/v2/posts/1&force=true', { method: 'DELETE', headers: { authorization: LOGIN } });
  const after = await up.census();

  expect(before.has('posts/1')).toBe(true);
  expect([...before.keys()].filter((place) => !after.has(place))).toEqual(['posts/1']);
});

it('sees requests that reach another origin', async () => {
  const up = await open('redirects/to-another-origin');
  await fetch(`${up.url}/index.php?rest_route=/`);

  expect(up.misdirected).toHaveLength(1);
});

it('writes past HTTP', async () => {
  const up = await open('transport/status-000');
  const socket = connect(Number(new URL(up.url).port), '127.0.0.1');
  socket.write('GET /index.php?rest_route=/ HTTP/1.1\r\nHost: a\r\n\r\n');

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 000 /);
});

/** Their deviations show in time, after many requests, or in connections. */
const UNSEEN = /^transport\/|^throttling\/|^sizes\/dense-index|^secrets\/in-what-breaks/;
/** The verdict alone would not show that such a server has become healthy. */
const MAY_CONFORM = CATALOGUE.filter(
  ({ name, expected }) => expected.codes.includes(0) && !UNSEEN.test(name),
);

/** The answers of a server to a read and a write of each kind, without what differs between two healthy ones. */
async function* answersOf(server: HostileServer): AsyncGenerator<string> {
  const up = await openServer(server);
  const send = async (method: string, route: string, body?: object): Promise<string> => {
    const answer = await fetch(`${up.url}/index.php?rest_route=${route}`, {
      method,
      redirect: 'manual',
      headers: { authorization: LOGIN, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const headers = [...answer.headers].filter(([name]) => !['date', 'content-length'].includes(name));
    const shown = `${answer.status} ${JSON.stringify(headers)} ${await answer.text()}`;
    return shown.replaceAll(up.url, '').replaceAll(/\d{4}-\d\d-\d\dT[\d:]+/g, (date) => date.slice(0, 4));
  };
  try {
    const tag = 'sc-20200102030405-abcdef';
    yield await send('GET', '/');
    yield await send('GET', '/cms/v2/posts');
    yield await send('POST', '/cms/v2/posts', { title: tag, slug: tag, status: 'draft' });
    yield await send('GET', `/cms/v2/posts&search=${tag}&status=draft`);
    yield await send('GET', '/cms/v2/posts&status=draft');
    yield await send('POST', '/cms/v2/posts', { title: 'Second', slug: `${tag}-2`, status: 'draft' });
    yield await send('POST', '/batch/v1', {
      requests: [{ path: '/cms/v2/posts', body: { title: 'Third' } }, { path: '/cms/v2/nowhere' }],
    });
    yield await send('GET', '/');
  } finally {
    await up.close();
  }
}

describe('a server whose run may conform', () => {
  let healthy: string[] = [];
  beforeAll(async () => {
    const [one, other] = await Promise.all(
      CONTROLS.map((control) => Readable.from(answersOf(control)).toArray()),
    );
    expect(one).toEqual(other);
    healthy = one ?? [];
  });

  it.each(MAY_CONFORM)('differs from a healthy one: $name', { timeout: 30_000 }, async (server) => {
    const usual = healthy.values();
    const isSame = (answer: string): boolean => answer === usual.next().value;

    expect(await Readable.from(answersOf(server)).every(isSame)).toBe(false);
  });
});
