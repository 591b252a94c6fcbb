import type { TestResult } from 'allure-js-commons';
import { expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { RunResult } from '../../engine/result.ts';
import { allureResults } from './allure.ts';
import { everyOutcome, HIDDEN, hostileRun } from './sample-run.fixture.ts';

function testOf(result: RunResult, id: string): TestResult {
  return allureResults(result).find(({ historyId }) => historyId === id) ?? expect.fail(`no ${id}`);
}

function labelsOf({ labels }: TestResult): Record<string, string> {
  return Object.fromEntries(labels.map(({ name, value }) => [name, value]));
}

it('identifies a check in every run by its id, and shows a name without it', () => {
  const result = everyOutcome();
  const later = { ...result, run: { ...result.run, id: 'later' } };
  const id = 'posts.list/per_page/maximum';

  expect(testOf(result, id)).toMatchObject({
    testCaseId: id,
    fullName: id,
    name: 'refuses per_page above 100',
  });
  expect(testOf(later, id).historyId).toBe(testOf(result, id).historyId);
  expect(testOf(later, id).uuid).not.toBe(testOf(result, id).uuid);
});

it('files a check under area, operation and requirement, with a severity', () => {
  const result = everyOutcome();

  expect(labelsOf(testOf(result, 'posts.list/per_page/maximum'))).toMatchObject({
    epic: 'posts',
    feature: 'posts.list',
    story: 'The list of posts takes 1 to 100 records a page, by default 10.',
    severity: 'critical',
    section: '4.6',
  });
  expect(labelsOf(testOf(result, 'namespaces/seo/v1/served')).severity).toBe('normal');
  expect(labelsOf(testOf(result, 'index/description/type'))).toMatchObject({
    severity: 'minor',
    tag: 'warn',
  });
});

it('gives each check its own duration, and the run its own', () => {
  const [run, check] = allureResults(sampleResult([sampleCheck({ seconds: 1.25 })]));
  const took = (test: TestResult | undefined): number => (test?.stop ?? 0) - (test?.start ?? 0);

  expect([took(run), took(check)]).toEqual([83_400, 1250]);
  expect(run?.start).toBe(Date.parse('2025-03-04T05:06:07.000Z'));
});

it.each<[string, RunResult, string]>([
  ['passes', sampleResult([sampleCheck({})]), 'passed'],
  [
    'fails in one of a thousand',
    sampleResult([...Array(999).fill(sampleCheck({})), sampleCheck({ verdict: 'fail' })]),
    'failed',
  ],
  ['can conclude nothing', sampleResult([sampleCheck({ verdict: 'inconclusive' })]), 'broken'],
])('has a first test that ends as the run does: one that %s', (_what, result, status) => {
  const [first] = allureResults(result);

  expect(first?.status).toBe(status);
  expect(first?.name).toMatch(/^0 Conclusion: (NOT )?(CONFORMANT|INCONCLUSIVE)$/);
});

it('shows text of a target unchanged, and runs nothing of it', () => {
  for (const { name, description = '', labels, statusDetails } of allureResults(hostileRun())) {
    for (const text of [
      name ?? '',
      description,
      statusDetails.message ?? '',
      ...labels.map(({ value }) => value),
    ]) {
      expect(text).not.toMatch(HIDDEN);
    }
    expect(description.split('\n').filter((line) => !line.startsWith('    '))).toEqual([]);
  }
});
