import assert from 'node:assert/strict';
import { isObject, member } from '../../reference/json.ts';
import type { Ask, Change, Passing, SeenAnswer } from './change.ts';

const NAMESPACE_ROOT =
  /^\/(?:oembed\/1\.0|[\w-]+(?:\/[\w-]+)?\/v\d+|builder\/v1\/(?:documents|feedback)|host_sign_on_plugin\/v1)$/;
const CORE = /^\/(?:cms\/v2|batch\/v1|oembed\/1\.0)(?:\/|$)/;
const RECORDS = /^\/cms\/v2\/[\w-]+(?:\/\d+(?:\/edit)?)?$/;
const CHILDREN = /\/(?:revisions|autosaves)(?:\/\d+)?$/;
const REFUSALS = [400, 422, 404, 409, 410, 413, 418];
const PLUGIN = { route: '/host_sign_on_plugin/v1/is_user_logged_in' };

/** Other answers where nothing is stated about them, by the id of the unspecified point. */
export const ANSWER_CHANGES: Readonly<Record<string, Change>> = {
  'plugin-behaviour': {
    answer: (passing) => {
      if (!CORE.test(passing.route) && passing.status === 200) passing.json = ['done', { perhaps: null }];
    },
    shows: async (ask) => (await ask(PLUGIN)).json,
  },
  'other-response-fields': {
    answer: (passing) => {
      if (!RECORDS.test(passing.route)) return;
      passing.json = eachRecord(
        passing.json,
        ({ guid: _, class_list: _list, generated_slug: _slug, ...record }) => ({
          ...record,
          link: 7,
          type: ['odd'],
          _links: 'none',
          likes: { count: 3 },
        }),
      );
    },
    shows: async (ask) => pick((await ask({ route: '/cms/v2/posts/1' })).json, 'guid', 'link', 'likes'),
  },
  'revision-fields': {
    answer: (passing) => {
      if (!CHILDREN.test(passing.route)) return;
      passing.json = eachRecord(passing.json, ({ id, parent }) => ({
        parent,
        id,
        title: 3,
        weight: [],
        status: null,
      }));
    },
    shows: async (ask) => (await ask({ route: '/cms/v2/posts/1/revisions' })).json,
  },
  'date-spelling': {
    answer: (passing) => {
      if (!RECORDS.test(passing.route)) return;
      passing.json = eachRecord(passing.json, (record) =>
        Object.fromEntries(
          Object.entries(record).map(([name, value]) => [
            name,
            name.endsWith('_gmt') && typeof value === 'string' ? `${value}.000Z` : value,
          ]),
        ),
      );
    },
    shows: async (ask) => pick((await ask({ route: '/cms/v2/posts/1' })).json, 'date_gmt'),
  },
  'root-bodies': {
    answer: (passing) => {
      if (NAMESPACE_ROOT.test(passing.route) && passing.method === 'GET') passing.json = ['hello'];
    },
    shows: async (ask) => (await ask({ route: '/cms/v2' })).json,
  },
  'batch-answer-form': {
    answer: (passing) => {
      if (passing.route !== '/batch/v1' || passing.status !== 207) return;
      passing.status = 200;
      passing.json = { done: true, results: [] };
    },
    shows: async (ask) => {
      const requests = [{ method: 'POST', path: '/cms/v2/posts/1', body: { title: 'a' } }];
      const { status, json } = await ask({ method: 'POST', route: '/batch/v1', body: { requests } });
      return [status, Object.keys(Object(json))];
    },
  },
  'response-bodies': {
    answer: (passing) => {
      const { route, method, status } = passing;
      if (status >= 300) return;
      if (/^\/oembed\//.test(route)) passing.json = { player: 'none', width: 'wide' };
      if (method === 'DELETE') passing.json = [];
      if (/post-process$/.test(route)) passing.json = 'well';
    },
    shows: async (ask) => [
      pick((await ask({ route: '/oembed/1.0/embed', query: { url: '{site}/?p=1' } })).json, 'type', 'player'),
      (await ask({ method: 'DELETE', route: '/cms/v2/posts/1', query: { force: 'true' } })).json,
    ],
  },
  'error-bodies': {
    answer: refuseOtherwise,
    shows: async (ask) => [
      answerOf(await ask({ route: '/cms/v2/posts/77777' })),
      answerOf(await ask({ route: '/cms/v2/posts', query: { context: 'edit' }, anonymous: true })),
    ],
  },
  events: {
    answer: ({ headers }) => Object.assign(headers, { link: '<https://example.org/events>; rel="hub"' }),
    shows: async (ask) => /rel="hub"/.test((await header('link')(ask)) ?? ''),
  },
  'rate-limits': {
    answer: ({ headers }) =>
      Object.assign(headers, { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', ratelimit: 'r=0' }),
    shows: header('x-ratelimit-remaining'),
  },
  deprecation: {
    answer: ({ headers }) => Object.assign(headers, { deprecation: '@1688169599', sunset: 'never' }),
    shows: header('deprecation'),
  },
  'version-negotiation': {
    answer: ({ headers }) => Object.assign(headers, { 'accept-version': '7', vary: 'accept' }),
    shows: header('accept-version'),
  },
};

/** A site that answers some reads with 429, the next time as usual: in a whole run it would cost minutes of waiting. */
export function impatient(): Change {
  let answered = 0;
  return {
    answer: (passing) => {
      answered += 1;
      if (passing.method !== 'GET' || answered % 25 !== 0) return;
      Object.assign(passing.headers, { 'retry-after': '0' });
      Object.assign(passing, { status: 429, json: { code: 'later' } });
    },
  };
}

/** Each refusal with another status of the class and another body, now and then with one that is no object. */
function refuseOtherwise(passing: Passing): void {
  const { status, route } = passing;
  const turn = [...`${route}${JSON.stringify(passing.json)}`].reduce((sum, at) => sum + at.charCodeAt(0), 0);
  if (status === 401 || status === 403) passing.status = 403;
  else if (status >= 400 && status < 500) {
    const other = REFUSALS[turn % REFUSALS.length];
    assert(other !== undefined);
    passing.status = other;
  } else return;
  const bodies = [{ errors: [{ title: 'no' }] }, 'no', ['no'], { success: false }, null];
  passing.json = bodies[turn % bodies.length];
}

function eachRecord(json: unknown, change: (record: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(json)) return json.map((item: unknown) => eachRecord(item, change));
  return isObject(json) && 'id' in json ? change(json) : json;
}

function pick(json: unknown, ...names: string[]): unknown[] {
  return names.map((name) => member(json, name));
}

function answerOf({ status, json }: SeenAnswer): unknown[] {
  return [status, json];
}

function header(name: string): (ask: Ask) => Promise<string | null> {
  return async (ask) => (await ask({ route: '/cms/v2/posts/1' })).headers.get(name);
}
