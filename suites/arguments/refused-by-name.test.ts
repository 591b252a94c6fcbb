import { describe, expect, it, onTestFinished } from 'vitest';
import { reading } from '../../sites/alterations/handling.ts';
import { invalidParameters } from '../../sites/reference/arguments.ts';
import type { Json, JsonObject } from '../../sites/reference/json.ts';
import { Refusal } from '../../sites/reference/request.ts';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';
import { recorder } from '../recorder.fixture.ts';
import { runInProcess } from '../run-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const checks = allChecks(contract);
const LIST = 'media.list';

type Read = (given: JsonObject) => JsonObject;

/** What the checks of a list report if its arguments are read differently, and how many requests the list got. */
async function reported(
  turn: (given: JsonObject, read: Read) => JsonObject,
): Promise<{ failed: string[]; requests: number }> {
  const site = await serve({ deployment: 'core', behaviour: reading(LIST, turn) });
  onTestFinished(() => site.close());
  const { url, seen } = await recorder(site.url);
  const only = [`${LIST}/**/enforced`];
  const { results } = await runInProcess({ url, contract, checks, mode: 'read', only, seed: 1 });
  const failed = [...results.values()].filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  return { failed, requests: seen.filter(({ route }) => route.endsWith('/media')).length };
}

/** Accepts a page larger than the maximum as one without a size. */
function anySize(given: JsonObject, read: Read): JsonObject {
  const { per_page: size, ...others } = given;
  return Number(size) > 100 ? read(others) : read(given);
}

/** Changes the refusals of invalid arguments. */
function refusing(turn: (given: JsonObject, refusal: Refusal) => Refusal) {
  return (given: JsonObject, read: Read): JsonObject => {
    try {
      return anySize(given, read);
    } catch (error) {
      throw error instanceof Refusal ? turn(given, error) : error;
    }
  };
}

describe('invalid values of many arguments', () => {
  it('need few requests if the site names each', async () => {
    const { failed, requests } = await reported((given, read) => read(given));

    expect(failed).toEqual([]);
    expect(requests).toBeLessThan(15);
  });

  it('are reported if one of them is not named, and is accepted alone', async () => {
    expect((await reported(anySize)).failed).toEqual(['media.list/per_page/maximum/enforced']);
  });

  it('are reported if they are only validated with another argument', async () => {
    const { failed } = await reported((given, read) => {
      const { page: _, ...others } = given;
      return read('search' in given ? given : others);
    });

    expect(failed.join()).toContain('media.list/page/');
  });

  it('are all sent to a site that names none', async () => {
    const takesLists = (given: JsonObject, read: Read): JsonObject => {
      const alone = (value: Json | undefined): Json =>
        Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
      const { page, offset, ...others } = given;
      try {
        return read({
          ...others,
          ...(page !== undefined && { page: alone(page) }),
          ...(offset !== undefined && { offset: alone(offset) }),
        });
      } catch (error) {
        throw error instanceof Refusal ? new Refusal('no', 'No.', 422) : error;
      }
    };
    const { failed } = await reported(takesLists);

    expect(failed).toEqual(['media.list/page/type/enforced', 'media.list/offset/type/enforced']);
  });

  it('are sent together if several arguments accept invalid values, and each is reported', async () => {
    const isNumber = (value: unknown): boolean => /^\d+$/.test(String(value));
    const lenient = (given: JsonObject, read: Read): JsonObject => {
      const { page, offset, ...others } = given;
      return read({ ...others, ...(isNumber(page) && { page }), ...(isNumber(offset) && { offset }) });
    };
    const { failed, requests } = await reported(lenient);

    expect(failed).toEqual(['media.list/page/type/enforced', 'media.list/offset/type/enforced']);
    expect(requests).toBeLessThan(18);
  });

  it('need few requests with one that causes a server error, and only that one is reported', async () => {
    const { failed, requests } = await reported((given, read) => {
      if (typeof given.search === 'object') throw new Error('no text');
      return read(given);
    });

    expect(failed).toEqual(['media.list/search/type/enforced']);
    expect(requests).toBeLessThan(28);
  });

  it.each([
    ['valid ones as well', refusing((given) => invalidParameters(given))],
    ['none', refusing(() => new Refusal('rest_invalid_param', 'No.', 400))],
  ])('are sent one at a time if a refusal names %s', async (_which, turn) => {
    const { failed, requests } = await reported(turn);

    expect(failed).toEqual(['media.list/per_page/maximum/enforced']);
    expect(requests).toBeGreaterThan(30);
  });
});
