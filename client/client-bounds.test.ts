import { describe, expect, it, vi } from 'vitest';
import { GET, sendJson, testClient, testServer } from './server.fixture.ts';

describe('a deadline', () => {
  it.each([
    ['a throttled request waits', 429, false],
    ['a request hangs', 200, true],
  ])('ends the waiting while %s', async (_case, status, hangs) => {
    const server = await testServer((request, response) => {
      if (request.method === 'HEAD') return response.end();
      if (hangs) return undefined;
      response.writeHead(status, { 'retry-after': '999999' });
      return response.end();
    });
    const client = testClient(server.url, { deadline: Date.now() + 300, timeout: 60 });
    const all = await Promise.allSettled(Array.from({ length: 12 }, () => client.request(GET)));

    for (const one of all) expect(one).toMatchObject({ reason: { problem: 'over-budget' } });
    await expect(client.request(GET)).rejects.toMatchObject({ problem: 'over-budget' });
  });

  it('lets a write finish that was sent before it', async () => {
    const server = await testServer((_request, response) => {
      client.endAt(Date.now());
      setTimeout(() => sendJson(response, {}), 200);
    });
    const client = testClient(server.url, { mode: 'full' });

    expect((await client.request({ method: 'POST', route: '/' })).answer).toBe('accepted');
  });

  it('is reached when the client closes, so that nobody waits for throttling', async () => {
    const server = await testServer((_request, response) => {
      response.writeHead(429, { 'retry-after': '60' });
      response.end();
    });
    const client = testClient(server.url);
    const waiting = client.request(GET).catch((error: unknown) => error);
    while (client.traffic.retries === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await client.close();

    expect(await waiting).toMatchObject({ problem: 'gone' });
  });

  it('comes after six minutes in which the target only asks to retry later, and again while cleaning up', async () => {
    const clock = performance.now.bind(performance);
    let ahead = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock() + ahead);
    const server = await testServer((_request, response) => {
      ahead += 150_000;
      response.writeHead(503, { 'retry-after': '0' });
      response.end();
    });
    const client = testClient(server.url);
    for (const requests of [4, 8]) {
      client.endAt(undefined);
      await expect(client.request({ ...GET, route: `/${requests}` })).rejects.toMatchObject({
        problem: 'gone',
      });
      expect(client.traffic.requests).toBe(requests);
    }
    now.mockRestore();
  });

  it('can be moved for cleaning up', async () => {
    const server = await testServer((_request, response) => sendJson(response, {}));
    const client = testClient(server.url, { deadline: Date.now() - 1 });
    await expect(client.request(GET)).rejects.toMatchObject({ problem: 'over-budget' });
    client.endAt(Date.now() + 60_000);

    expect((await client.request(GET)).answer).toBe('accepted');
  });
});

it('the time of an exchange excludes the time when this process is busy', async () => {
  const server = await testServer((_request, response) => sendJson(response, {}));
  const client = testClient(server.url, { timeout: 0.2 });
  const asked = client.request(GET);
  await new Promise((resolve) => setImmediate(resolve));
  const until = performance.now() + 400;
  while (performance.now() < until);

  expect((await asked).answer).toBe('accepted');
});

describe('a target that stops answering requests', () => {
  it('is gone for everybody at once, even if it answers a health probe', async () => {
    const server = await testServer((request, response) => {
      if (request.method === 'HEAD') response.end();
    });
    const client = testClient(server.url, { timeout: 0.2, concurrency: 2 });
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => client.request(GET)));
    const gone = all.filter((one) => one.status === 'rejected');

    expect(gone.length).toBeGreaterThan(90);
    for (const one of gone) expect(one.reason).toMatchObject({ problem: 'gone' });
    expect(server.seen.length).toBeLessThan(25);
  });

  it('is not gone while it answers something in between', async () => {
    let count = 0;
    const server = await testServer((request, response) => {
      count += request.method === 'GET' ? 1 : 0;
      if (request.method === 'HEAD' || count % 4 === 0) sendJson(response, {});
    });
    const client = testClient(server.url, { timeout: 0.1, concurrency: 1 });
    const answers = [];
    for (let times = 0; times < 12; times += 1) answers.push((await client.request(GET)).answer);

    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(3);
  });
});
