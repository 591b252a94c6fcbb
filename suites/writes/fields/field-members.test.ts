import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../sites/reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { showing } from '../mutant-site.fixture.ts';
import { idsOf, recordRun } from '../records.fixture.ts';
import type { Mutant } from '../writing.fixture.ts';

describe('a read-only member', () => {
  it('may cause a refusal of the creation', async () => {
    const strict: Mutant = {
      readArguments: (parameters, given) => {
        if (isObject(given.content) && given.content.rendered !== undefined) {
          throw new Refusal('rest_invalid_param', 'No.', 400);
        }
        return readArguments(parameters, given);
      },
    };
    const run = await recordRun({ mutant: strict, only: ['posts.create/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn', 'inconclusive')).toEqual([]);
  });
});

describe('a key of meta', () => {
  const withMeta = (body: JsonObject, value: (shown: Json) => Json | undefined): JsonObject => {
    const { footnotes, ...others } = isObject(body.meta) ? body.meta : {};
    const turned = value(footnotes ?? null);
    return { ...body, meta: turned === undefined ? others : { ...others, footnotes: turned } };
  };

  it('is inconclusive about its default if it is not shown', async () => {
    const mutant = showing('posts.read', (body) =>
      withMeta(body, (shown) => (shown === '' ? undefined : shown)),
    );
    const run = await recordRun({ mutant, only: ['posts.create/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([]);
    expect(idsOf(run, 'inconclusive')).toEqual(['posts.create/meta/footnotes/default']);
  });
});
