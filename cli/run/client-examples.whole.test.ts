import { describe, expect, it } from 'vitest';
import { isObject } from '../../client/json.ts';
import { closedAfter } from '../../client/server.fixture.ts';
import type { Use } from '../../compare/clients/uses.ts';
import { sending } from '../../sites/alterations/handling.ts';
import { type Served, type ServeOptions, serve } from '../../sites/reference/serve.ts';
import type { Answer } from '../../sites/reference/site.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { resultIn, targetOf, testFile, tryMainAs } from '../try-main.fixture.ts';

const text = { kinds: ['text'] };
const write = (method: string, route: string, more: Partial<Use> = {}): Use => ({
  method,
  route,
  caller: 'user',
  parameters: {},
  answers: ['accepted'],
  members: ['id', 'slug'],
  ...more,
});

const WRITES: readonly Use[] = [
  write('POST', '/cms/v2/posts', {
    parameters: { title: text, slug: text, status: { kinds: ['text'], words: ['draft'] } },
  }),
  write('POST', '/cms/v2/posts', { body: 'form', parameters: { title: text, excerpt: text } }),
  write('PUT', '/cms/v2/posts/{id}', { parameters: { title: { kinds: ['object'] }, sticky: { kinds: [] } } }),
  write('PATCH', '/cms/v2/posts/{id}', { body: 'form', parameters: { title: text } }),
  write('POST', '/cms/v2/posts/{id}/autosaves', { parameters: { content: text }, members: ['parent'] }),
  write('DELETE', '/cms/v2/posts/{id}', {
    parameters: { force: { kinds: ['boolean'] } },
    members: ['previous.id'],
  }),
  write('DELETE', '/cms/v2/pages/{id}'),
  write('DELETE', '/cms/v2/posts/{parent}/revisions/{id}', {
    parameters: { force: { kinds: ['boolean'] } },
    members: ['deleted'],
  }),
  write('POST', '/cms/v2/media', { parameters: { alt_text: text }, members: ['source_url'] }),
  write('POST', '/cms/v2/media', { body: 'form', parameters: { alt_text: text } }),
];

type Behaviour = NonNullable<ServeOptions['behaviour']>;

