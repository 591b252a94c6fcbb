import { describe, expect, it } from 'vitest';
import { reportOnce } from './alike.ts';
import type { Check } from './check.ts';
import { Engine } from './engine.ts';
import { failure, sharedFinding } from './findings.ts';
import { plan } from './plan.ts';
import { resultsOf, testCheck, testSession } from './session.fixture.ts';

const failing = (id: string, more: Partial<Check> = {}): Check => testCheck(id, [failure('no')], more);

const SELECTION = { only: [], skip: [], mode: 'write', hasUser: false } as const;

async function run(checks: readonly Check[], accepted: readonly string[] = []) {
  const session = { ...testSession(), isAccepted: (id: string) => accepted.includes(id) };
  const planned = plan(checks, SELECTION);
  const results = await resultsOf(new Engine(session, planned), planned);
  return Object.fromEntries(results.map(({ id, verdict, skip }) => [id, skip ?? verdict]));
}

const same = (by: string) => ({ kind: 'blocked', by, same: true });

describe('a failure of several checks', () => {
  it('is reported by the first of them', async () => {
    const results = await run(reportOnce(['a', 'b', 'c'].map((id) => failing(id))));

    expect(results).toEqual({ a: 'fail', b: same('a'), c: same('a') });
  });

  it('names those that share it, and then those that share it with them, in one sentence', () => {
    const [session, own] = [testSession(), 'a'];
    const ofOne = sharedFinding(session, own, ['a', 'b'], failure('no'));
    const ofAll = sharedFinding(session, own, ['a', 'c', 'd'], ofOne);

    expect(ofAll.message).toBe('no; 1 other check finds the same: b; so do 2 more: c, d');
  });

  it('is several ones if a check passes', async () => {
    const results = await run(reportOnce([...['a', 'b', 'c'].map((id) => failing(id)), testCheck('d')]));

    expect(results).toEqual({ a: 'fail', b: 'fail', c: 'fail', d: 'pass' });
  });

  it('is reported once for all operations that have the requirement', async () => {
    const ids = ['posts', 'pages', 'media'].map((resource) => `${resource}.list/author/filters`);
    const other = testCheck('posts.list/page/filters', [], { kind: 'lists' });
    const results = await run([...ids.map((id) => failing(id, { kind: 'lists' })), other]);

    expect(results).toEqual({
      [ids[0] ?? '']: 'fail',
      [ids[1] ?? '']: same(ids[0] ?? ''),
      [ids[2] ?? '']: same(ids[0] ?? ''),
      [other.id]: 'pass',
    });
  });

  it('is reported by the first of two collections whose writes say the same, though files do not', async () => {
    const written = (id: string, message: string) =>
      testCheck(`${id}.create/title/stored`, [failure(message)], { kind: 'writes', effect: 'writes' });
    const ids = ['posts', 'pages', 'media'].map((id) => `${id}.create/title/stored`);
    const [posts = '', pages = '', media = ''] = ids;

    expect(await run([written('posts', 'no'), written('pages', 'no'), testCheck(media)])).toEqual({
      [posts]: 'fail',
      [pages]: same(posts),
      [media]: 'pass',
    });
    expect(await run([written('posts', 'posts.create: no'), written('pages', 'pages.create: no')])).toEqual({
      [posts]: 'fail',
      [pages]: same(posts),
    });
    expect(await run([written('posts', 'no'), written('pages', 'other')])).toEqual({
      [posts]: 'fail',
      [pages]: 'fail',
    });
    expect(await run([written('posts', 'no'), written('pages', 'no')], [posts])).toEqual({
      [posts]: 'fail',
      [pages]: 'fail',
    });
  });

  it('is reported by the first of two collections whose records are shown alike', async () => {
    const [posts, pages] = ['posts', 'pages'].map((id) => `records/${id}/every-answer/types`);
    const wrong = (id = '', kind = 'shown') => testCheck(id, [failure('no')], { kind });

    expect(await run([wrong(posts), wrong(pages)])).toEqual({
      [posts ?? '']: 'fail',
      [pages ?? '']: same(posts ?? ''),
    });
    expect(await run([wrong(posts, 'lists'), wrong(pages, 'lists')])).toEqual({
      [posts ?? '']: 'fail',
      [pages ?? '']: 'fail',
    });
  });

  it('is reported once for checks that draw their arguments only where they say the same', async () => {
    const drawn = (id: string, message: string, groups: readonly string[] = ['bodies']) =>
      testCheck(id, [failure(message)], { kind: 'drawn', fuzz: true, groups });
    const [posts, pages] = ['posts.update/fuzz/malformed', 'pages.update/fuzz/malformed'] as const;

    expect(await run([drawn(posts, 'posts.update: no'), drawn(pages, 'pages.update: no')])).toEqual({
      [posts]: 'fail',
      [pages]: same(posts),
    });
    expect(await run([drawn(posts, 'no'), drawn(pages, 'other')])).toEqual({
      [posts]: 'fail',
      [pages]: 'fail',
    });
  });

  it('is reported once for checks that drew what makes each of their operations fail, whatever others answer', async () => {
    const drawn = (operation: string, found?: string) => {
      const message = `${found} for ${operation} makes the server fail (what matters: search; path ${operation.length})`;
      const findings = found === undefined ? [] : [failure(message)];
      return testCheck(`${operation}/fuzz/robust`, findings, { kind: 'drawn', fuzz: true });
    };
    const checks = [
      drawn('posts.list', '{"a":1}'),
      drawn('media.list'),
      drawn('post-revisions.list', '{"a":2}'),
      drawn('pages.list', '{"a":1}'),
    ];

    expect(await run(checks)).toEqual({
      'posts.list/fuzz/robust': 'fail',
      'media.list/fuzz/robust': 'pass',
      'post-revisions.list/fuzz/robust': 'fail',
      'pages.list/fuzz/robust': same('posts.list/fuzz/robust'),
    });
  });

  it('is one for all that is inside of objects, where none of it passes', async () => {
    const inside = (id: string, kind = 'accepted') => failing(`posts.list/${id}/accepted`, { kind });
    const terms = inside('tags/properties/terms/type');
    const member = inside('tags/properties/operator/enum');
    const other = inside('author/type');
    const deeper = inside('categories/properties/terms/items/type');
    const passing = testCheck('posts.list/categories/properties/operator/enum/accepted', [], {
      kind: 'accepted',
    });

    expect(
      await run([terms, member, deeper, other, testCheck('posts.list/x/accepted', [], { kind: 'accepted' })]),
    ).toEqual({
      [terms.id]: 'fail',
      [member.id]: same(terms.id),
      [deeper.id]: same(terms.id),
      [other.id]: 'fail',
      'posts.list/x/accepted': 'pass',
    });
    const third = inside('tags/properties/include_children/type');
    expect(await run([terms, member, third, deeper, passing])).toEqual({
      [terms.id]: 'fail',
      [member.id]: same(terms.id),
      [third.id]: same(terms.id),
      [deeper.id]: 'fail',
      [passing.id]: 'pass',
    });
  });

  it('is another one in another family of behaviour, whose checks end in the same word', async () => {
    const ids = ['states/posts/force', 'states/pages/force', 'revisions/posts/force'] as const;
    const results = await run(ids.map((id) => failing(id, { kind: 'states' })));

    expect(Object.values(results)).toEqual(['fail', 'fail', 'fail']);
  });

  it('is one though a check passes that may do so by chance', async () => {
    const checks = ['a', 'b', 'c'].map((id) => failing(id));

    expect(await run(reportOnce(checks, [testCheck('d')]))).toMatchObject({ b: same('a'), d: 'pass' });
  });

  it('does not wait for checks that still run, once one has passed', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const slow = testCheck('c', () => promise);
    const checks = reportOnce([failing('a'), testCheck('b'), slow]);
    const planned = plan(checks, SELECTION);
    const engine = new Engine(testSession(), planned);
    const all = planned.map((one) => engine.result(one));

    expect((await all[0])?.verdict).toBe('fail');
    resolve(undefined);
    await Promise.all(all);
  });

  it('is reported as it is if the run ends before', async () => {
    const checks = reportOnce([failing('a'), failing('b'), testCheck('c', () => new Promise(() => {}))]);
    const [first, second] = plan(checks, SELECTION);
    const engine = new Engine(testSession(), plan(checks, SELECTION));
    const results = [first, second].flatMap((one) => (one === undefined ? [] : [engine.result(one)]));
    setImmediate(() => engine.end('interrupted'));

    expect((await Promise.all(results)).map(({ verdict }) => verdict)).toEqual(['fail', 'fail']);
  });

  it('is not left to a check that another cause blocks', async () => {
    const grouped = [failing('a', { buildsOn: ['root'] }), ...['b', 'c', 'd'].map((id) => failing(id))];
    const results = await run([...reportOnce(grouped), failing('root')]);

    expect(results).toEqual({
      a: { kind: 'blocked', by: 'root' },
      b: 'fail',
      c: same('b'),
      d: same('b'),
      root: 'fail',
    });
  });

  it('is not left to a check whose failure is waived or in the baseline', async () => {
    const results = await run(reportOnce(['a', 'b', 'c'].map((id) => failing(id))), ['a', 'b']);

    expect(results).toEqual({ a: 'fail', b: same('a'), c: 'fail' });
  });
});
