import { expect, it } from 'vitest';
import { parseJson } from '../../../client/answer.ts';
import { ACCEPTED } from '../../../client/observation.fixture.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';
import { testSession } from '../../../engine/session.fixture.ts';
import type { Pair } from '../../../generators/wire-forms.ts';
import { must } from '../own/outcome.ts';
import { askFitted, readList, sizeIn } from './list-request.ts';

const SPEC: RequestSpec = {
  method: 'GET',
  route: '/cms/v2/posts',
  query: [
    ['context', 'edit'],
    ['per_page', '100'],
    ['orderby', 'id'],
    ['include', '1,2'],
  ],
};

/** A list that refuses some arguments and notes its requests. */
function listRefusing(isRefused: (name: string, value: string) => boolean) {
  const asked: (readonly Pair[])[] = [];
  const send = async ({ query = [] }: RequestSpec): Promise<Observation> => {
    asked.push(query);
    const refused = query.some(([name, value]) => isRefused(name, value));
    return { ...ACCEPTED, ...(refused && { status: 400, answer: 'refused' }) };
  };
  return { asked, send };
}

it('sends one request, unchanged, to a list that accepts it', async () => {
  const { client } = testSession();
  const { asked, send } = listRefusing(() => false);
  await askFitted(client, SPEC, { send });

  expect(asked).toEqual([SPEC.query]);
});

it.each([
  [
    'a large page',
    (name: string, value: string) => name === 'per_page' && Number(value) > 50,
    'per_page',
    '50',
  ],
  [
    'a page of more than ten',
    (name: string, value: string) => name === 'per_page' && Number(value) > 10,
    'per_page',
    '10',
  ],
  ['an order', (name: string) => name === 'orderby', 'orderby', undefined],
  ['a context', (_: string, value: string) => value === 'edit', 'context', undefined],
])('asks a list that refuses %s for what it takes, and remembers it', async (_, isRefused, name, left) => {
  const { client } = testSession();
  const { asked, send } = listRefusing(isRefused);
  const first = await askFitted(client, SPEC, { send });
  const until = asked.length;
  const second = await askFitted(client, SPEC, { send });

  expect(first.observation.answer).toBe('accepted');
  expect(first.query.find(([one]) => one === name)?.[1]).toBe(left);
  expect(first.query).toHaveLength((SPEC.query ?? []).length - (left === undefined ? 1 : 0));
  expect(second.query).toEqual(first.query);
  expect(asked.length).toBe(until + 1);
});

it('begins with the largest page that the target declares', async () => {
  const { client } = testSession();
  const { asked, send } = listRefusing(() => false);
  const { query } = await askFitted(client, SPEC, { send, declared: 40 });

  expect(asked).toHaveLength(1);
  expect(sizeIn(query)).toBe(40);
});

it('keeps the argument that a check is about, and reports the refusal', async () => {
  const { client } = testSession();
  const { asked, send } = listRefusing((name) => name === 'include');
  const { observation, query } = await askFitted(client, SPEC, { send });

  expect(observation.answer).toBe('refused');
  expect(query).toEqual(SPEC.query);
  expect(asked.length).toBeLessThan(10);
});

it('keeps arguments that are not dispensable', async () => {
  const { client } = testSession();
  const { send } = listRefusing((_, value) => value === 'edit');
  const { query } = await askFitted(client, SPEC, { send, dispensable: ['per_page'] });

  expect(query).toContainEqual(['context', 'edit']);
});

it('says which error of PHP stands before a list', () => {
  const printed =
    '<br />\n<b>Warning</b>:  Undefined array key "x" in <b>/srv/plug.php</b> on line <b>2</b><br />\n[]';
  const read = readList({ ...ACCEPTED, json: undefined, text: printed, problem: 'markup before the JSON' });

  expect(read).toMatchObject({
    kind: 'failure',
    message: expect.stringContaining('Undefined array key'),
    observed: 'markup before the JSON',
  });
});

it('decides nothing by a list, or a creation, whose ids would be rounded', () => {
  const answer = { ...ACCEPTED, ...parseJson(Buffer.from('[{"id":1234567890123456789}]')) };

  expect(readList(answer)).toMatchObject({ kind: 'inconclusive' });
  expect(() => must.create('a creation', { created: answer })).toThrow(
    'a creation is answered with the id 1234567890123456789, which is not read exactly',
  );
});
