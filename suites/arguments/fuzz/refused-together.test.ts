import { expect, it, onTestFinished } from 'vitest';
import { STANDARD_FUZZ } from '../../../engine/fuzz-options.ts';
import { reading } from '../../../sites/alterations/handling.ts';
import { lenient } from '../../../sites/alterations/mutants/fuzz-mutants.ts';
import type { JsonObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { serve } from '../../../sites/reference/serve.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';
import { recorder } from '../../recorder.fixture.ts';
import { runInProcess } from '../../run-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const ID = 'pages.list/fuzz/refused';

type Read = (given: JsonObject) => JsonObject;

/**
 * The verdict on a site that reads the arguments of a list differently, its sets, and the number of its requests with
 * arguments.
 */
async function searched(turn: (given: JsonObject, read: Read) => JsonObject, examples = 6) {
  const site = await serve({ deployment: 'core', behaviour: reading('pages.list', turn) });
  onTestFinished(() => site.close());
  const { url, seen } = await recorder(site.url);
  const { results } = await runInProcess({
    url,
    contract,
    checks: allChecks(contract),
    mode: 'read',
    only: [ID],
    fuzz: { ...STANDARD_FUZZ, examples },
  });
  const asked = seen.filter(({ route, query }) => route.endsWith('/pages') && query.size > 1);
  return { verdict: results.get(ID)?.verdict, sets: results.get(ID)?.tried?.judged, requests: asked.length };
}

it('invalid arguments are sent together if a site names what it refuses, and each of their sets counts', async () => {
  const { verdict, sets, requests } = await searched((given, read) => read(given));

  expect([verdict, sets]).toEqual(['pass', 6]);
  expect(requests).toBeLessThan(5);
});

it('each set is sent alone if a refusal names nothing', async () => {
  const { verdict, requests } = await searched((given, read) => {
    try {
      return read(given);
    } catch {
      throw new Refusal('no', 'No.', 400);
    }
  });

  expect(verdict).toBe('pass');
  expect(requests).toBeGreaterThanOrEqual(6);
});

it('each set is sent alone if there are many, so that no invalid argument hides another', async () => {
  const { requests } = await searched((given, read) => read(given), 40);

  expect(requests).toBeGreaterThanOrEqual(40);
});

it('finds an argument that a site silently ignores among those that it refuses', async () => {
  const { verdict } = await searched((given, read) => lenient(given, read, (name) => name === 'before'));

  expect(verdict).toBe('fail');
});
