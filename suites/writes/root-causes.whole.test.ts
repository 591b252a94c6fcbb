import { describe, expect, it } from 'vitest';
import { handling, showing, turningArgs, withList, without } from '../../sites/alterations/handling.ts';
import { recordOf } from '../../sites/alterations/selecting.ts';
import { isObject, type Json, type JsonObject, mapped } from '../../sites/reference/json.ts';
import { Refusal } from '../../sites/reference/request.ts';
import type { Alter } from '../../sites/reference/site.ts';
import { idsWith, writingRun } from './records.fixture.ts';

const WRITES = ['posts.create', 'posts.update'];

/** A site whose list of posts shows another text in the field of raw excerpts, but in the edit context. */
const LISTING_OTHERWISE = handling('posts.list', async (call, next) => {
  const shown = (item: Json): Json =>
    isObject(item) && isObject(item.excerpt) ? { ...item, excerpt: { ...item.excerpt, raw: 'x' } } : item;
  const answer = await next(call);
  return call.args.context === 'edit' ? answer : withList(answer, (list) => list.map(shown));
});

describe('a field that posts do not store', () => {
  it.each<[string, string[]]>([
    ['excerpt', ['batch/{method/*,query,order}', 'lifecycle/posts', 'protected/posts/written/*']],
    ['title', ['posts.update/form', 'posts.create/form', 'lifecycle/posts']],
    ['slug', ['lifecycle/posts', 'batch/method/*']],
    ['status', ['autosaves/posts/*']],
  ])('is reported by its own checks alone: %s', async (field, others) => {
    const mutant = turningArgs(WRITES, (args) => without(args, field));
    const results = await writingRun(
      [`posts.{create,update}/${field}/{stored,stored/**}`, ...others],
      mutant,
    );
    const failed = idsWith(results, 'fail', 'error', 'warn');

    expect(failed.length).toBeGreaterThan(0);
    expect(failed.filter((id) => !/^posts\.(create|update)\/\w+\/stored(\/|$)/.test(id))).toEqual([]);
  });
});

it('tries the updates of a field that only creations lose', async () => {
  const mutant = turningArgs('posts.create', (args) => without(args, 'excerpt'));
  const results = await writingRun(['posts.{create,update}/excerpt/{stored,stored/**}'], mutant);

  expect(idsWith(results, 'fail')).toEqual(['posts.create/excerpt/stored']);
  expect(idsWith(results, 'pass')).toEqual(
    ['POST', 'PUT', 'PATCH'].map((method) => `posts.update/excerpt/stored/${method}`),
  );
});

/** Writes leave out characters of four bytes, as a database without room for them. */
const KEEPING_THREE_BYTES = turningArgs([...WRITES, 'pages.create', 'pages.update'], (args) =>
  mapped(args, (value) => JSON.parse(JSON.stringify(value).replaceAll(/\p{Extended_Pictographic}/gu, ''))),
);

it('leaves the checks of plain words to a site that loses other characters', async () => {
  const about = ['protected/posts/**', 'states/posts/**', 'batch/method/*'];
  const results = await writingRun(['{posts,pages}.create/*/stored', ...about], KEEPING_THREE_BYTES);
  const blocked = idsWith(results, 'skip').filter((id) => !id.endsWith('/stored'));

  expect(idsWith(results, 'fail')).toEqual(['posts.create/content/stored']);
  expect(blocked).toEqual([]);
});

/** Changes the texts of a record that are written as the member `raw`. */
const rawTexts = (record: JsonObject, turn: (text: string) => Json): JsonObject =>
  mapped(record, (value) =>
    isObject(value) && typeof value.raw === 'string' ? { ...value, raw: turn(value.raw) } : value,
  );

/** Updates leave out what would empty a field. */
const SETTING_NOTHING_BACK = turningArgs(['posts.update', 'pages.update'], (args) =>
  Object.fromEntries(
    Object.entries(args).filter(([, value]) => ![value, isObject(value) && value.raw].includes('')),
  ),
);

/** A deletion of a file removes all other files of the run. */
const REMOVING_ALL = handling('media.delete', async (call, next) => {
  const { store } = call.site;
  const answer = await next(call);
  for (const one of store.ofKind('media')) if (one.title.startsWith('sc-')) store.remove(one);
  return answer;
});

