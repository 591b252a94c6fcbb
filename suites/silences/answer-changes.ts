import { assert } from 'vitest';
import { isObject } from '../../target/json.ts';
import type { Change, Passing } from './change.ts';

const NAMESPACE_ROOT =
  /^\/(?:oembed\/1\.0|[\w-]+(?:\/[\w-]+)?\/v\d+|builder\/v1\/(?:documents|feedback)|host_sign_on_plugin\/v1)$/;
const CORE = /^\/(?:cms\/v2|batch\/v1|oembed\/1\.0)(?:\/|$)/;
const RECORDS = /^\/cms\/v2\/(?:posts|pages|media)(?:\/\d+(?:\/edit)?)?$/;
const CHILDREN = /\/(?:revisions|autosaves)(?:\/\d+)?$/;
const REFUSALS = [400, 422, 404, 409, 410, 413, 418];

/** Other answers where nothing is stated about them, by the id of the silence. */
export const ANSWER_CHANGES: Readonly<Record<string, Change>> = {
  'plugin-behaviour': {
    answer: (passing) => {
      if (!CORE.test(passing.route) && passing.status === 200) passing.json = ['done', { perhaps: null }];
    },
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
  },
  'root-bodies': {
    answer: (passing) => {
      if (NAMESPACE_ROOT.test(passing.route) && passing.method === 'GET') passing.json = ['hello'];
    },
  },
  'batch-answer-form': {
    answer: (passing) => {
      if (passing.route !== '/batch/v1' || passing.status !== 207) return;
      passing.status = 200;
      passing.json = { done: true, results: [] };
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
  },
  'who-may-call': {
    answer: (passing) => {
      const closed = /\/(?:oembed|media\/\d+$|pages$)/.test(passing.route) && passing.anonymous;
      if (closed && passing.status < 300)
        Object.assign(passing, { status: 401, json: { code: 'who_are_you' } });
    },
  },
  'error-bodies': { answer: refuseOtherwise },
  deprecation: {
    answer: ({ headers }) => Object.assign(headers, { deprecation: '@1688169599', sunset: 'never' }),
  },
  'version-negotiation': {
    answer: ({ headers }) => Object.assign(headers, { 'accept-version': '7', vary: 'accept' }),
  },
};

let refused = 0;

/** Each refusal with another status of the class and another body, now and then with none that is JSON. */
function refuseOtherwise(passing: Passing): void {
  const { status } = passing;
  if (status === 401 || status === 403) passing.status = 403;
  else if (status >= 400 && status < 500) {
    refused += 1;
    const other = REFUSALS[refused % REFUSALS.length];
    assert(other !== undefined);
    passing.status = other;
  } else return;
  const bodies = [{ errors: [{ title: 'no' }] }, 'no', ['no'], { success: false }, null];
  passing.json = bodies[refused % bodies.length];
}

function eachRecord(json: unknown, change: (record: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(json)) return json.map((item: unknown) => eachRecord(item, change));
  return isObject(json) && 'id' in json ? change(json) : json;
}
