import { describe, expect, it } from 'vitest';
import { textsOf } from '../../specs/texts.ts';
import { parseJson } from '../answer.ts';
import { ACCEPTED } from '../observation.fixture.ts';
import type { Observation, RequestSpec } from '../observation.ts';
import { readIndex } from '../site-index.ts';
import { whatIsAround } from './around.ts';
import type { ObservedAnswers } from './document.ts';
import { AnswerRecorder } from './recorder.ts';

const BASE = 'https://site.example';

const ARGS = { context: { enum: ['view', 'edit'], default: 'view' }, per_page: { default: 10 } };

function entry(...methods: string[]): object {
  return { namespace: 'x/v1', endpoints: [{ methods, args: ARGS }] };
}

const INDEX = readIndex(
  {
    namespaces: ['x/v1'],
    routes: {
      '/x/v1': entry('GET'),
      '/x/v1/notes': entry('GET', 'POST'),
      '/x/v1/notes/(?P<id>[\\d]+)': entry('GET', 'DELETE'),
      '/x/v1/notes/(?P<parent>[\\d]+)/parts': entry('GET'),
      '/x/v1/files/(?P<path>[\\w/]+)': entry('GET'),
    },
  },
  '',
);

type Exchange = readonly [spec: Partial<RequestSpec>, answer: Partial<Observation> & { json?: unknown }];

/** The route of a record that the run has created. */
const OWN = '/x/v1/notes/9';

function recorderOf(...exchanges: readonly Exchange[]): AnswerRecorder {
  const redact = (text: string): string => text.replaceAll('swordfish', '[redacted]');
  const recorder = new AnswerRecorder({
    names: textsOf('observed'),
    index: INDEX,
    base: new URL(BASE),
    redact,
    isNew: (route) => route === OWN,
  });
  for (const one of exchanges) note(recorder, one);
  return recorder;
}

function note(recorder: AnswerRecorder, [spec, answer]: Exchange): void {
  recorder.note(
    { method: 'GET', route: '/x/v1/notes', ...spec },
    { ...ACCEPTED, text: JSON.stringify(answer.json ?? []), ...answer },
  );
}

function observed(...exchanges: readonly Exchange[]): ObservedAnswers {
  return recorderOf(...exchanges).take(true);
}

function membersOf(...records: readonly object[]): unknown {
  return observed([{}, { json: records }]).answers[0]?.members;
}