describe('one cause', () => {
  it.each<[string, Alter, string[], string]>([
    [
      'a draft is stored for what is pending',
      turningArgs([...WRITES, 'pages.create', 'pages.update'], (args) =>
        args.status === 'pending' ? { ...args, status: 'draft' } : args,
      ),
      ['{posts,pages}.{create,update}/status/{stored/*,form}'],
      'posts.create/status/stored/pending',
    ],
    [
      'raw texts hold entities',
      showing(
        () => true,
        (record) => rawTexts(record, (text) => text.replaceAll('&', '&amp;')),
      ),
      ['{posts,pages}.create/{title,content,excerpt}/stored', 'posts.update/{title,content}/stored/*'],
      'posts.create/content/stored',
    ],
    [
      'nothing can be emptied',
      SETTING_NOTHING_BACK,
      ['{posts,pages}.update/{password,content,excerpt}/{unset,stored/*}'],
      'posts.update/password/unset',
    ],
    [
      'a deletion removes other files',
      REMOVING_ALL,
      [
        'states/media/{untouched,inherit/listed,force}',
        'media/list/mime_type',
        'media.update/alone/others',
        'posts.create/featured_media/stored',
      ],
      'states/media/untouched',
    ],
  ])('is one failure: %s', async (_, behaviour, asked, id) => {
    const results = await writingRun(asked, behaviour);

    expect(idsWith(results, 'fail', 'error', 'warn')).toEqual([id]);
  });
});

describe('a database that drops characters of four bytes', () => {
  it('is one failure in all texts', async () => {
    const asked = ['{posts,pages}.create/{title,content,excerpt,password}/stored'];
    const lossy = turningArgs(['posts.create', 'pages.create'], (args) =>
      JSON.parse(JSON.stringify(args).replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
    );
    const results = await writingRun(asked, lossy);

    expect(idsWith(results, 'fail', 'error', 'warn')).toEqual(['posts.create/password/stored']);
  });
});

describe('a site that deletes for good without force', () => {
  it('is reported by the check of the trash alone', async () => {
    const mutant = turningArgs('posts.delete', (args) => ({ ...args, force: true }));
    const results = await writingRun(['states/posts/{trash,force,again}', 'lifecycle/posts'], mutant);

    expect(idsWith(results, 'fail', 'error', 'warn')).toEqual(['states/posts/trash']);
  });
});

describe('a list that shows a record otherwise than a read of it', () => {
  it('is no effect of a deletion', async () => {
    const results = await writingRun(['states/posts/force'], LISTING_OTHERWISE);

    expect(idsWith(results, 'fail', 'error')).toEqual([]);
  });
});

describe('a date_gmt that is no date', () => {
  it('is not said to differ from date', async () => {
    const turned = showing(
      () => true,
      (one) => ('date_gmt' in one ? { ...one, date_gmt: '31/05/2021 10:00' } : one),
    );
    const asked = ['records/pages/types/date_gmt', 'pages.create/{date,date_gmt}/agrees'];
    const results = await writingRun(asked, turned);

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual(['records/pages/types/date_gmt']);
  });
});

describe('revisions without ids', () => {
  it('are not said to be missing', async () => {
    const listed = handling('post-revisions.list', async (call, next) =>
      withList(await next(call), (list) => list.map(() => null)),
    );
    const asked = ['records/post-revisions/ids', 'revisions/posts/created'];
    const results = await writingRun(asked, listed);

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual(['records/post-revisions/ids']);
  });
});

it('reports a site that keeps what is published for a review once, though it schedules nothing either', async () => {
  const reviewed = turningArgs(WRITES, (args) =>
    args.status === 'publish' || args.status === 'future' ? { ...args, status: 'pending' } : args,
  );
  const results = await writingRun(['posts.create/status/stored/{publish,future}'], reviewed);

  expect(idsWith(results, 'fail')).toEqual(['posts.create/status/stored/publish']);
  expect(idsWith(results, 'skip')).toEqual(['posts.create/status/stored/future']);
});

it('goes on with short titles where a site refuses long ones, which is one failure', async () => {
  const limited = handling(WRITES, (call, next) => {
    const title = isObject(call.args.title) ? call.args.title.raw : call.args.title;
    if (typeof title === 'string' && title.length > 120) throw new Refusal('too_long', 'Too long.', 400);
    return next(call);
  });
  const globs = ['posts.{create,update}/{title,excerpt}/stored{,/**}', 'posts.update/changes/*'];
  const results = await writingRun([...globs, 'states/posts/again'], limited);

  expect(idsWith(results, 'fail')).toEqual(['posts.create/title/stored']);
  expect(idsWith(results, 'skip', 'inconclusive')).toEqual([]);
});

/** Updates of a file give its title to the post that it names. */
const ENTITLING = handling('media.update', async (call, next) => {
  const answer = await next(call);
  const file = recordOf(call, 'media');
  const named = call.site.store.get(file?.parent ?? 0, 'posts');
  if (file !== undefined && named !== undefined) named.title = file.title;
  return answer;
});

it('does not blame updates of posts for what updates of files change of them', async () => {
  const about = ['{posts,media}.update/alone/**', 'media.update/title/**', 'states/posts/untouched'];
  const results = await writingRun(about, ENTITLING);

  expect(idsWith(results, 'fail', 'error', 'warn')).toEqual(['states/posts/untouched']);
});
