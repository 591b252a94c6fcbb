import { expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../client/json.ts';
import { faultySite, idsWith, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { contextChecks } from './context-checks.ts';
import { everyAnswerChecks } from './every-answer-checks.ts';

const site = faultySite('a');

async function failing(mutant: Mutant): Promise<string[]> {
  const results = await site.results(mutant, (contract) => [
    ...contextChecks(contract),
    ...everyAnswerChecks(contract),
  ]);
  expect(idsWith(results, 'error')).toEqual([]);
  return idsWith(results, 'fail');
}

/** Changes the records of the list of posts in embed, as often as is said. */
function inEmbed(
  change: (record: JsonObject) => JsonObject,
  times: number = Number.POSITIVE_INFINITY,
): Mutant {
  let left = times;
  return {
    answers: (json, query) => {
      const isMeant = query.get('rest_route')?.endsWith('/posts') && query.get('context') === 'embed';
      if (!isMeant || !Array.isArray(json) || left === 0) return json;
      left -= 1;
      return json.map((record: unknown) => (isObject(record) ? change(record) : record));
    },
  };
}

it('reports a record of which two answers say something else', async () => {
  const other = inEmbed((record) => ({ ...record, author: 77 }));
  expect(await failing(other)).toEqual(['records/posts/every-answer/same']);
});

it('reports nothing of what a fresh answer does not show', async () => {
  const once = inEmbed((record) => ({ ...record, author: 77 }), 1);
  expect(await failing(once)).toEqual([]);
});

it('reports a record with a password that is said to have none', async () => {
  const unsaid: Mutant = {
    answers: (json, query) => {
      if (!query.get('rest_route')?.endsWith('/posts') || !Array.isArray(json)) return json;
      return json.map((record: unknown) =>
        isObject(record) && isObject(record.excerpt)
          ? { ...record, excerpt: { ...record.excerpt, protected: false } }
          : record,
      );
    },
  };
  expect(await failing(unsaid)).toContain('protected/posts/every-answer');
});
