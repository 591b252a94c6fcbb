import { describe, expect, it } from 'vitest';
import { PASSWORD, type Seen, USER } from '../../sites/hostile/exchange.ts';
import { runs } from '../../sites/hostile/server.ts';
import { EXPECTATIONS, missesOf, spellings } from './expectations.ts';

type Evidence = Parameters<typeof missesOf>[1];

const SECRETS = spellings(USER, PASSWORD);

const BOUNDS = { seconds: 10, bytes: 1_000_000_000, secrets: SECRETS };

/** A request of a run; default: for the index. */
function seen(changes: Partial<Seen> = {}): Seen {
  return { method: 'GET', url: '/index.php?rest_route=/', headers: {}, body: Buffer.of(), ...changes };
}

/** The result document of a run in which one check passed. */
function resultText(changes: object = {}): Buffer {
  const document = { conclusion: 'conformant', run: {}, checks: [{ id: 'a', verdict: 'pass' }], ...changes };
  return Buffer.from(JSON.stringify(document));
}

const RECORDS = new Map([
  ['posts/1', '{"id":1}'],
  ['media/7', '{"id":7}'],
]);

/** The evidence of a correct run. */
const HEALTHY: Evidence = {
  ran: {
    code: 0,
    seconds: 2,
    bytes: 200_000_000,
    stdout: Buffer.from('CONFORMANT  1 check passed\n'),
    stderr: Buffer.of(),
    survivors: 0,
  },
  seen: [seen(), seen({ method: 'HEAD' })],
  misdirected: [],
  before: RECORDS,
  after: RECORDS,
  files: new Map([
    ['results.json', resultText()],
    ['junit.xml', Buffer.from('<?xml version="1.0"?><testsuites/>')],
  ]),
};

function missed(changes: Partial<Evidence>, mode: 'read' | 'write' = 'read'): string[] {
  const evidence = { ...HEALTHY, ...changes };
  return missesOf({ mode, expected: runs.conforms.expected }, evidence, BOUNDS).map((one) => one.expectation);
}

function ran(changes: Partial<Evidence['ran']>): Partial<Evidence> {
  return { ran: { ...HEALTHY.ran, ...changes } };
}

function file(name: string, content: Buffer | string): Partial<Evidence> {
  return { files: new Map([...HEALTHY.files, [name, Buffer.from(content)]]) };
}

function result(changes: object): Partial<Evidence> {
  return file('results.json', resultText(changes));
}

function printed(text: string): Partial<Evidence> {
  return ran({ stdout: Buffer.from(text) });
}

function after(...records: [string, string][]): Partial<Evidence> {
  return { after: new Map([...RECORDS, ...records]) };
}

/** What goes wrong by one request, in mode write. */
function sent(what: string, expectation: string, changes: Partial<Seen>): (typeof WRONG)[number] {
  return [what, expectation, { seen: [seen(changes)] }, 'write'];
}

const DELETION = '/index.php?rest_route=/cms/v2/posts/1&force=true';

const LOGGED_IN = { authorization: 'Basic abc' };

const OVERRIDES = [
  ...['_method', '%5Fmethod', '%255Fmethod', '_METHOD', '.method', '%20_method', '+_method', '_method[]'],
];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const IN_A_BATCH = '{"requests":[{"method":"DELETE","path":"/cms/v2/media/7?force=true"}]}';

/** Something that goes wrong, and the only expectation that it misses. */
const WRONG: readonly [string, string, Partial<Evidence>, ('read' | 'write')?][] = [
  ['another exit code', 'exit code', { ...ran({ code: 4 }) }],
  ['a run that was ended by force', 'exit code', ran({ code: undefined })],
  ['a run that evaluated nothing', 'ending', result({ checks: [] })],
  ['a run that ended early', 'ending', result({ run: { ended: 'gone' } })],
  ['no result document', 'reports', { files: new Map([...HEALTHY.files].slice(1)) }],
  ['a conclusion that the exit code denies', 'reports', result({ conclusion: 'inconclusive' })],
  ['a fault of the suite', 'reports', result({ checks: [{ verdict: 'pass' }, { verdict: 'error' }] })],
  ['JUnit that is cut off', 'reports', file('junit.xml', '<testsuites><testsuite name="a">')],
  ['JUnit that is no XML', 'reports', file('junit.xml', '<testsuites><a b=></testsuites>')],
  ['JUnit with a forbidden character', 'reports', file('junit.xml', '<testsuites name="\u0001"/>')],
  ['a report of 40 MB', 'reports', file('events.ndjson', 'x'.repeat(40_000_000))],
  ['a run that took too long', 'time', ran({ seconds: 11 })],
  ['a run that took too much memory', 'memory', ran({ bytes: 1_100_000_000 })],
  ['a secret on standard output', 'secrets', printed(`said ${PASSWORD}`)],
  ['a secret on standard error', 'secrets', ran({ stderr: Buffer.from(encodeURIComponent(PASSWORD)) })],
  ['a secret in a file', 'secrets', file('journals/a.ndjson', Buffer.from(PASSWORD).toString('base64'))],
  ['a secret in the name of a file', 'secrets', file(PASSWORD, '')],
  ['part of a secret', 'secrets', file('a.txt', PASSWORD.slice(0, 14))],
  ['an escape sequence', 'texts', printed('\u001b[31mred')],
  ['an escape sequence of eight bits', 'texts', printed('\u009b31mred')],
  ['a change of direction', 'texts', ran({ stderr: Buffer.from('\u202egpj') })],
  ['a workflow command', 'texts', printed('ok\n  ::error::x')],
  ['a workflow command as of old', 'texts', printed('a ##[error]x')],
  ['a pipeline command', 'texts', printed('a ##vso[task.complete]x')],
  ['a line without an end', 'texts', printed('x'.repeat(5000))],
  ['output without an end', 'texts', printed(`${'x'.repeat(999)}\n`.repeat(6000))],
  ['a write in mode read', 'methods', { seen: [seen({ method: 'POST' })] }],
  ...OVERRIDES.map((name) =>
    sent(`an override called ${name}`, 'methods', { url: `/?rest_route=/&${name}=DELETE` }),
  ),
  sent('an override in a header', 'methods', { headers: { 'x-http-method-override': 'PUT' } }),
  sent('an override in a form', 'methods', { headers: FORM, body: Buffer.from('a=1&_method=PUT') }),
  ['a request to another origin', 'origin', { misdirected: [seen()] }],
  ['a record that is gone', 'foreign records', { after: new Map([...RECORDS].slice(1)) }],
  ['a record that was changed', 'foreign records', after(['posts/1', '{}'])],
  sent('a deletion of a foreign record that the site refused', 'foreign records', {
    ...{ method: 'DELETE', url: DELETION, headers: LOGGED_IN },
  }),
  sent('a deletion of a foreign record in a batch', 'foreign records', {
    ...{ method: 'POST', url: '/index.php?rest_route=/batch/v1', headers: LOGGED_IN },
    body: Buffer.from(IN_A_BATCH),
  }),
  ['a record that is left and not listed', 'left records', after(['posts/9', '{}']), 'write'],
  ['a process that outlives the run', 'processes', ran({ survivors: 1 })],
];

