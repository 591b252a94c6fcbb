import { describe, expect, it } from 'vitest';
import type { AnswerNotes, MemberNotes, RefusalNotes, Spread } from '../../client/observed/document.ts';
import type { Compared } from '../change.ts';
import { groupsOf } from '../groups/groups.ts';
import { compareAnswers } from './compare-answers.ts';
import { NOTES, sideOf } from './notes.fixture.ts';

function notes(changes: Partial<AnswerNotes> = {}): AnswerNotes {
  return { ...NOTES, context: 'view', ...changes };
}

function ofMember(type: string, records: number, more: Partial<MemberNotes> = {}): Partial<AnswerNotes> {
  const author: MemberNotes = { seen: records, of: records, types: { [type]: records }, ...more };
  return { records, members: { author } };
}

const denied = { statuses: { 401: 20 }, accepted: 0, forms: {}, records: 0 };

function refusal(kind: RefusalNotes['kind'], status: number, more: Partial<RefusalNotes> = {}): RefusalNotes {
  return {
    ...{ route: '/x/v1/notes', namespace: 'x/v1', method: 'GET', caller: 'anonymous' },
    ...{ kind, status, code: kind, answers: 4, members: { code: 4 }, types: { 'application/json': 4 } },
    ...more,
  };
}

function spread(median: number): Spread {
  return { answers: 30, low: median * 0.8, median, high: median * 1.2 };
}

function between(before: readonly AnswerNotes[], after: readonly AnswerNotes[]): Compared {
  return compareAnswers(sideOf(before), sideOf(after));
}

function said({ changes }: Compared): unknown[] {
  return changes.map(({ class: found, kind, subject }) => [found, kind, subject]);
}

function headlines({ changes }: Compared): string[] {
  return groupsOf(changes).map(({ headline }) => headline);
}

