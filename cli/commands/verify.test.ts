import { expect, it } from 'vitest';
import { closedAfter, testServer } from '../../client/server.fixture.ts';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult } from '../../engine/result.ts';
import type { Contents } from '../../reports/certificate/documents.ts';
import { serve } from '../../sites/reference/serve.ts';
import { checkIndexAgain } from './verify.ts';

const WIDE = 'posts.list/per_page/maximum';

async function indexOfCore(): Promise<string> {
  const site = await closedAfter(serve({ deployment: 'core' }));
  return (await fetch(`${site.url}/index.php?rest_route=/`)).text();
}

function contentsOf(url: string, checks: CheckResult[]): Contents {
  const sample = sampleResult(checks);
  const results = { ...sample, target: { ...sample.target, url, deployment: 'core', vocabulary: 'neutral' } };
  return { results } as unknown as Contents;
}

it('names verdicts that contradict the index, leaves out checks that need a request, and sends nothing', async () => {
  const index = await indexOfCore();
  const { url, seen } = await testServer((_request, response) => response.end('{}'));
  const passing = [WIDE, 'posts.list/page/minimum', 'index.read/answers/anonymous'].map((id) =>
    sampleCheck({ id }),
  );
  const checkAgain = (checks: CheckResult[], text = index): ReturnType<typeof checkIndexAgain> =>
    checkIndexAgain(contentsOf(url, checks), Buffer.from(text));

  expect(await checkAgain(passing)).toEqual({ compared: 2, problems: [] });
  expect((await checkAgain(passing, index.replaceAll('"maximum":100', '"maximum":101'))).problems).toEqual([
    { about: 'results.json', message: `says otherwise than its index: ${WIDE} (pass, by index.json fail)` },
  ]);
  expect((await checkAgain([sampleCheck({ id: WIDE, verdict: 'fail' })])).problems[0]?.message).toContain(
    `${WIDE} (fail, by index.json pass)`,
  );
  expect((await checkAgain(passing, '[]')).problems).toEqual([
    { about: 'index.json', message: 'is no index' },
  ]);
  expect(seen).toEqual([]);
});

it('reports that the results have no address', async () => {
  const { problems } = await checkIndexAgain(contentsOf('nowhere', []), Buffer.from(await indexOfCore()));
  expect(problems).toEqual([{ about: 'results.json', message: 'is of no address' }]);
});
