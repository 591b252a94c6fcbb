import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../sites/reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { STANDARD_BEHAVIOUR } from '../../../sites/reference/standard-behaviour.ts';
import { healthy, showing, withWriter } from '../mutant-site.fixture.ts';
import { idsOf, recordRun } from '../records.fixture.ts';
import type { Mutant } from '../writing.fixture.ts';

describe('a read-only member', () => {
  it('is reported if it is stored: a number and a boolean', async () => {
    const seen = new Map<number, JsonObject>();
    const mutant: Mutant = {
      readArguments: (parameters, given) => {
        const args = readArguments(parameters, given);
        return isObject(given.content) ? { ...args, content: given.content } : args;
      },
      handlers: {
        'posts.create': async (call) => {
          const answer = await healthy('posts.create')(call);
          const id = isObject(answer.body) ? Number(answer.body.id) : 0;
          if (isObject(call.args.content)) seen.set(id, call.args.content);
          return answer;
        },
        'posts.read': async (call) => {
          const answer = await healthy('posts.read')(call);
          if (!isObject(answer.body) || !isObject(answer.body.content)) return answer;
          const { block_version, protected: locked } = seen.get(Number(answer.body.id)) ?? {};
          const content = {
            ...answer.body.content,
            ...(block_version !== undefined && { block_version }),
            ...(locked !== undefined && { protected: locked }),
          };
          return { ...answer, body: { ...answer.body, content } };
        },
      },
    };
    const run = await recordRun({ mutant, only: ['posts.create/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([
      'posts.create/content.block_version/read-only',
      'posts.create/content.protected/read-only',
    ]);
  });

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

describe('two dates', () => {
  const HOUR = 3_600_000;

  it('are reported if they disagree, although each is stored', async () => {
    const shifted = (value: Json): Json =>
      typeof value === 'string' ? new Date(Date.parse(`${value}Z`) + HOUR).toISOString().slice(0, 19) : value;
    const mutant: Mutant = {
      ...withWriter('date_gmt', (record, value, site) => {
        STANDARD_BEHAVIOUR.writers.date_gmt?.(record, value, site);
        record.date -= HOUR;
      }),
      ...showing('pages.read', (body) => ({ ...body, date_gmt: shifted(body.date_gmt ?? null) })),
    };
    const run = await recordRun({ mutant, only: ['pages.create/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([
      'pages.create/date/agrees',
      'pages.create/date_gmt/agrees',
    ]);
  });
});

describe('a key of meta', () => {
  const withMeta = (body: JsonObject, value: (shown: Json) => Json | undefined): JsonObject => {
    const { footnotes, ...others } = isObject(body.meta) ? body.meta : {};
    const turned = value(footnotes ?? null);
    return { ...body, meta: turned === undefined ? others : { ...others, footnotes: turned } };
  };

  it('is reported for another default', async () => {
    const mutant = showing('posts.read', (body) =>
      withMeta(body, (shown) => (shown === '' ? 'none' : shown)),
    );
    const run = await recordRun({ mutant, only: ['posts.create/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['posts.create/meta/footnotes/default']);
  });

  it('is inconclusive about its default if it is not shown', async () => {
    const mutant = showing('posts.read', (body) =>
      withMeta(body, (shown) => (shown === '' ? undefined : shown)),
    );
    const run = await recordRun({ mutant, only: ['posts.create/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([]);
    expect(idsOf(run, 'inconclusive')).toEqual(['posts.create/meta/footnotes/default']);
  });
});
