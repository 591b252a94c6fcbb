import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../engine/result.ts';
import { runOnReference } from '../../prove/kill.ts';
import { together } from '../../sites/alterations/alteration.ts';
import { reading, sending } from '../../sites/alterations/handling.ts';
import type { Json } from '../../sites/reference/json.ts';
import { Refusal } from '../../sites/reference/request.ts';
import type { Schema } from '../../sites/reference/schema.ts';
import { type Alter, answer, Text } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';

/** A site that answers some of its refusals with an empty list. */
function emptied(isMeant: (route: string) => boolean): Alter {
  return sending((shown, { route }) => (shown.status >= 400 && isMeant(route) ? answer([]) : shown));
}

/** A site that reads arguments otherwise. @param turn gets a value and its schema; undefined for no argument */
function turning(turn: (value: Json, schema: Schema) => Json | undefined): Alter {
  return ({ readArguments }) => ({
    readArguments: (parameters, given, asked) => {
      const read = Object.entries(given).flatMap(([name, value]): [string, Json][] => {
        const turned = turn(value, parameters.properties[name] ?? {});
        return turned === undefined ? [] : [[name, turned]];
      });
      return readArguments(parameters, Object.fromEntries(read), asked);
    },
  });
}

const POSTS = 'posts.{list,read}/**/{enforced,absent,additionalProperties}';
const LISTS = `{${POSTS},${POSTS.replace('posts', 'pages')}}`;

/** The checks of refusals that fail. */
async function failing(behaviour: Alter, deployment = 'core', only = POSTS): Promise<string[]> {
  const results = await resultsOf(behaviour, deployment, only);
  return results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

async function resultsOf(behaviour: Alter, deployment: string, only: string): Promise<CheckResult[]> {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const { results } = await runOnReference({
    deployment,
    alterations: [{ behaviour }],
    contract,
    checks: allChecks(contract),
    only: [only],
    mode: 'read',
  });
  return [...results.values()];
}

it('reads that refuse nothing are one failure', async () => {
  expect(
    await failing(
      emptied(() => true),
      'core',
      LISTS,
    ),
  ).toEqual(['posts.list/context/enum/enforced']);
});

it('reads of a plugin that refuse nothing, beside those of another that do, are one failure of arguments', async () => {
  const isOfPlugin = (route: string): boolean => route.startsWith('/builder/v1/');

  const found = await failing(emptied(isOfPlugin), 'b', 'builder{,-one}.*/**/enforced');

  expect(found).toEqual(['builder.favorites.list/page/minimum/enforced']);
});

it('a list that refuses nothing is one failure, and leaves that of another operation', async () => {
  const isList = (route: string): boolean => /\/(posts|pages)$/.test(route);

  const found = await failing(emptied(isList), 'core', LISTS);

  expect(found).toEqual(
    expect.arrayContaining(['posts', 'pages'].map((one) => `${one}.list/context/enum/enforced`)),
  );
  expect(found.length).toBeLessThan(7);
});

it.each<[string, string, (value: Json, schema: Schema) => Json | undefined]>([
  [
    'integers that are read as far as they go',
    'posts.list/page/type/enforced',
    (value, { type }) =>
      type === 'integer' && /^\d/.test(String(value)) ? Number.parseInt(String(value), 10) : value,
  ],
  [
    'unknown words that are read as none',
    'posts.list/context/enum/enforced',
    (value, { enum: members }) => (members?.includes(value) === false ? undefined : value),
  ],
  [
    'unknown words that are left out of lists',
    'posts.list/search_columns/items/enum/enforced',
    (value, { items }) =>
      Array.isArray(value) && items?.enum ? value.filter((one) => items.enum?.includes(one)) : value,
  ],
  [
    'dates that are read as none if they are no text',
    'posts.list/after/type/enforced',
    (value, { format }) => (format === 'date-time' && typeof value === 'object' ? undefined : value),
  ],
])('%s are one failure', async (_what, id, turn) => {
  expect(await failing(turning(turn))).toEqual([id]);
});

describe('values that are only accepted without credentials are reported', () => {
  const anyNumber = reading('posts.list', (given, read, { request }) =>
    read(request.account === undefined && given.per_page === '101' ? { ...given, per_page: '100' } : given),
  );
  const anything = reading('posts.list', (given, read, { request }) =>
    read(request.account === undefined ? {} : given),
  );
  const namingNone: Alter = ({ readArguments }) => ({
    readArguments: (parameters, given, asked) => {
      try {
        return readArguments(parameters, given, asked);
      } catch (error) {
        throw error instanceof Refusal ? new Refusal('no', 'No.', 400) : error;
      }
    },
  });

  it('where the site names what it refuses', async () => {
    expect(await failing(anyNumber)).toEqual(['posts.list/per_page/maximum/enforced']);
  });

  it('where it names nothing, and takes a number beyond a bound', async () => {
    expect(await failing(together(namingNone, anyNumber))).toEqual(['posts.list/per_page/maximum/enforced']);
  });

  it('where it names nothing, and takes anything', async () => {
    const found = await failing(together(namingNone, anything), 'core', LISTS);

    expect(found).toContain('posts.list/per_page/maximum/enforced');
    expect(found.filter((id) => !id.startsWith('posts.list/'))).toEqual([]);
  });
});

it('arguments are not accepted by a page that callers without credentials get in place of a list', async () => {
  const page = { status: 200, headers: {}, body: new Text('text/html', '<p>Coming soon') };
  const behaviour = sending((shown, { route, anonymous }) =>
    anonymous && /(posts|pages)$/.test(route) ? page : shown,
  );

  expect(await failing(behaviour, 'core', LISTS)).toEqual([]);
});

it('a list that takes one more word for an order still has to take the others and to refuse unknown ones', async () => {
  const more: Alter = ({ declare, readArguments }) => ({
    declare: (index) => {
      declare(index);
      index.routes['/cms/v2/posts']?.endpoints[0]?.args.orderby?.enum?.push('rand');
    },
    readArguments: (parameters, given, asked) =>
      readArguments(parameters, given.orderby === 'rand' ? { ...given, orderby: 'date' } : given, asked),
  });

  const results = await resultsOf(more, 'core', 'posts.list/*/enum{,/accepted,/enforced}');

  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]));
  const ends = ['', '/accepted', '/enforced'].map((end) => verdicts.get(`posts.list/orderby/enum${end}`));
  expect(ends).toEqual(['fail', 'pass', 'pass']);
});
