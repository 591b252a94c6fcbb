import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sendJson, testServer } from '../../client/server.fixture.ts';
import { foundBy } from '../../engine/check.ts';
import { testSession } from '../../engine/session.fixture.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';
import { indexCurl } from './route-checks.ts';

const ARGS = {
  per_page: { default: 20 },
  ...Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, {}])),
};
const DOCUMENT = {
  namespaces: ['cms/v2'],
  routes: {
    '/cms/v2/posts': {
      namespace: 'cms/v2',
      methods: ['GET'],
      endpoints: [{ methods: ['GET'], args: ARGS }],
    },
    "/o'; touch owned #\u001b": { namespace: '$(id)' },
  },
};

async function run(line: string): Promise<string> {
  return (await promisify(execFile)('bash', ['-c', line])).stdout;
}

async function sessionOf(): Promise<ReturnType<typeof testSession>> {
  const { url } = await testServer((_request, response) => sendJson(response, DOCUMENT));
  return testSession({ url, document: DOCUMENT });
}

describe('the shell command that shows the part of the index in a finding', () => {
  it('prints the status and one parameter, and fits on a screen', async () => {
    const session = await sessionOf();
    const check = allChecks(loadContract({ deployment: 'core', vocabulary: 'neutral' })).find(
      ({ id }) => id === 'posts.list/per_page/default',
    );
    const [finding] = check === undefined ? [] : await foundBy(check, session);

    expect(await run(finding?.reproduce?.[0] ?? '')).toBe('200\n{\n  "default": 20\n}\n');
  });

  it('prints that the part is missing', async () => {
    expect(await run(indexCurl(await sessionOf(), 'routes', '/cms/v2/pages', 'namespace'))).toBe(
      '200\nundefined\n',
    );
  });

  it('never lets the shell or Node run names of a target as code', async () => {
    const [, name = ''] = Object.keys(DOCUMENT.routes);

    expect(await run(indexCurl(await sessionOf(), 'routes', name, 'namespace'))).toBe('200\n"$(id)"\n');
  });
});
