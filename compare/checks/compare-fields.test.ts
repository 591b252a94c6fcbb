import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../client/json.ts';
import { sampleCheck } from '../../engine/result.fixture.ts';
import type { RunResult, ShownFields } from '../../engine/result.ts';
import { FieldNotes } from '../../engine/session.ts';
import { compareSides } from '../comparison.ts';
import { seriesRun } from '../history/run.fixture.ts';
import { compareFields } from './compare-fields.ts';

const PLACES = {
  'posts.list': { namespace: 'wp/v2', route: '/wp/v2/posts', methods: ['GET'] },
  'pages.list': { namespace: 'wp/v2', route: '/wp/v2/pages', methods: ['GET'] },
};

function seen(resource: string, context: string, ...records: readonly object[]): ShownFields {
  const notes = new FieldNotes((text) => text);
  notes.note(
    { resource, operation: `${resource}.list`, context },
    records.map((record) => ({ ...record })),
  );
  return notes.take()[0] ?? expect.fail('nothing was noted');
}

function runWith(...fields: readonly ShownFields[]): RunResult {
  const night = seriesRun(0, '');
  const target = { ...night.target, as: 'user' as const, operations: PLACES };
  return { ...night, target, observed: { fields: [...fields] } };
}

const side = (run: RunResult) => ({ path: 'x', url: 'y', taken: 'z', index: undefined, run });

const RICH = { id: 1, title: { raw: 'a', rendered: 'a' }, subtitle: 'b' };
const POOR = { id: 1, title: { raw: 'a', rendered: 'a' } };

function reported(
  before: RunResult,
  after: RunResult,
): [string, string, string | undefined, string | undefined][] {
  return compareFields(before, after, PLACES).changes.map((one) => [
    one.id,
    one.class,
    one.before,
    one.after,
  ]);
}