describe('what a run notes of answers', () => {
  it('holds no values of records below its own, which the next run makes anew', () => {
    const sampleBelow = (note: string): unknown => {
      const route = `${note}/parts`;
      const url = `${BASE}/index.php?rest_route=${route}`;
      return observed([{ route }, { url, json: [{ id: 1, date: 'today' }] }]).answers[0]?.sample;
    };

    expect([sampleBelow(OWN), sampleBelow('/x/v1/notes/7')]).toEqual([undefined, expect.anything()]);
  });

  it('of the root of a namespace is that its members are there, and not what they hold', () => {
    const routes = { '/x/v1/notes': entry('GET') };
    const { answers } = observed([{ route: '/x/v1' }, { json: { namespace: 'x/v1', routes, _links: {} } }]);

    expect(Object.keys(answers[0]?.members ?? {})).toEqual(['_links', 'namespace', 'routes']);
  });

  it('is of deletions for good apart from those into the trash, which answer otherwise', () => {
    const deletion = { method: 'DELETE', route: '/x/v1/notes/7' } as const;
    const { answers } = observed(
      [deletion, { json: { id: 7 } }],
      [{ ...deletion, query: [['force', 'true']] }, { json: { deleted: true, previous: {} } }],
      [{ ...deletion, body: { json: { force: true } } }, { json: { deleted: true, previous: {} } }],
    );

    expect(answers.map(({ with: others, members = {} }) => [others, Object.keys(members)])).toEqual([
      [['force'], ['deleted', 'previous']],
      [undefined, ['id']],
    ]);
  });

  it('is noted by route, method, context, caller and what shapes an answer', () => {
    const { answers } = observed(
      [{}, {}],
      [{ query: [['context', 'edit']], as: 'user' }, {}],
      [{ query: [['_embed', '1']] }, {}],
      [{ route: '/x/v1/notes/7' }, { json: { id: 7 } }],
      [{ route: '/x/v1/notes/7/parts' }, {}],
      [{ route: '/x/v1/files/a/b' }, {}],
    );

    expect(
      answers.map(({ route, context, caller, with: others }) => [route, context, caller, others]),
    ).toEqual([
      ['/x/v1/files/{path}', 'view', 'anonymous', undefined],
      ['/x/v1/notes', 'edit', 'user', undefined],
      ['/x/v1/notes', 'view', 'anonymous', ['_embed']],
      ['/x/v1/notes', 'view', 'anonymous', undefined],
      ['/x/v1/notes/{id}', 'view', 'anonymous', undefined],
      ['/x/v1/notes/{parent}/parts', 'view', 'anonymous', undefined],
    ]);
  });

  it.each([
    [304, 'absent', [{ statuses: { 304: 1 }, accepted: 0, records: 0 }]],
    [503, 'throttled', [{ statuses: { 503: 1 }, accepted: 0, records: 0 }]],
    [429, 'throttled', []],
  ] as const)('counts %i as neither records nor a refusal', (status, answer, expected) => {
    const { answers, refusals } = observed([{}, { status, answer, text: '' }]);

    expect(answers).toMatchObject(expected);
    expect(refusals).toEqual([]);
  });

  it.each([
    [[{ id: 1 }], 'list'],
    [[], 'list'],
    [[1, 2], 'list of other values'],
    [[{ id: 1 }, null], 'list of other values'],
  ])('tells lists of records from others: %j is a %s', (json, form) => {
    expect(observed([{}, { json }]).answers[0]?.forms).toEqual({ [form]: 1 });
  });

  it('counts records by whether they are public, unless their status is asked for', () => {
    const json = ['publish', 'draft', 'inherit'].map((status, id) => ({ id, status }));
    const { answers } = observed(
      [{}, { json }],
      [{ query: [['status', 'draft']] }, { json: [{ id: 9, status: 'draft' }] }],
    );

    expect(answers[0]?.published).toEqual({ public: 1, hidden: 1 });
  });

  it('tells types apart, empty lists and objects and fractions too, counted in records', () => {
    expect(
      membersOf(
        { id: 1, a: null, b: [], c: {}, d: 1.5, e: [{ f: true }, { f: false }] },
        { id: 2, a: 'x', b: ['y'], d: -2 },
      ),
    ).toMatchObject({
      a: { seen: 2, of: 2, types: { null: 1, text: 1 } },
      b: { types: { 'empty list': 1, list: 1 } },
      c: { seen: 1, of: 2, sometimes: true, types: { 'empty object': 1 } },
      d: { types: { fraction: 1, integer: 1 }, signs: { negative: 1, positive: 1 } },
      'e[].f': { seen: 1, of: 1, types: { boolean: 1 } },
    });
  });

  it('names members that are numbers where all objects have the same few, and none of a map', () => {
    const sized = (id: number): object => ({ id, sizes: { 24: 'a', 96: 'b' }, by: { [id]: 'a', 7: 'b' } });
    const members = membersOf(sized(1), sized(2), sized(3));

    expect(members).toMatchObject({ 'sizes.96': { seen: 3, of: 3, types: {} } });
    expect(Object.keys(members ?? {}).filter((path) => path.startsWith('by.'))).toEqual(['by.*']);
    expect(membersOf(sized(1), sized(2))).not.toHaveProperty(['sizes.96']);
  });

  it.each([
    ['2024-05-06T07:08:09', 'date-time'],
    ['2024-05-06T07:08:09Z', 'date-time with zone'],
    ['2024-05-06 07:08:09', 'date-time with blank'],
    ['0000-00-00 00:00:00', 'date-time of zeros'],
    ['-0001-11-30T00:00:00', 'date-time of zeros'],
    [`${BASE}/a`, 'own address'],
    [`${BASE}.evil.example/a`, 'other address'],
    [`${BASE.replace('https:', 'http:')}/a`, 'own address by another scheme'],
    ['/a/b', 'relative address'],
    ['<p>a</p>', 'markup'],
    ['12', 'number'],
    ['', 'empty'],
    ['a < b', 'plain'],
  ])('tells what the text %j looks like', (text, kind) => {
    expect(membersOf({ id: 1, text })).toMatchObject({ text: { texts: { [kind]: 1 } } });
  });

  it('holds no values of records, no secrets, and is bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`name${at}`, 'marjoram']));
    const text = JSON.stringify(
      observed([{}, { json: [{ id: 1, count: 4711, swordfish: 'marjoram', ...many }] }]),
    );

    expect(text).not.toMatch(/marjoram|4711|swordfish/);
    expect(text).toContain('[redacted]');
    expect(text.length).toBeLessThan(20_000);
  });

  it('masks secrets that the site repeats in headers, codes and names, before they are cut or spelt otherwise', () => {
    const long = `${'x'.repeat(75)} swordfish`;
    const { answers, refusals } = observed(
      [{}, { headers: { 'content-type': `application/json; ${long}`, vary: 'swordfish' } }],
      [
        {},
        {
          status: 400,
          answer: 'refused',
          json: { code: long, [long]: 1 },
          headers: { 'content-type': long },
        },
      ],
    );

    expect(JSON.stringify([answers, refusals])).not.toMatch(/sword/i);
  });

  it('looks at each record once, so that what is asked often does not count for more', () => {
    const { answers } = observed([{}, { json: [{ id: 1 }] }], [{}, { json: [{ id: 1 }, { id: 2 }] }]);

    expect(answers[0]).toMatchObject({ accepted: 2, records: 2 });
  });

  it('names what two readings of one request showed differently, and nothing else', () => {
    const recorder = recorderOf();
    const spec: RequestSpec = { method: 'GET', route: '/x/v1/notes' };
    const reading = (weight: unknown, id: number): Observation => {
      const json = [{ id, weight }];
      return { ...ACCEPTED, json, text: JSON.stringify(json), headers: weight === 1 ? { etag: 'a' } : {} };
    };
    recorder.noteAgain(spec, reading(1, 1), reading(2, 2));
    recorder.noteAgain(spec, reading(1, 1), reading('1', 1));

    expect(recorder.take(true).answers[0]?.unstable).toEqual(['etag', 'weight']);
  });

  it('notes apart what is asked otherwise than its parameters say, with its shape', () => {
    const { answers } = observed(
      [{ query: [['_fields', 'id']], noted: '_fields=id' }, { json: [{ id: 1 }] }],
      [{ method: 'OPTIONS', noted: 'a preflight' }, {}],
    );

    expect(answers.map(({ method, with: others, records }) => [method, others, records])).toEqual([
      ['GET', ['_fields=id'], 1],
      ['OPTIONS', ['a preflight'], 0],
    ]);
  });

  it('does not note the shape where a parameter chooses members', () => {
    const { answers } = observed([{ query: [['_fields', 'id']] }, { json: [{ id: 1 }] }]);

    expect(answers[0]).toMatchObject({ with: ['_fields'], records: 0 });
    expect(answers[0]).not.toHaveProperty('members');
  });

  it('tells what kind of header there is, and no digests of cookies', () => {
    const headers = {
      'content-type': 'application/json; charset=UTF-8',
      link: `<${BASE}/2>; rel="next", <${BASE}/0>; rel=prev`,
      'set-cookie': 'login_0123456789abcdef=secret; path=/',
      'cache-control': 'max-age=300, public',
      'x-wp-total': '7',
      'x-mine': 'a',
    };
    const [row] = observed([{}, { headers }]).answers;

    expect(row?.headers).toEqual({
      'cache-control': { seen: 1, words: { 'max-age': 1, public: 1 } },
      'content-type': { seen: 1, words: { 'application/json': 1, 'charset=utf-8': 1 } },
      link: { seen: 1, words: { next: 1, prev: 1 } },
      'set-cookie': { seen: 1, words: { 'login_*': 1 } },
      'x-wp-total': { seen: 1, words: { 'whole number': 1 } },
    });
  });

  it.each([
    ['3', '1', {}, { true: 1, untrue: 0, paged: 0 }],
    ['4', '1', {}, { true: 0, untrue: 1, paged: 0 }],
    ['7', '2', { per_page: '4', page: '2' }, { true: 1, untrue: 0, paged: 1 }],
    ['7', '3', { per_page: '4', page: '2' }, { true: 0, untrue: 1, paged: 1 }],
    ['3', '1', { offset: '1' }, undefined],
  ])('tells whether totals of %s and %s are true with %j', (records, pages, asked, totals) => {
    const headers = { 'x-wp-total': records, 'x-wp-totalpages': pages };
    const query = Object.entries<string>(asked);
    const [row] = observed([{ query }, { headers, json: [{ id: 1 }, { id: 2 }, { id: 3 }] }]).answers;

    expect({ totals: row?.totals }).toMatchObject({ totals });
  });

  it('tells refusals by their kind, with status, code and members', () => {
    const refused = (status: number, answer: Observation['answer'], code: string): Partial<Observation> => ({
      status,
      answer,
      json: { code, data: { status } },
    });
    const { refusals } = observed(
      [{ route: '/none' }, refused(404, 'refused', 'no_route')],
      [{ method: 'DELETE' }, refused(404, 'refused', 'no_route')],
      [{}, refused(401, 'denied', 'forbidden')],
      [{ route: '/x/v1/notes/9' }, refused(404, 'refused', 'no_id')],
      [{}, refused(400, 'refused', 'invalid')],
      [
        { method: 'POST', body: { bytes: new Uint8Array(), type: 'application/json' } },
        refused(400, 'refused', 'json'),
      ],
      [{}, { ...refused(500, 'broken', ''), json: undefined, text: '<html>' }],
    );

    expect(refusals.map(({ kind, status, code }) => [kind, status, code]).sort()).toEqual([
      ['broken JSON', 400, 'json'],
      ['denied', 401, 'forbidden'],
      ['invalid argument', 400, 'invalid'],
      ['server error', 500, undefined],
      ['unknown record', 404, 'no_id'],
      ['unknown route', 404, 'no_route'],
      ['wrong method', 404, 'no_route'],
    ]);
    expect(refusals.find(({ kind }) => kind === 'denied')).toMatchObject({
      members: { code: 1, data: 1, 'data.status': 1 },
    });
    expect(refusals.find(({ kind }) => kind === 'server error')).toMatchObject({
      around: { 'a page in place of JSON': 1 },
    });
  });

  it('finds nothing wrong with the body of an answer that did not arrive', () => {
    const { refusals } = observed([{}, { answer: 'broken', status: 0, json: undefined, text: '' }]);

    expect(refusals).toMatchObject([{ kind: 'server error', status: 0 }]);
    expect(refusals[0]).not.toHaveProperty('around');
  });
});