interface Tried {
  /** Verdict and message of each example, by the last part of its id. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly written: readonly string[];
  readonly records: readonly [before: string, after: string];
}

async function recordsOf({ url, user, password }: Served): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const lists = ['posts&status=any', 'pages&status=any', 'media'].map(async (list) => {
    const asked = `${url}/?rest_route=/cms/v2/${list}&context=edit&per_page=100`;
    const records: unknown = await (await fetch(asked, { headers: { authorization } })).json();
    return Array.isArray(records) ? records.map((one) => isObject(one) && one.id) : [];
  });
  return JSON.stringify(await Promise.all(lists));
}

function clientFile(name: string, uses: readonly Use[]): string {
  return testFile(`${name}.client.json`, { format: 1, kind: 'client', uses });
}

async function examplesOf(uses: readonly Use[], behaviour: Behaviour = {}, mode = 'write'): Promise<Tried> {
  const written: string[] = [];
  const before: ServeOptions['before'] = ({ method = '', headers }) => {
    if (method !== 'GET') written.push(`${method} ${headers['content-type']?.split(';')[0] ?? ''}`.trim());
  };
  const site = await closedAfter(serve({ deployment: 'core', behaviour, before }));
  const folder = testFolder();
  const records = await recordsOf(site);
  const how = ['--mode', mode, '--quiet', '--reporter', 'json', '--out', folder, '--only', 'client/**'];
  await tryMainAs(site, 'run', ...targetOf(site), ...how, '--as-client', clientFile('app', uses));
  const verdicts = resultIn(folder)
    .checks.filter(({ id }) => id.startsWith('client/app/'))
    .map(({ id, verdict, message = '' }) => [id.slice('client/app/cms/v2/'.length), `${verdict} ${message}`]);
  return { verdicts: Object.fromEntries(verdicts), written, records: [records, await recordsOf(site)] };
}

interface Passing {
  readonly method: string;
  readonly route: string;
  status: number;
  json: Answer['body'];
}

function answering(change: (passing: Passing) => void): Behaviour {
  return sending(({ status, headers, body }, { method, route }) => {
    const passing = { method, route, status, json: body };
    change(passing);
    return { status: passing.status, headers, body: passing.json };
  });
}

const NO_FORMS: Behaviour = ({ send }) => ({
  send: (message, response, answer) => {
    const isForm = message.headers['content-type']?.includes('urlencoded') === true;
    const body = { code: 'rest_no_forms', message: 'JSON alone is taken', data: { status: 415 } };
    return send(message, response, isForm ? { status: 415, headers: {}, body } : answer);
  },
});

const BROKEN: readonly (readonly [title: string, Behaviour, Readonly<Record<string, string>>])[] = [
  [
    'does not take PUT any more',
    answering((passing) => {
      if (passing.method === 'PUT') Object.assign(passing, { status: 405, json: { code: 'rest_no_route' } });
    }),
    { 'posts/id/PUT+user+title+sticky': 'fail the call is not answered' },
  ],
  [
    'answers a creation without the slug',
    answering(({ status, json }) => {
      if (status === 201) Reflect.deleteProperty(Object(json), 'slug');
    }),
    {
      'posts/POST+user+title+slug+status': 'fail no record shows slug',
      'posts/POST+form+user+title+excerpt': 'fail no record shows slug',
      'media/POST+form+user+alt_text': 'fail no record shows slug',
    },
  ],
  [
    'takes no form',
    NO_FORMS,
    {
      'posts/POST+form+user+title+excerpt': 'fail the call is not answered',
      'posts/id/PATCH+form+user+title': 'fail the call is not answered',
    },
  ],
  [
    'does not show what it deleted',
    answering((passing) => {
      if (passing.method === 'DELETE') Reflect.deleteProperty(Object(passing.json), 'previous');
    }),
    { 'posts/id/DELETE+user+force': 'fail no record shows previous.id' },
  ],
];

describe('calls that a client made are sent again', { timeout: 60_000 }, () => {
  it('as writes only on records of the run, in the form in which they were sent', async () => {
    const { verdicts, written, records } = await examplesOf(WRITES);

    expect(Object.keys(verdicts)).toHaveLength(WRITES.length);
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['pass ']));
    for (const sent of [
      'POST application/x-www-form-urlencoded',
      'POST multipart/form-data',
      'PUT application/json',
      'PATCH application/x-www-form-urlencoded',
      'DELETE',
    ]) {
      expect(written).toContain(sent);
    }
    expect(records[1]).toBe(records[0]);
  });

  it.each(BROKEN)('and fail on a site that %s', async (_, behaviour, failing) => {
    const { verdicts } = await examplesOf(WRITES, behaviour);
    const failed = Object.entries(verdicts).filter(([, said]) => said.startsWith('fail'));

    expect(Object.fromEntries(failed)).toEqual(failing);
  });

  it('and write nothing outside mode write, nor what no record of the run can show', async () => {
    const beyond = [
      ...WRITES,
      write('POST', '/cms/v2/posts', { answers: ['refused'] }),
      write('POST', '/shop/v1/orders', { members: ['id'] }),
      write('POST', '/batch/v1', { members: 'unknown' }),
    ];
    const [read, wrote] = [await examplesOf(beyond, {}, 'read'), await examplesOf(beyond)];

    expect([read.written, new Set(Object.values(read.verdicts))]).toEqual([
      [],
      new Set(['skip needs mode write']),
    ]);
    expect(Object.values(wrote.verdicts).filter((said) => !said.startsWith('pass'))).toEqual([
      'skip it was refused each time that it was recorded',
      'skip the contract does not know what it writes',
      'skip it writes no record that a run could make for it',
    ]);
  });
});

describe('a run for two clients beside a baseline', { timeout: 60_000 }, () => {
  const read = (route: string, members: readonly string[]): Use => write('GET', route, { members });
  const CLIENTS = {
    app: [write('PUT', '/cms/v2/posts/{id}', { parameters: { title: text } }), read('/cms/v2/posts', ['id'])],
    shop: [read('/cms/v2/pages', ['id', 'link'])],
  };
  const without = (route: string, name: string): Behaviour =>
    answering(({ method, route: asked, json }) => {
      if (method !== 'GET' || asked !== route) return;
      for (const record of [json].flat()) Reflect.deleteProperty(Object(record), name);
    });

  interface RunForBoth {
    readonly out: string;
    readonly code: number;
    readonly failures: Readonly<Record<string, readonly string[] | undefined>>;
    readonly answers: readonly (readonly string[] | undefined)[];
    readonly folded: boolean;
  }

  async function runFor(behaviour: Behaviour, ...more: string[]): Promise<RunForBoth> {
    const site = await closedAfter(serve({ deployment: 'core', behaviour }));
    const out = testFolder();
    const files = Object.entries(CLIENTS).map(([name, uses]) => clientFile(name, uses));
    const how = ['--mode', 'write', '--quiet', '--seed', '1', '--only', 'client/**', '--out', out];
    const { code } = await tryMainAs(
      site,
      ...['run', ...targetOf(site), ...how, '--as-client', ...files, ...more],
    );
    const { checks, baseline } = resultIn(out, more.includes('--rerun') ? 'rerun' : '');
    const failed = checks.filter(({ verdict }) => verdict === 'fail');
    return {
      out,
      code,
      failures: Object.fromEntries(failed.map(({ id, clients }) => [id, clients])),
      answers: baseline?.answers?.map(({ clients }) => clients) ?? [],
      folded: baseline?.notes.some((note) => note.includes('concern none of the clients')) === true,
    };
  }

  it('names the affected client for each new failure and each change in answers, and folds the rest', async () => {
    const { out, code } = await runFor({});
    expect(code).toBe(0);
    const beside = ['--baseline', out, '--fail-on', 'changes'];

    const failed = await runFor(BROKEN[0]?.[1] ?? {}, ...beside);
    expect(failed).toMatchObject({
      code: 1,
      failures: { 'client/app/cms/v2/posts/id/PUT+user+title': ['app'] },
      answers: [['app']],
    });
    // A failed call is rerun by its id like any check.
    expect(await runFor(BROKEN[0]?.[1] ?? {}, '--rerun', failed.out)).toMatchObject({
      code: 1,
      failures: { 'client/app/cms/v2/posts/id/PUT+user+title': ['app'] },
    });
    expect(await runFor(without('/cms/v2/pages', 'link'), ...beside)).toMatchObject({
      code: 1,
      failures: { 'client/shop/cms/v2/pages/user': ['shop'] },
      answers: [['shop']],
    });
    expect(await runFor(without('/cms/v2/posts', 'excerpt'), ...beside)).toMatchObject({
      code: 0,
      failures: {},
      answers: [],
      folded: true,
    });
  });
});