describe('a comparison of answers', () => {
  it('reports a type in several contexts as one change', () => {
    const was = [notes(ofMember('integer', 9)), notes({ ...ofMember('integer', 9), caller: 'user' })];
    const is = [notes(ofMember('text', 9)), notes({ ...ofMember('text', 9), caller: 'user' })];
    const compared = between(was, is);

    expect(said(compared)).toEqual([['breaking', 'answer-type', 'author']]);
    expect(compared.changes[0]).toMatchObject({
      before: 'integer',
      after: 'text',
      with: ['view, anonymous', 'view, user'],
      evidence: '0 of 9 records before, 9 of 9 records after',
    });
  });

  it('reports once for an object that members became rarer', () => {
    const side = (seen: number): AnswerNotes => {
      const sometimes: Pick<MemberNotes, 'sometimes'> = seen < 20 ? { sometimes: true } : {};
      const rare: MemberNotes = { seen, of: 20, types: { text: seen }, ...sometimes };
      const style: MemberNotes = { seen: 20, of: 20, types: { object: 20 } };
      return notes({ members: { style, 'style.font': rare, 'style.line': rare } });
    };
    const compared = between([side(20)], [side(15)]);

    expect(said(compared)).toEqual([['unknown', 'answer-member-removed', 'style.*']]);
    expect(groupsOf(compared.changes)[0]?.sentence).toBe(
      '/x/v1/notes: style.* is no longer always present: font, line (20 of 20 records before, 15 of 20 records after).',
    );
  });

  it('shows a shell command for each side, without personal data', () => {
    const place = { route: '/x/v1/notes/{id}', context: 'edit', caller: 'user', with: ['_embed'] };
    const { changes } = between(
      [notes({ ...ofMember('integer', 9), ...place })],
      [notes({ ...ofMember('text', 9), ...place })],
    );

    expect(changes[0]?.exchange?.after).toBe(
      String.raw`curl -sS -g -w '\n%{http_code}\n' -u USER:"$SITE_CONFORMANCE_PASSWORD" 'http://127.0.0.1/index.php?rest_route=/x/v1/notes/ID&context=edit&_embed=1'`,
    );
  });

  it.each([
    ['is unknown where few records show it', 'integer', 2, 'text', 2, 'unknown'],
    ['is breaking where several do', 'integer', 3, 'text', 3, 'breaking'],
    ['is unknown where some maps may be empty lists now', 'object', 30, 'empty list', 30, 'unknown'],
    ['is breaking where all are null', 'text', 30, 'null', 30, 'breaking'],
    ['is unknown where the two that are left are null', 'text', 25, 'null', 2, 'unknown'],
  ] as const)('%s', (_, type, records, other, now, found) => {
    expect(said(between([notes(ofMember(type, records))], [notes(ofMember(other, now))]))).toMatchObject([
      [found, 'answer-type', 'author'],
    ]);
  });

  it('is breaking if an object with the same members in all records becomes an empty list', () => {
    const name: MemberNotes = { seen: 12, of: 12, types: { text: 12 } };
    const author: MemberNotes = { seen: 12, of: 12, types: { object: 12 } };
    const was = notes({ records: 12, members: { author, 'author.name': name } });

    expect(said(between([was], [notes(ofMember('empty list', 12))]))).toEqual([
      ['breaking', 'answer-type', 'author'],
    ]);
    const some = { ...author, types: { object: 7, 'empty list': 5 } };
    expect(said(between([was], [notes({ ...was, members: { author: some, 'author.name': name } })]))).toEqual(
      [['unknown', 'answer-type', 'author']],
    );
  });

  it('is one change if a type is added in one list and replaces another in a second list', () => {
    const place = { route: '/x/v1/notes/{id}' };
    const { changes } = between(
      [notes(ofMember('text', 9)), notes({ ...ofMember('text', 4), ...place })],
      [
        notes(ofMember('null', 9, { types: { null: 6, text: 3 } })),
        notes({ ...ofMember('null', 4), ...place }),
      ],
    );

    expect(groupsOf(changes).map(({ class: found, headline }) => [found, headline])).toEqual([
      ['breaking', 'notes: `author` may also be null: 2 routes'],
    ]);
  });

  it.each([
    ['an integer in place of a fraction', 'fraction', 'integer'],
    ['a list that is no longer empty', 'empty list', 'list'],
    ['what was null before', 'null', 'text'],
  ])('does not report %s', (_, type, other) => {
    expect(said(between([notes(ofMember(type, 30))], [notes(ofMember(other, 30))]))).toEqual([]);
  });

  it('does not report a member that only some records had', () => {
    const sometimes = notes(ofMember('integer', 4, { of: 20, sometimes: true }));

    expect(said(between([sometimes], [notes({ members: {} })]))).toEqual([]);
    expect(said(between([notes({ members: {} })], [sometimes]))).toEqual([]);
  });

  it('reports once what was removed with a member', () => {
    const inner: MemberNotes = { seen: 9, of: 9, types: { text: 9 } };
    const title: MemberNotes = { seen: 9, of: 9, types: { object: 9 } };
    const was = notes({ records: 9, members: { title, 'title.raw': inner, 'title.rendered': inner } });

    expect(said(between([was], [notes({ records: 9, members: {} })]))).toMatchObject([
      ['breaking', 'answer-member-removed', 'title'],
    ]);
  });

  it('compares only what both runs requested', () => {
    const was = [notes({ ...ofMember('integer', 9), caller: 'user' }), notes({ route: '/x/v1/gone' })];

    expect(between(was, [notes(ofMember('text', 9))])).toEqual({ changes: [], compared: 0, notes: [] });
  });

  it('says that one run has no notes on answers', () => {
    const { observed: _, ...bare } = sideOf([]);

    expect(compareAnswers(bare, sideOf([])).notes).toEqual([
      'answers are not compared: the run before does not tell them',
    ]);
    expect(compareAnswers(bare, bare).notes).toEqual([]);
  });

  it('says what only requests in batches show', () => {
    const part = { method: 'POST', with: ['a part of a batch'], statuses: { 201: 4 }, accepted: 4 };
    const { changes } = between([notes(part)], [notes({ ...part, statuses: { 200: 4 } })]);

    expect(changes).toMatchObject([{ kind: 'answer-status', evidence: 'in batches only' }]);
  });

  it('names the lists that became slower, if only those of some size did', () => {
    const timed = (few: number, many: number): AnswerNotes => {
      const byRecords = (scale: number): Record<string, Spread> => ({
        'up to 10': spread(few * scale),
        'up to 100': spread(many * scale),
      });
      return notes({
        seconds: { ...spread(0.05), byRecords: byRecords(0.05) },
        pace: { ...spread(1), byRecords: byRecords(1) },
      });
    };

    expect(said(between([timed(1, 2)], [timed(1, 12)]))).toMatchObject([
      ['unknown', 'answer-slower', 'lists of up to 100 records'],
    ]);
    expect(said(between([timed(1, 2)], [timed(8, 2)]))).toMatchObject([
      ['unknown', 'answer-slower', 'lists of up to 10 records'],
    ]);
    expect(said(between([timed(1, 2)], [timed(1.2, 2.4)]))).toEqual([]);
  });

  it('reports once that many members of a map are gone, and for whom if it is one caller', () => {
    const member: MemberNotes = { seen: 1, of: 1, types: { boolean: 1 } };
    const map: MemberNotes = { seen: 1, of: 1, types: { object: 1 } };
    const place = { caller: 'editor', records: 1 };
    const names = ['a', 'b', 'c', 'd'].map((name) => [`caps.${name}`, member]);
    const { changes } = between(
      [notes({ ...place, members: { caps: map, ...Object.fromEntries(names) } })],
      [notes({ ...place, members: { caps: map } })],
    );

    expect(
      changes.map(({ class: found, subject, evidence, whom }) => [found, subject, evidence, whom]),
    ).toEqual([
      ['unknown', 'caps.*', 'a, b, c, d: 1 of 1 record before, 0 of 1 record after', '"editor" only'],
    ]);
  });

  it('reports that a caller sees fewer non-public records', () => {
    const drafts = { caller: 'editor', with: ['status=draft'], accepted: 1, statuses: { 200: 1 } };
    const was = notes({ ...drafts, records: 5, totals: { true: 1, untrue: 0, paged: 0 } });
    const is = notes({ ...drafts, records: 1, totals: { true: 0, untrue: 1, paged: 0 } });

    expect(said(between([was], [is]))).toEqual([
      ['breaking', 'right-lost', 'all records to the caller "editor" with status=draft'],
    ]);
  });

  it('counts unchanged records with other content, without what changes by itself', () => {
    const list = (text: string, ...order: readonly string[]): AnswerNotes =>
      notes({
        sample: {
          members: ['content', 'title'],
          records: { 1: `m ${text} t`, 2: `m ${text} t`, 3: `m ${text} t`, 4: `${text} ${text} t` },
          order,
        },
      });
    const { changes } = between([list('x', '1', '2', '3')], [list('y', '3', '2', '1')]);

    expect(
      changes.map(({ class: found, kind, subject, evidence }) => [found, kind, subject, evidence]),
    ).toEqual([
      ['unknown', 'answer-rendered', 'content', '3 of 3 unmodified records, such as 1, 2, 3'],
      ['unknown', 'answer-order', 'the first page', '1, 2, 3 before, 3, 2, 1 after'],
    ]);
    expect(changes.map(({ calls }) => calls?.member)).toEqual(['content', undefined]);
    expect(said(between([list('x', '1', '2')], [list('x', '1', '3')]))).toEqual([]);
  });

  it('misses a link relation if pages had a neighbour, however much less was requested', () => {
    const paged = (count: number, relations: Readonly<Record<string, number>>): AnswerNotes =>
      notes({
        accepted: count,
        totals: { true: count, untrue: 0, paged: count, before: count / 2, after: count / 2 },
        headers: { link: { seen: count, words: relations } },
      });
    const was = paged(200, { next: 100, prev: 100 });

    expect(between([was], [paged(20, { next: 10 })]).changes).toMatchObject([
      { kind: 'header-words', subject: 'link', before: 'with prev', after: 'without prev' },
    ]);
    expect(said(between([was], [paged(20, { next: 10, prev: 10 })]))).toEqual([]);
    expect(said(between([was], [paged(4, { next: 2 })]))).toEqual([['unknown', 'header-words', 'link']]);
  });

  it('reports a slower route only if the answers around it are not slower, beyond the spread', () => {
    const timed = (seconds: number, pace: number): AnswerNotes =>
      notes({ seconds: spread(seconds), pace: spread(pace) });

    expect(said(between([timed(0.05, 1)], [timed(0.3, 6)]))).toMatchObject([
      ['unknown', 'answer-slower', 'the route'],
    ]);
    // The whole machine is slower.
    expect(said(between([timed(0.05, 1)], [timed(0.3, 1.1)]))).toEqual([]);
    // Too little to notice.
    expect(said(between([timed(0.001, 1)], [timed(0.006, 6)]))).toEqual([]);
  });

  it('recognises refusals by their code, and is certain of few if several routes show the same', () => {
    const on = (status: number, ...routes: readonly string[]) =>
      sideOf(
        [],
        routes.map((route) => refusal('denied', status, { route, answers: 1 })),
      );
    const classesOf = ({ changes }: Compared): string[] => [...new Set(changes.map((one) => one.class))];

    expect(classesOf(compareAnswers(on(401, '/a'), on(403, '/a')))).toEqual(['unknown']);
    expect(classesOf(compareAnswers(on(401, '/a', '/b', '/c'), on(403, '/a', '/b', '/c')))).toEqual([
      'breaking',
    ]);
  });

  describe('the assignment to causes', () => {
    const allow = (...words: readonly string[]): AnswerNotes['headers'] => ({
      allow: { seen: 20, words: Object.fromEntries(words.map((word) => [word, 20])) },
    });

    it('assigns removed methods to a lost right', () => {
      const options = { method: 'OPTIONS', forms: { object: 20 } };
      const compared = between(
        [notes(), notes({ ...options, headers: allow('get', 'post') })],
        [notes(denied), notes({ ...options, headers: allow('post') })],
      );

      expect(groupsOf(compared.changes).map(({ headline, hanging }) => [headline, hanging.length])).toEqual([
        ['/x/v1/notes: an anonymous caller is now denied, and was answered', 1],
      ]);
    });

    it('does not know whether callers notice that the body of a server error cannot be read', () => {
      const around = { 'notices of PHP before the JSON': 4 };
      const classOf = (kind: RefusalNotes['kind'], status: number): string[] => {
        const { code: _code, ...printed } = refusal(kind, status, { around, members: {} });
        const compared = compareAnswers(
          sideOf([notes()], [refusal(kind, status)]),
          sideOf([notes()], [printed]),
        );
        return groupsOf(compared.changes).map((group) => group.class);
      };

      expect(classOf('server error', 500)).toEqual(['unknown']);
      expect(classOf('invalid argument', 400)).toEqual(['breaking']);
    });

    it('does not know whether callers notice a page with a status of its own where others are refused as before', () => {
      const page = (status: number): RefusalNotes => {
        const around = { 'a page in place of JSON': 4 };
        const { code: _code, ...bare } = refusal('invalid argument', status, { around, members: {} });
        return bare;
      };
      const before = sideOf([notes()], [refusal('invalid argument', 400)]);
      const classOf = (...now: RefusalNotes[]): string[] =>
        groupsOf(compareAnswers(before, sideOf([notes()], now)).changes).map((group) => group.class);

      expect(classOf(refusal('invalid argument', 400), page(414))).toEqual(['unknown']);
      expect(classOf(refusal('invalid argument', 400), page(400))).toEqual(['breaking']);
      expect(classOf(page(414))).toContain('breaking');
    });

    it('assigns changed refusals to what is refused now', () => {
      const before = sideOf([notes()], [refusal('invalid argument', 400)]);
      const failing = notes({ ...denied, statuses: { 500: 20 } });
      const compared = compareAnswers(before, sideOf([failing], [refusal('server error', 500)]));

      expect(headlines(compared)).toEqual(['/x/v1/notes: refused with 500, and was answered']);
    });

    it('assigns the preflight of another route to refused OPTIONS', () => {
      const asked = { method: 'OPTIONS', forms: { object: 20 } };
      const preflight = { ...asked, route: '/x/v1/texts', with: ['a preflight'] };
      const refused = { ...asked, ...denied, statuses: { 405: 20 } };
      const after = [notes(refused), notes({ ...preflight, ...refused })];
      const compared = between([notes(asked), notes(preflight)], after);

      expect(headlines(compared)).toEqual(['OPTIONS /x/v1/notes: refused with 405, and was answered']);
    });

    it('assigns members of embedded records to the removed member', () => {
      const side = (...names: readonly string[]): AnswerNotes => {
        const [of, text] = ['object', 'text'].map((type) => ({ seen: 20, of: 20, types: { [type]: 20 } }));
        if (of === undefined || text === undefined) throw new Error('no notes');
        const paths = ['', '_embedded.author[].'].flatMap((path) => names.map((name) => `${path}${name}`));
        return notes({
          members: {
            ...{ _embedded: of, '_embedded.author': of, '_embedded.author[]': of },
            ...Object.fromEntries(paths.map((path) => [path, text])),
          },
        });
      };

      expect(headlines(between([side('a', 'b')], [side('a')]))).toEqual(['/x/v1/notes: `b` was removed']);
    });

    it('assigns what one record shows to the same change of its list', () => {
      const record = { route: '/x/v1/notes/{id}', forms: { object: 1 } };
      const compared = between(
        [notes(ofMember('integer', 20)), notes({ ...record, ...ofMember('null', 1) })],
        [
          notes({ records: 20, members: { author: { seen: 20, of: 20, types: { object: 20 } } } }),
          notes({ ...record, ...ofMember('object', 1) }),
        ],
      );
      const other = between(
        [notes(ofMember('integer', 20)), notes({ ...record, ...ofMember('boolean', 1) })],
        [notes(ofMember('object', 20)), notes({ ...record, ...ofMember('text', 1) })],
      );

      expect(headlines(compared)).toEqual(['/x/v1/notes: `author` is an object, not an integer']);
      expect(headlines(other)).toEqual(['/x/v1/notes: `author` is an object, not an integer']);
    });

    it('does not report content types and values that one run did not note', () => {
      const was = refusal('denied', 401, { members: { code: 4, data: 4 } });
      const is = { ...was, values: { 'code text': 4, 'data object': 4 } };

      expect(compareAnswers(sideOf([], [was]), sideOf([], [is])).changes).toEqual([]);
    });
  });
});