describe('fields of records', () => {
  it('break their readers if they are removed, and nobody if they are added', () => {
    const [rich, poor] = [seen('posts', 'view', RICH), seen('posts', 'view', POOR)];

    expect(reported(runWith(rich), runWith(poor))).toEqual([
      ['fields/posts/subtitle', 'breaking', 'view', 'nowhere'],
    ]);
    expect(reported(runWith(poor), runWith(rich))).toEqual([
      ['fields/posts/subtitle', 'compatible', 'nowhere', 'view'],
    ]);
  });

  it('are counted and not a change if they are equal', () => {
    const run = runWith(seen('posts', 'view', RICH), seen('posts', 'edit', RICH, POOR));

    expect(compareFields(run, run, PLACES)).toEqual({ changes: [], compared: 5, notes: [] });
  });

  it('make one change for all contexts, and one cause for all resources', () => {
    const contexts = (record: object): ShownFields[] =>
      ['posts', 'pages'].flatMap((resource) =>
        ['view', 'edit'].map((context) => seen(resource, context, record)),
      );
    const comparison = compareSides(side(runWith(...contexts(RICH))), side(runWith(...contexts(POOR))));

    expect(comparison.changes).toHaveLength(2);
    expect(comparison.groups.map(({ class: found, owner, sentence }) => [found, owner, sentence])).toEqual([
      ['breaking', 'wp/v2', 'posts, pages: records no longer show the field subtitle in view, edit.'],
    ]);
  });

  it('break readers of the first context if they move to another', () => {
    const before = runWith(seen('posts', 'view', RICH), seen('posts', 'embed', POOR));
    const after = runWith(seen('posts', 'view', POOR), seen('posts', 'embed', RICH));

    expect(reported(before, after)).toEqual([['fields/posts/subtitle', 'breaking', 'view', 'embed']]);
    expect(compareFields(before, after, PLACES).changes[0]?.effect).toBe('incomparable');
  });

  it('are compared one level deep if two or more records show their parent', () => {
    const without = { ...POOR, title: { rendered: 'a' } };
    const before = runWith(seen('posts', 'edit', POOR, POOR));

    expect(reported(before, runWith(seen('posts', 'edit', without, without)))).toEqual([
      ['fields/posts/title.raw', 'breaking', 'edit', 'nowhere'],
    ]);
    expect(reported(before, runWith(seen('posts', 'edit', without)))).toEqual([
      ['fields/posts/title.raw', 'unknown', 'edit', 'nowhere'],
    ]);
  });

  it('do not list their members if they are removed as wholes', () => {
    const { title: _title, ...bare } = POOR;
    const [before, after] = [seen('posts', 'view', POOR, POOR), seen('posts', 'view', bare, bare)];

    expect(reported(runWith(before), runWith(after)).map(([id]) => id)).toEqual(['fields/posts/title']);
  });

  it('are unknown if only some records had them, and their members are not reported', () => {
    const sized = { id: 1, details: { width: 1, sizes: {} } };
    const plain = { id: 2, details: { width: 1 } };
    const mixed = runWith(seen('posts', 'view', { ...sized, extra: 1 }, plain));

    expect(reported(mixed, runWith(seen('posts', 'view', plain, plain)))).toEqual([
      ['fields/posts/extra', 'unknown', 'view', 'nowhere'],
    ]);
    expect(
      reported(runWith(seen('posts', 'view', RICH, RICH)), runWith(seen('posts', 'view', RICH, POOR))),
    ).toEqual([['fields/posts/subtitle', 'unknown', 'view', 'view']]);
  });

  it('are not compared if only one run saw a record, with a note', () => {
    const both = seen('posts', 'view', RICH);
    const { changes, notes } = compareFields(
      runWith(both, seen('pages', 'view', RICH), seen('posts', 'edit', RICH)),
      runWith(both, seen('pages', 'view')),
      PLACES,
    );

    expect(changes).toEqual([]);
    expect(notes).toEqual([
      'only one run saw records of pages in view, posts in edit: their fields are not compared',
    ]);
  });

  it('are not compared between different callers or vocabularies, or with a run that has none', () => {
    const run = runWith(seen('posts', 'view', RICH));
    const poor = runWith(seen('posts', 'view', POOR));
    const { observed: _observed, ...silent } = run;
    const others: [RunResult, string][] = [
      [{ ...poor, target: { ...poor.target, as: 'anonymous' } }, 'the callers were not the same'],
      [{ ...poor, target: { ...poor.target, vocabulary: 'neutral' } }, 'the vocabularies were not the same'],
      [silent, 'the run after does not report them'],
    ];

    for (const [other, why] of others) {
      expect(compareFields(run, other, PLACES)).toEqual({
        changes: [],
        compared: 0,
        notes: [`the fields of records are not compared: ${why}`],
      });
    }
  });

  it('are not removed if more names were shown than are noted', () => {
    const cut = { ...seen('posts', 'view', POOR), cut: true as const };

    expect(reported(runWith(seen('posts', 'view', RICH)), runWith(cut))).toEqual([]);
  });

  it('explain the verdict of a check of the same field', () => {
    const without = { ...POOR, title: { rendered: 'a' } };
    const check = (verdict: 'pass' | 'fail') =>
      sampleCheck({
        id: 'posts.list/contexts/title.raw',
        operation: 'posts.list',
        field: { resource: 'posts', field: 'title', member: 'raw' },
        verdict,
      });
    const sideOf = (fields: ShownFields, verdict: 'pass' | 'fail') =>
      side({ ...runWith(fields), checks: [check(verdict)] });
    const { groups } = compareSides(
      sideOf(seen('posts', 'edit', POOR, POOR), 'pass'),
      sideOf(seen('posts', 'edit', without, without), 'fail'),
    );

    expect(groups).toEqual([
      expect.objectContaining({
        id: 'fields/posts/title.raw',
        hanging: ['checks/posts.list/contexts/title.raw'],
      }),
    ]);
  });
});

it('a member that nobody may write any more depends on the field that went', () => {
  const indexWith = (...names: readonly string[]): JsonObject => {
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'number' }]));
    const args = { meta: { type: 'object', properties } };
    const entry = { namespace: 'wp/v2', methods: ['POST'], endpoints: [{ methods: ['POST'], args }] };
    return { namespaces: ['wp/v2'], routes: { '/wp/v2/posts': entry } };
  };
  const runOf = (...names: readonly string[]): RunResult => {
    const record = { id: 1, meta: Object.fromEntries(names.map((name) => [name, 1])) };
    return runWith(seen('posts', 'edit', record, record));
  };
  const [before, after] = [['price', 'rating'], ['rating']].map((names) => ({
    ...side(runOf(...names)),
    index: indexWith(...names),
  }));
  if (before === undefined || after === undefined) throw new Error('no sides');

  expect(compareSides(before, after).groups.map(({ headline }) => headline)).toEqual([
    'posts: `meta.price` was removed in edit',
  ]);
});
