import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { answerOf, type Sent } from '../ask.fixture.ts';
import { CATALOGUE, CONTROLS } from './catalogue.ts';
import { PASSWORD, USER } from './exchange.ts';
import { openServer } from './open-server.ts';
import type { HostileServer } from './server.ts';

const LOGIN = { user: USER, password: PASSWORD };

async function open(name: string): ReturnType<typeof openServer> {
  const server = [...CONTROLS, ...CATALOGUE].find((one) => one.name === name);
  if (server === undefined) throw new Error(`no server is called ${name}`);
  const up = await openServer(server);
  onTestFinished(() => up.close());
  return up;
}

it('takes a census that shows what was written', async () => {
  const up = await open('control/write');
  const before = await up.census();
  await answerOf({ url: up.url, ...LOGIN }, { method: 'DELETE', route: '/cms/v2/posts/1&force=true' });
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

const TAG = 'sc-20200102030405-abcdef';
/** A read and a write of each kind. */
const SENT: readonly Sent[] = [
  { route: '/' },
  { route: '/cms/v2/posts' },
  { method: 'POST', route: '/cms/v2/posts', body: { title: TAG, slug: TAG, status: 'draft' } },
  { route: `/cms/v2/posts&search=${TAG}&status=draft` },
  { route: '/cms/v2/posts&status=draft' },
  { method: 'POST', route: '/cms/v2/posts', body: { title: 'Second', slug: `${TAG}-2`, status: 'draft' } },
  {
    method: 'POST',
    route: '/batch/v1',
    body: { requests: [{ path: '/cms/v2/posts', body: { title: 'Third' } }, { path: '/cms/v2/nowhere' }] },
  },
  { route: '/' },
];

async function* answersOf(server: HostileServer): AsyncGenerator<string> {
  const up = await openServer(server);
  try {
    for (const one of SENT) yield await answerOf({ url: up.url, ...LOGIN }, one);
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
