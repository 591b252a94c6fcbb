import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { handling } from '../../../sites/alterations/handling.ts';
import { listen } from '../../../sites/listen.ts';
import { forward, startProxy } from '../../../sites/proxy.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import type { Served } from '../../../sites/reference/serve.ts';
import type { Answer } from '../../../sites/reference/site.ts';
import { idsOf, type RecordRun, recordRun } from '../records.fixture.ts';

const COLLECTIONS = ['media', 'pages', 'posts'];
const CREATING = ['{posts,pages,media}.create/**'];
const CREATIONS = COLLECTIONS.map((collection) => `${collection}.create`);

function messagesOf({ results }: RecordRun, ids: readonly string[]): (string | undefined)[] {
  return ids.map((id) => results.get(id)?.message);
}

/** Expects one finding for all collections, because all other checks depend on it. */
function expectOneFinding(run: RecordRun): void {
  expect(idsOf(run, 'fail')).toEqual(['posts.create/record']);
  expect(idsOf(run, 'error', 'warn', 'inconclusive', 'pass')).toEqual([]);
}

describe('a site that answers a creation with success', () => {
  it('but names no id, is reported once, and its records are removed', async () => {
    const behaviour = handling(CREATIONS, async (call, create) => ({
      ...(await create(call)),
      body: { done: true },
    }));
    const run = await recordRun({ behaviour, only: CREATING });

    expectOneFinding(run);
    expect(run.results.get('posts.create/record')?.message).toContain('the answer holds no record');
    expect(run.cleaned).toMatchObject({ removed: 3, left: [], doubts: [] });
    expect(run.difference).toEqual([]);
  });
});

describe('a site that refuses one field of every write, and names it', () => {
  it('is asked for all others by few more records than a healthy one', async () => {
    const refused = handling(['posts.create', 'posts.update'], (call, write) => {
      const params = { date: 'date is no date' };
      if (call.args.date !== undefined) throw new Refusal('invalid_param', 'Not date.', 400, { params });
      return write(call);
    });
    const only = ['posts.{create,update}/**'];
    const [healthy, run] = [await recordRun({ only }), await recordRun({ behaviour: refused, only })];

    expect(idsOf(run, 'fail')).toEqual(['posts.create/date/stored', 'posts.update/date/stored/POST']);
    expect(idsOf(run, 'inconclusive')).toEqual([]);
    expect(run.cleaned.removed).toBeLessThan(2.5 * healthy.cleaned.removed);
  }, 60_000);
});

describe('a site that answers creations too late', () => {
  it('is reported once, and its records are removed', async () => {
    const behaviour = handling(CREATIONS, async (call, create) => {
      const answer = await create(call);
      // On a busy machine, client timeouts may fire late, so this delay is much longer.
      await sleep(5000, undefined, { ref: false });
      return answer;
    });
    const run = await recordRun({ behaviour, timeout: 0.3, only: CREATING });

    expectOneFinding(run);
    expect(messagesOf(run, ['posts.create/record'])[0]).toContain('makes the server fail');
    expect(run.results.get('posts.create/record')?.observed).toContain('0.3');
    expect(run.cleaned.removed).toBe(3);
    expect(run.difference).toEqual([]);
  });
});

describe('a site whose answer to an update is lost on the way', () => {
  it('is not blamed for changes that the next update does not name', async () => {
    let updates = 0;
    const behaviour = handling('media.update', async (call, update) => {
      const answer = await update(call);
      updates += 1;
      return updates === 4 ? { ...answer, status: 504 } : answer;
    });
    const run = await recordRun({ behaviour, only: ['media.update/alone/*'] });

    expect(updates).toBeGreaterThan(4);
    expect(idsOf(run, 'fail', 'error')).toEqual([]);
  });
});

describe('a site that sends each answer to a write twice', () => {
  it('passes, and is left unchanged', async () => {
    const run = await recordRun({ through: duplicating, only: ['posts.*/**'] });

    expect(idsOf(run, 'fail', 'error')).toEqual([]);
    expect(run.ended).toBeUndefined();
    expect(run.difference).toEqual([]);
  }, 60_000);
});

