import { describe, expect, it } from 'vitest';
import { isObject, member } from '../../client/json.ts';
import { together } from '../../sites/alterations/alteration.ts';
import { handling, reading } from '../../sites/alterations/handling.ts';
import { recordOf } from '../../sites/alterations/selecting.ts';
import type { JsonObject } from '../../sites/reference/json.ts';
import { Refusal } from '../../sites/reference/request.ts';
import type { Alter } from '../../sites/reference/site.ts';
import { idsWith, writingRun } from '../writes/records.fixture.ts';

const OPERATIONS = [
  'posts.create',
  'posts.update',
  'pages.create',
  'pages.update',
  'media.create',
  'media.update',
  'post-autosaves.create',
  'page-autosaves.create',
];
const ALL = OPERATIONS.map((id) => `${id}/*/*/accepted`);

/** A site that refuses some arguments of some operations. */
function refusing(isRefused: (args: JsonObject, id: string) => boolean, status = 400): Alter {
  return reading(
    () => true,
    (given, read, { operation, request }) => {
      const args = read(given);
      if (request.account !== undefined && isRefused(args, operation.id)) {
        throw new Refusal('not_this_one', 'No.', status);
      }
      return args;
    },
  );
}

describe('acceptance of values in writes of records', () => {
  it('passes on a healthy site, with at most twelve writes for each operation', async () => {
    const writes = new Map<string, number>();
    const counting = refusing((_, id) => {
      writes.set(id, (writes.get(id) ?? 0) + 1);
      return false;
    });
    const results = await writingRun(ALL, counting);

    expect(idsWith(results, 'pass').sort()).toEqual([...results.keys()].sort());
    expect(results.size).toBeGreaterThan(40);
    expect(OPERATIONS.filter((id) => (writes.get(id) ?? 0) > 12)).toEqual([]);
  });

  it('is not tested again for values in accepted updates of other checks', async () => {
    const updatesOf = async (...only: string[]): Promise<number> => {
      let updates = 0;
      const counting = refusing((_, id) => {
        if (id === 'posts.update') updates += 1;
        return false;
      });
      const results = await writingRun(only, counting);
      expect(idsWith(results, 'pass').sort()).toEqual([...results.keys()].sort());
      return updates;
    };
    const values = 'posts.update/*/*/accepted';

    expect(await updatesOf(values)).toBe(10);
    const before = await updatesOf('posts.update/changes/POST');
    expect((await updatesOf('posts.update/changes/POST', values)) - before).toBeLessThan(5);
  });

  it.each<[string, number, (part: Readonly<Record<string, unknown>>) => unknown]>([
    ['in one batch', 0, (part) => part],
    ['alone where a site refuses the batch', 10, (part) => ({ ...part, path: 5 })],
    [
      'alone where a batch takes what must be refused',
      10,
      (part) => ({ ...part, body: { ...(isObject(part.body) && part.body), status: 'draft' } }),
    ],
  ])('is tested in creations, %s', async (_, alone, turn) => {
    let [isBatch, single] = [false, 0];
    const site = together(
      handling('posts.create', (call, next) => {
        if (!isBatch) single += 1;
        return next(call);
      }),
      handling('batch.run', async (call, next) => {
        isBatch = true;
        const parts: readonly unknown[] = Array.isArray(call.args.requests) ? call.args.requests : [];
        const requests = JSON.parse(JSON.stringify(parts.filter(isObject).map(turn)));
        const answer = await next({ ...call, args: { ...call.args, requests } });
        isBatch = false;
        return answer;
      }),
    );
    const results = await writingRun(['posts.create/*/*/accepted'], site);

    expect(idsWith(results, 'pass').sort()).toEqual([...results.keys()].sort());
    expect(single).toBe(alone);
  });

  it.each([
    ['a member that records of others have', 'pages.create', 'status', 'private', 'enum'],
    ['a status that an upload does not keep', 'media.create', 'status', 'pending', 'enum'],
    ['a date with an offset', 'media.update', 'date_gmt', '2024-05-06T07:08:09+02:00', 'format'],
  ])('fails for a refused value: %s', async (_, operation, name, value, kind) => {
    const results = await writingRun(
      [`${operation}/*/*/accepted`],
      refusing((args, id) => id === operation && args[name] === value),
    );

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual([`${operation}/${name}/${kind}/accepted`]);
    expect(idsWith(results, 'inconclusive')).toEqual([]);
    const [found] = [...results.values()].filter(({ verdict }) => verdict === 'fail');
    expect(found?.message).toContain(`${JSON.stringify(value)} for ${name} of ${operation}`);
    expect(found?.reproduce).toHaveLength(2);
  });

  it('reports a refused member once, not by the check of stored values too', async () => {
    const results = await writingRun(
      ['posts.update/format/**'],
      refusing(({ format }, id) => id === 'posts.update' && format === 'quote'),
    );

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual(['posts.update/format/enum/accepted']);
    expect(results.get('posts.update/format/members/stored')?.message).toBe(
      'blocked by posts.update/format/enum/accepted',
    );
  });

  it('does not require that values go together', async () => {
    const results = await writingRun(
      ALL,
      refusing(
        ({ status, date, sticky, format }) =>
          (status === 'future' && typeof date === 'string' && date < '2026') ||
          (sticky === true && status !== undefined && status !== 'draft') ||
          (format !== undefined && sticky === true),
      ),
    );

    expect(idsWith(results, 'pass').sort()).toEqual([...results.keys()].sort());
  });

  it('does not fail for a status that may not follow another one, and for an autosave without changes', async () => {
    const onlyFromDraft = handling(['posts.update', 'pages.update'], (call, next) => {
      const was = recordOf(call)?.status;
      const { status } = call.args;
      if (was !== 'draft' && status !== undefined && status !== was) throw new Refusal('no', 'No.', 409);
      return next(call);
    });
    const same = handling(['post-autosaves.create', 'page-autosaves.create'], (call, next) => {
      const saved = member(call.args.content, 'raw');
      if (saved === undefined || saved === recordOf(call)?.content)
        throw new Refusal('no_changes', 'No.', 400);
      return next(call);
    });
    const only = ['{posts,pages}.update/*/*/accepted', '*-autosaves.create/*/*/accepted'];
    const results = await writingRun(only, together(onlyFromDraft, same));

    expect(idsWith(results, 'pass').sort()).toEqual([...results.keys()].sort());
  });

  it('is inconclusive if the user may not write the value', async () => {
    const results = await writingRun(
      ['posts.create/*/*/accepted'],
      refusing(({ status }) => status === 'publish', 403),
    );

    expect(idsWith(results, 'inconclusive')).toEqual(['posts.create/status/enum/accepted']);
    expect(idsWith(results, 'fail', 'error')).toEqual([]);
  });

  it('is inconclusive if every such write is refused', async () => {
    const results = await writingRun(
      ['pages.update/*/*/accepted'],
      refusing((_, id) => id === 'pages.update'),
    );

    expect(idsWith(results, 'inconclusive').sort()).toEqual([...results.keys()].sort());
  });
});
