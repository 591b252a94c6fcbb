import { describe, expect, it } from 'vitest';
import { socketServer, testServer } from '../../client/server.fixture.ts';
import { type Finding, foundBy } from '../../engine/check.ts';
import { testSession } from '../../engine/session.fixture.ts';
import { loadContract } from '../../specs/contract.ts';
import { declaredChecks } from './declared-checks.ts';
import { testIndex } from './index.fixture.ts';

const site = testIndex('b');
const CHECKS = declaredChecks(loadContract({ deployment: 'core', vocabulary: 'wordpress' }));

async function rootFindings(url: string): Promise<readonly Finding[]> {
  const root = CHECKS.find(({ id }) => id === 'namespaces/cms/v2/root');
  return root === undefined ? expect.fail('no check of the root') : foundBy(root, testSession({ url }));
}

describe('the root of a namespace', () => {
  it('is requested by the name that the target uses', async () => {
    const server = await testServer((_request, response) => response.end('{}'));

    expect(await rootFindings(server.url)).toEqual([]);
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /index.php?rest_route=/wp/v2',
    ]);
  });

  it.each([
    [500, '{}', 'failure', 'status 500'],
    [404, '{}', 'failure', 'status 404'],
    [301, '', 'failure', 'status 301'],
    [200, '<p>Hello', 'failure', 'a page of HTML'],
    [200, '', 'failure', 'an empty body'],
    [401, '{}', 'inconclusive', 'status 401'],
    [403, '<p>No', 'inconclusive', 'status 403'],
    [503, '', 'inconclusive', 'status 503'],
  ])('that answers %i with %j is a %s', async (status, body, kind, observed) => {
    const server = await testServer(({ url }, response) => {
      // The index stays available: no firewall blocks the run.
      if (url === '/index.php?rest_route=/') response.end('{}');
      else response.writeHead(status, { 'retry-after': '0' }).end(body);
    });
    const [finding, ...more] = await rootFindings(server.url);

    expect(finding?.kind).toBe(kind);
    expect(finding?.observed).toContain(observed);
    expect(finding?.reproduce?.[0]).toContain('rest_route=/wp/v2');
    expect(more).toEqual([]);
  });

  it('that closes the connection is a failure', async () => {
    // The site is available, but this request closes its connection.
    const url = await socketServer((socket, first) => {
      if (first.startsWith('HEAD')) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      else socket.destroy();
    });

    expect((await rootFindings(url))[0]).toMatchObject({
      kind: 'failure',
      observed: expect.stringContaining('closed in the middle'),
    });
  });
});

it('is found in a list that is printed as an object, which blocks nothing', async () => {
  const { problems, skips } = await site.run((index) => {
    Object.assign(index, { namespaces: { ...index.namespaces } });
  });

  expect(problems).toEqual(['fail index/namespaces/type']);
  expect(skips).toEqual(['blocked by index/namespaces/type']);
});

it('is described alike if it is missing, whatever other namespaces a site has', async () => {
  const observed = async (...others: readonly string[]): Promise<string | undefined> => {
    const { results } = await site.run((index) => {
      index.namespaces = [...index.namespaces.filter((one) => one !== 'seo/v1'), ...others];
    });
    return results.find(({ id }) => id === 'namespaces/seo/v1/served')?.observed;
  };

  const missing = 'no namespace of "seo"; routes under /seo/v1';
  expect(await observed()).toBe(missing);
  expect(await observed('shop/v1')).toBe(missing);
  expect(await observed('seo/v2')).toBe('namespaces "seo/v2"; routes under /seo/v1');
});