describe('what is reported as a run goes on', () => {
  it('is each kind of answer at once, again when there is twice as much, and all at the end', () => {
    const recorder = recorderOf([{}, {}], [{}, {}]);
    const reported = (isLast: boolean): number[] => recorder.take(isLast).answers.map((one) => one.accepted);

    expect(reported(false)).toEqual([2]);
    note(recorder, [{}, {}]);
    expect(reported(false)).toEqual([]);
    note(recorder, [{}, {}]);
    expect(reported(false)).toEqual([4]);
    note(recorder, [{}, {}]);
    expect([reported(true), reported(true)]).toEqual([[5], []]);
  });

  it('has of a refusal a read that was refused so, without values of the site', () => {
    const refused = { answer: 'refused', status: 400, json: { code: 'invalid' } } as const;
    const { refusals } = observed(
      [
        {
          query: [
            ['search', 'a title of the site'],
            ['per_page', '0'],
          ],
        },
        refused,
      ],
      [{ rawQuery: 'search[]=%' }, refused],
      [
        { route: '/x/v1/notes/987654321', query: [['context', 'edit']] },
        { ...refused, status: 404 },
      ],
      [{ method: 'POST', body: { json: {} } }, refused],
    );

    expect(refusals.map(({ asked }) => asked)).toEqual([
      '/x/v1/notes?search=SEARCH&per_page=0',
      undefined,
      '/x/v1/notes/987654321?context=edit',
    ]);
  });
});

it.each([
  ['\ufeff{"a":1}', 'a byte-order mark before the JSON'],
  ['<b>Warning</b>:  Undefined variable in x.php\n{"a":1}', 'notices of PHP before the JSON'],
  ['<!-- a -->[{"a":1}]', 'a comment before the JSON'],
  ['{"a":"}"}\n<!-- cached -->', 'a comment after the JSON'],
  ['{"a":1}\nPHP Notice:  x', 'notices of PHP after the JSON'],
  ['<!doctype html><p>', 'a page in place of JSON'],
  ['{"a":', 'JSON that breaks off'],
  ['', 'nothing at all'],
  ['no', 'text in place of JSON'],
])('what stands around JSON is named with its cause: %j', (text, what) => {
  expect(parseJson(Buffer.from(text)).json).toBeUndefined();
  expect(whatIsAround(text)).toBe(what);
});
