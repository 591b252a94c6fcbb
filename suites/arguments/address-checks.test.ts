import { expect, it } from 'vitest';
import { closedAfter, testClient } from '../../client/server.fixture.ts';
import { proxiedSite } from '../../sites/proxied-site.fixture.ts';
import { forward, type ProxyAnswer, type ProxyRequest } from '../../sites/proxy.ts';
import { unpretty } from '../../sites/unpretty.fixture.ts';
import { loadContract } from '../../specs/contract.ts';
import { runChecks } from '../run-checks.ts';
import { addressChecks } from './address-checks.ts';

const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const PAGE: ProxyAnswer = { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>') };

function redirectTo(location: string): ProxyAnswer {
  return { status: 301, headers: { location }, body: Buffer.alloc(0) };
}

/** The pretty address of a route that is asked for at its stated one. */
function prettyOf({ url }: ProxyRequest): string {
  return `/wp-json${url.searchParams.get('rest_route')}`;
}

async function found(
  answer: (asked: ProxyRequest) => ProxyAnswer | undefined,
  below = '/wp-json/',
): Promise<{ readonly verdict: string; readonly message: string; readonly stated: number }> {
  let stated = 0;
  const site = await closedAfter(
    proxiedSite({ deployment: 'core' }, async (asked) => {
      if (asked.url.pathname.startsWith('/wp-json/')) return forward(unpretty(asked));
      stated += 1;
      return answer(asked) ?? forward(asked);
    }),
  );
  const client = testClient(`${site.url}${below}`);
  const { results } = await runChecks({ client, contract: CONTRACT, checks: addressChecks(CONTRACT) });
  const { verdict, message = '' } = results.get('index/routes/address') ?? { verdict: 'none' };
  return { verdict, message, stated };
}

it('asks for nothing more where the run takes the stated addresses', async () => {
  // The index alone.
  expect(await found(() => undefined, '')).toMatchObject({ verdict: 'pass', stated: 1 });
});

it.each<[string, (asked: ProxyRequest) => ProxyAnswer | undefined]>([
  ['are served too', () => undefined],
  ['redirect to pretty ones', (asked) => redirectTo(prettyOf(asked))],
])('passes where stated addresses %s', async (_what, answer) => {
  const { verdict, stated } = await found(answer);

  expect(verdict).toBe('pass');
  expect(stated).toBeGreaterThan(9);
});

it('reports with one request that only pretty addresses are served', async () => {
  expect(await found(() => PAGE)).toEqual({
    verdict: 'fail',
    message: 'only pretty addresses serve the index and its routes',
    stated: 1,
  });
});

it.each(['/cms/v2/media', '/oembed/1.0/embed'])(
  'reports %s, which only its pretty address serves, behind a redirect of the index',
  async (route) => {
    const { verdict, message } = await found((asked) => {
      const pretty = prettyOf(asked);
      if (pretty === '/wp-json/') return redirectTo(pretty);
      return pretty === `/wp-json${route}` ? { ...PAGE, status: 404 } : undefined;
    });

    expect(verdict).toBe('fail');
    expect(message).toBe(`only pretty addresses serve "${route}"`);
  },
);

it('cannot tell where the stated addresses are denied', async () => {
  const { verdict } = await found(() => ({ ...PAGE, status: 403 }));

  expect(verdict).toBe('inconclusive');
});
