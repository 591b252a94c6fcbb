import { expect, it } from 'vitest';
import { type Change, change, type Told } from './change.ts';
import { groupsOf } from './groups.ts';

function narrowed(method: string, more: Partial<Told> = {}): Change {
  const place = `${method} /cms/v2/posts`;
  return change({
    id: `index/routes/${place}/per_page/maximum`,
    kind: 'constraint',
    effect: 'narrows',
    owner: 'cms/v2',
    place,
    subject: 'per_page maximum',
    before: 100,
    after: 50,
    ...more,
  });
}

function checkOf(kind: 'check-broken' | 'check-untold' | 'check-fixed', id: string, cause?: string): Change {
  const found = change({ id: `checks/${id}`, kind, owner: 'cms/v2', place: id, subject: `check ${id}` });
  return cause === undefined ? found : { ...found, cause };
}

it('tells one cause in many places once, and names some of them', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH'];

  expect(groupsOf(methods.map((method) => narrowed(method)))).toMatchObject([
    {
      sentence:
        'GET /cms/v2/posts, POST /cms/v2/posts, PUT /cms/v2/posts and 1 more: per_page maximum was 100 and is 50: less is taken.',
      changes: { length: 4 },
    },
  ]);
});

it('puts the worst first, whatever the order of the changes', () => {
  const wider = narrowed('GET', { id: 'wider', effect: 'widens', owner: 'a/v1' });
  const unsure = narrowed('GET', { id: 'unsure', effect: 'unknown', owner: 'b/v1' });

  expect(groupsOf([wider, unsure, narrowed('GET')]).map((one) => one.class)).toEqual([
    'breaking',
    'unknown',
    'compatible',
  ]);
});

it('hangs checks on what brought their change about, through others', () => {
  const root = narrowed('GET');
  const [first, second] = [checkOf('check-broken', 'a', root.id), checkOf('check-untold', 'b', 'checks/a')];

  expect(groupsOf([second, first, root])).toMatchObject([{ id: root.id, hanging: [second.id, first.id] }]);
});

it('makes a cause as bad as a check that breaks by it, and no worse than one that could not be told', () => {
  const [unsure, mended] = [narrowed('GET', { effect: 'unknown' }), checkOf('check-fixed', 'a')];

  expect(groupsOf([unsure, checkOf('check-broken', 'b', unsure.id)])[0]?.class).toBe('breaking');
  expect(groupsOf([mended, checkOf('check-untold', 'b', mended.id)])[0]?.class).toBe('compatible');
});

it('ends where causes go round in a circle', () => {
  const circle = [checkOf('check-broken', 'a', 'checks/b'), checkOf('check-broken', 'b', 'checks/a')];

  expect(groupsOf(circle).flatMap((one) => one.changes)).toHaveLength(2);
});
