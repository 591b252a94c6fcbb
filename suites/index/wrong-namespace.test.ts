import { describe, expect, it } from 'vitest';
import { eachArg } from '../../sites/alterations/declarations.ts';
import type { Entry, IndexDocument } from '../../sites/reference/site.ts';
import { testIndex } from './index.fixture.ts';

const site = testIndex('b');
const ROOT = '/seo/v1';

/** What is wrong with all of a namespace, and the first of the checks that find it. */
const CASES: readonly (readonly [what: string, id: string, change: (index: IndexDocument) => void])[] = [
  [
    'no route but its root',
    'routes/seo/v1/file_size/present',
    ({ routes }) => {
      for (const key of Object.keys(routes)) if (key.startsWith(`${ROOT}/`)) delete routes[key];
    },
  ],
  ['another namespace', 'routes/seo/v1/namespace', each((entry) => (entry.namespace = 'seo/v2'))],
  [
    'GET alone',
    'seo.ai-generator.callback/method/POST',
    each((entry) => {
      entry.methods = ['GET'];
      for (const one of entry.endpoints) one.methods = ['GET'];
    }),
  ],
  [
    'batch marks',
    'seo.root/batch-mark',
    each(({ endpoints }) => {
      for (const one of endpoints) one.allow_batch = { v1: true };
    }),
  ],
  [
    'another spelling of a type',
    'seo.file-size/url/type',
    (index) => {
      const seo = Object.entries(index.routes).filter(([key]) => key.startsWith(ROOT));
      eachArg({ ...index, routes: Object.fromEntries(seo) }, (one) => {
        if (one.type === 'string') one.type = 'String';
      });
    },
  ],
  [
    'no args',
    'seo.root/namespace/declared',
    each(({ endpoints }) => {
      for (const one of endpoints) one.args = {};
    }),
  ],
];

describe('what is wrong with all of a namespace', () => {
  it.each(CASES)('is one failure: %s', async (_what, id, change) => {
    const { problems, results } = await site.run(change);
    const failed = problems.filter((one) => one.startsWith('fail') && !one.endsWith('/DELETE'));

    expect(failed).toEqual([`fail ${id}`]);
    expect(results.find((one) => one.id === id)?.message).toMatch(/; \d+ other checks find the same: /);
  });
});

describe('an index of reads', () => {
  it('is one failure, with the routes that it does not list for it', async () => {
    const { problems, results } = await site.run(({ routes }) => {
      for (const [key, entry] of Object.entries(routes)) {
        entry.methods = entry.methods.filter((method) => method === 'GET');
        entry.endpoints = entry.endpoints.filter(({ methods }) => methods.includes('GET'));
        if (entry.methods.length === 0) delete routes[key];
      }
    });
    const failed = results.filter(({ verdict }) => verdict === 'fail');
    const missing = results.find(({ id }) => id === 'routes/batch/v1/present');

    expect(problems).toEqual(['fail seo.videohost-embed-permission.update/method/POST']);
    expect(failed[0]?.message).toMatch(/serves none of POST, DELETE, PUT, PATCH; 1\d\d other checks/);
    expect(missing?.skip).toMatchObject({ by: failed[0]?.id });
  });
});

/** Changes each route of the namespace. */
function each(change: (entry: Entry) => unknown): (index: IndexDocument) => void {
  return ({ routes }) => {
    for (const [key, entry] of Object.entries(routes)) if (key.startsWith(ROOT)) change(entry);
  };
}