describe('a run against a hostile server', () => {
  it('is as it must be when nothing is wrong', () => {
    expect(missed({})).toEqual([]);
  });

  it.each(WRONG)('misses by %s', (_what, expectation, evidence, mode) => {
    expect(missed(evidence, mode)).toEqual([expectation]);
  });

  it('can miss every judgement', () => {
    expect(new Set(WRONG.map(([, expectation]) => expectation))).toEqual(new Set(EXPECTATIONS));
  });

  it('may write to its own records, and ask for those of others', () => {
    const requests = [
      seen({ method: 'POST', url: '/index.php?rest_route=/cms/v2/posts/9', headers: LOGGED_IN }),
      seen({ method: 'GET', url: DELETION, headers: LOGGED_IN }),
    ];

    expect(missed({ seen: requests }, 'write')).toEqual([]);
  });

  it('may leave records that its result document lists', () => {
    const left = result({ writing: { left: [{ collection: 'posts', id: 9 }], doubts: [] } });
    const evidence = { ...HEALTHY, ...ran({ code: 4 }), ...left, ...after(['posts/9', '{}']) };
    const expected = { codes: [4], endings: ['whole'] } as const;

    expect(missesOf({ mode: 'write', expected }, evidence, BOUNDS)).toEqual([]);
  });

  it('is not quoted with the secret that it lets out', () => {
    const evidence = { ...HEALTHY, ...printed(PASSWORD) };
    const misses = missesOf({ mode: 'read', expected: runs.conforms.expected }, evidence, BOUNDS);

    expect(JSON.stringify(misses)).not.toContain(PASSWORD.slice(0, 8));
  });
});

const SECRET = `a b/c"d'e&f<g>é+(h)!`;

const ALL = spellings('me', SECRET);

describe('spellings', () => {
  it.each([
    ['as it is', SECRET],
    ['without blanks', `ab/c"d'e&f<g>é+(h)!`],
    ['percent-encoded', `a%20b%2Fc%22d'e%26f%3Cg%3E%C3%A9%2B(h)!`],
    ['percent-encoded in small letters', `a%20b%2fc%22d'e%26f%3cg%3e%c3%a9%2b(h)!`],
    ["percent-encoded, !'()* too", 'a%20b%2Fc%22d%27e%26f%3Cg%3E%C3%A9%2B%28h%29%21'],
    ['as a form has it', 'a+b%2Fc%22d%27e%26f%3Cg%3E%C3%A9%2B%28h%29%21'],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64 with the user', Buffer.from(`me:${SECRET}`).toString('base64')],
    ['in base64 for addresses', Buffer.from(SECRET).toString('base64url')],
    ['in JSON', `a b/c\\"d'e&f<g>é+(h)!`],
    ['in JSON of ASCII with escaped slashes', `a b\\/c\\"d'e&f<g>\\u00e9+(h)!`],
    ['in JSON in JSON', `a b/c\\\\\\"d'e&f<g>é+(h)!`],
    ['in HTML', `a b/c&quot;d'e&amp;f&lt;g&gt;é+(h)!`],
    ['in HTML with the apostrophe by its number', 'a b/c&quot;d&#039;e&amp;f&lt;g&gt;é+(h)!'],
    ['in part', SECRET.slice(0, 12)],
  ])('hold a secret %s', (_how, spelling) => {
    expect(ALL).toContain(spelling);
  });
});
