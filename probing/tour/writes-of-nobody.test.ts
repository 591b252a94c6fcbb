import { expect, it } from 'vitest';
import { AnswerRecorder } from '../../client/observed/recorder.ts';
import { testClient } from '../../client/server.fixture.ts';
import { fetchIndex } from '../../client/site-index.ts';
import { ACCOUNTS } from '../../sites/reference/request.ts';
import type { Behaviour, Handler } from '../../sites/reference/site.ts';
import { WRITE_ROLES } from '../../sites/reference/write-record.ts';
import { textsOf } from '../../specs/texts.ts';
import { cleanUp } from '../records/clean-up/clean-up.ts';
import { idsOn, setUpOwn, TAG } from '../records/own/own.fixture.ts';
import { ownRecordsOf } from '../records/own/own-check.ts';
import { writeAsNobody } from './writes-of-nobody.ts';

const [ADMINISTRATOR] = ACCOUNTS;

/** Lets everybody do what only users may. */
const open =
  (handler: Handler): Handler =>
  (call) =>
    handler({ ...call, request: { ...call.request, account: ADMINISTRATOR } });

const OPEN: Behaviour['handlers'] = {
  'posts.create': open(WRITE_ROLES.records.create),
  'posts.delete': open(WRITE_ROLES.records.delete),
};

/** What is noted of such writes of posts: the number of accepted ones, and the statuses, by method. */
async function noted(handlers: Behaviour['handlers'], level: 'none' | 'short' = 'short') {
  const { site, client: reading, session, path, contract, ...rest } = await setUpOwn({ handlers });
  const { index } = await fetchIndex(reading);
  const names = textsOf('observed');
  const recorder = new AnswerRecorder({ names, index, base: new URL(site.url), redact: (text) => text });
  const { url, user, password } = site;
  const client = testClient(url, {
    mode: 'write',
    user,
    password,
    heard: (spec, answer) => recorder.note(spec, answer),
  });
  const writing = { ...session, client, journal: { path, tag: TAG } };
  const before = await idsOn({ ...rest, site, client, session, path, contract }, 'posts');
  await ownRecordsOf(writing)?.create('posts');
  await writeAsNobody(writing, { level, isOver: () => false });
  const { left } = await cleanUp(client, contract, path);

  expect(left).toEqual([]);
  expect(await idsOn({ ...rest, site, client, session, path, contract }, 'posts')).toEqual(before);
  const own = recorder.take(true).answers.filter(({ with: how }) => how?.includes('a valid call'));
  return own.map(({ method, caller, accepted, statuses }) => ({ method, caller, accepted, statuses }));
}

it('tries each write of an own record without credentials, of collections that have one', async () => {
  const denied = { caller: 'anonymous', accepted: 0, statuses: { 401: 1 } };

  expect(await noted({})).toEqual([
    { method: 'POST', ...denied },
    { method: 'DELETE', ...denied },
    { method: 'POST', ...denied },
  ]);
  expect(await noted({}, 'none')).toEqual([]);
});

it('notes what anybody may write, and leaves nothing of it', async () => {
  const accepted = await noted(OPEN);

  expect(accepted.map(({ method, accepted: count }) => `${method} ${count}`)).toEqual([
    'POST 1',
    'DELETE 1',
    'POST 0',
  ]);
});