describe('a site that fails during a run', () => {
  it('ends the run with inconclusive checks, and its records are removed once it is back', async () => {
    const run = await recordRun({ through: (site) => closingAfter(site, 60) });

    expect(idsOf(run, 'error')).toEqual([]);
    expect(run.ended).toMatch(/^the target stopped answering/);
    expect(run.cleaned.removed).toBeGreaterThan(5);
    expect(run.difference).toEqual([]);
  });
});

/** A proxy that sends answers to writes twice on one connection. */
async function duplicating(site: Served): Promise<string> {
  const server = createServer(async (message, response) => {
    const { method = 'GET', headers } = message;
    const url = new URL(`${site.url}${message.url}`);
    const { status, body } = await forward({ method, url, headers, body: await buffer(message) });
    if (method === 'GET') return response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    const head = `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const once = Buffer.concat([Buffer.from(head), body]);
    message.socket.end(Buffer.concat([once, once]));
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return url;
}

/** A proxy that closes every connection after a number of answers. */
async function closingAfter(site: Served, answers: number): Promise<string> {
  let left = answers;
  const { url, close } = await startProxy(site.url, async (asked) => {
    const answer = await forward(asked);
    left -= 1;
    if (left < 0) throw new Error('dead');
    return answer;
  });
  onTestFinished(close);
  return url;
}

describe('a cache in front of a site', () => {
  it('that answers reads from memory does not fail the checks of updates', async () => {
    const memory = new Map<string, Answer>();
    const behaviour = handling('posts.read', async (call, next) => {
      const key = JSON.stringify([call.args.id, call.request.query]);
      const answer = memory.get(key) ?? structuredClone(await next(call));
      memory.set(key, answer);
      return answer;
    });
    const run = await recordRun({
      behaviour,
      only: ['posts.update/{changes,alone}/**', 'posts.update/{title,format}/**'],
    });

    expect(idsOf(run, 'fail', 'error')).toEqual([]);
    expect(run.results.get('posts.update/alone/POST')?.verdict).toBe('pass');
  });
});

describe('a site that demands one field of a method', () => {
  it('is reported once, and the other fields are blocked', async () => {
    const behaviour = handling('posts.update', (call, next) => {
      if (call.request.method === 'PATCH' && call.args.title === undefined)
        throw new Refusal('no_title', 'A title is due.', 400);
      return next(call);
    });
    const run = await recordRun({ behaviour, only: ['posts.update/**/PATCH'] });

    expect(idsOf(run, 'fail', 'warn', 'error')).toEqual(['posts.update/changes/PATCH']);
    expect(run.results.get('posts.update/changes/PATCH')?.message).toBe(
      'PATCH is refused unless it names title',
    );
  });
});

describe('a site that answers what it rejects with a server error', () => {
  it.each([
    ['Image too small. Minimum is 400 x 300.', ': "Image too small. Minimum is 400 x 300."'],
    ['<p>There has been a critical error on this website.</p>', ''],
  ])('is reported with its reason, but not with its page: %s', async (message, said) => {
    const behaviour = handling(CREATIONS, () => {
      throw new Refusal('rejected', message, 500);
    });
    const run = await recordRun({ behaviour, only: ['media.create/record'] });

    const what = 'a creation in media with nothing but a picture makes the server fail';
    expect(messagesOf(run, ['media.create/record'])).toEqual([`${what}${said}`]);
  });
});

describe('a site that takes no sound', () => {
  it('leaves open whether an upload has a picture of its own', async () => {
    const behaviour = handling(CREATIONS, (call, create) => {
      if (call.request.headers['content-type']?.startsWith('audio/') === true)
        throw new Refusal('no_sound', 'No.', 415);
      return create(call);
    });
    const run = await recordRun({ behaviour, only: ['media.{create,update}/featured_media/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([]);
    expect(idsOf(run, 'inconclusive')).toContain('media.update/featured_media/unset');
  });
});
