import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { RunResult } from '../../engine/result.ts';
import { jsonText } from '../files.ts';
import { everyOutcome, HIDDEN, HOSTILE, hostileRun } from './sample-run.fixture.ts';
import { sarifOf } from './sarif.ts';

interface Finding {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string; markdown: string };
  locations: {
    physicalLocation: { region: { startLine: number } };
    logicalLocations?: { fullyQualifiedName: string }[];
  }[];
  partialFingerprints: Record<string, string>;
  suppressions?: { justification: string }[];
  baselineState?: string;
}

interface Run {
  tool: { driver: { rules: { id: string; help: { text: string; markdown: string } }[] } };
  invocations: { executionSuccessful: boolean; exitCode: number; toolExecutionNotifications: unknown[] }[];
  results: Finding[];
  properties: Record<string, unknown>;
}

function runOf(result: RunResult): Run {
  return JSON.parse(JSON.stringify(sarifOf(result))).runs[0];
}

/** The official schema, whose draft has identifiers that our validator does not accept. */
const wrongIn: (log: unknown) => string[] = (() => {
  const path = createRequire(import.meta.url).resolve(
    '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  );
  const { id: _id, $schema: _draft, ...schema } = JSON.parse(readFileSync(path, 'utf8'));
  const ajv = new Ajv({ strict: false, logger: false, unicodeRegExp: false });
  ajvFormats.default(ajv);
  const validate = ajv.compile(schema);
  return (log) =>
    validate(log) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath}: ${error.message}`);
})();

it.each<[string, RunResult]>([
  ['in which every outcome occurs', everyOutcome()],
  ['whose site is hostile', hostileRun()],
  ['that passes', sampleResult([sampleCheck({})])],
  ['without checks', sampleResult([])],
])('is valid SARIF of a run %s', (_what, result) => {
  expect(wrongIn(JSON.parse(JSON.stringify(sarifOf(result))))).toEqual([]);
});

it('recognizes a document that is not SARIF', () => {
  expect(wrongIn({ version: '2.1.0', runs: [{ results: [{}] }] })).not.toEqual([]);
});

it('identifies findings by check id in every run, with their state and why they are accepted', () => {
  const { results, tool } = runOf(everyOutcome());
  const byId = new Map(results.map((one) => [one.ruleId, one]));

  expect(
    results
      .filter(({ ruleId }) => ruleId !== 'answers/changed')
      .map(({ partialFingerprints, ruleId }) => partialFingerprints['checkId/v1'] === ruleId),
  ).not.toContain(false);
  expect(results.map(({ ruleIndex }) => tool.driver.rules[ruleIndex]?.id)).toEqual(
    results.map(({ ruleId }) => ruleId),
  );
  expect(results[0]).toMatchObject({
    ruleId: 'namespaces/seo/v1/served',
    level: 'error',
    baselineState: 'new',
  });
  expect(byId.get('pages.list/order/default')).toMatchObject({
    level: 'error',
    baselineState: 'unchanged',
    suppressions: [{ justification: expect.stringContaining('the theme does it') }],
  });
  expect(byId.get('index/description/type')?.level).toBe('warning');
  expect(byId.get('posts.list/order/applied')?.level).toBe('note');
});

it('notes changed answers since the baseline, identified by the id of the change', () => {
  const { results, tool } = runOf(everyOutcome());
  const last = results.at(-1);

  expect(last).toMatchObject({
    ruleId: 'answers/changed',
    level: 'note',
    message: { text: expect.stringContaining('breaking: posts: `author` is a text, not an integer (c-1).') },
    partialFingerprints: { 'changeId/v1': 'c-1' },
  });
  expect(tool.driver.rules[last?.ruleIndex ?? 0]?.id).toBe('answers/changed');
});

it('has a rule with help that names the section, and the place of each finding in results.json', () => {
  const result = everyOutcome();
  const { results, tool } = runOf(result);
  const lines = jsonText(result).split('\n');

  expect(tool.driver.rules[0]?.help.text).toMatch(/^Section 4\.6 of the specification, “.+” \(implied\)\./);
  for (const { ruleId, locations } of results.filter((one) => one.ruleId !== 'answers/changed')) {
    const line = locations[0]?.physicalLocation.region.startLine ?? 0;
    expect(lines[line - 1]?.trim()).toBe(`"id": ${JSON.stringify(ruleId)},`);
  }
  const [place] = results.find(({ ruleId }) => ruleId === 'posts.list/per_page/maximum')?.locations ?? [];
  expect(place?.logicalLocations?.map(({ fullyQualifiedName }) => fullyQualifiedName)).toEqual([
    'GET /wp/v2/posts per_page',
    'GET /wp/v2/posts',
    'posts.list/per_page',
    'posts.list',
  ]);
});

it.each<[string, RunResult, number, boolean]>([
  ['passed', sampleResult([sampleCheck({})]), 0, true],
  ['failed', sampleResult([sampleCheck({ verdict: 'fail' })]), 1, true],
  ['was inconclusive', sampleResult([]), 3, false],
  ['met a fault of the suite', sampleResult([sampleCheck({ verdict: 'error' })]), 4, false],
])('ends as a run that %s ends', (_what, result, exitCode, executionSuccessful) => {
  const [invocation] = runOf(result).invocations;

  expect(invocation).toMatchObject({ exitCode, executionSuccessful });
  expect(invocation?.toolExecutionNotifications.length).toBe(
    executionSuccessful ? 0 : exitCode === 3 ? 1 : 2,
  );
});

it('never reads text of a target as a placeholder, a link or markup', () => {
  const { results } = runOf(hostileRun());

  expect(results).toHaveLength(4);
  for (const { message } of results) {
    expect(message.text).toContain('{{0}} {{{{1}}}}');
    expect(message.text).not.toContain('](');
    expect(message.text).not.toMatch(HIDDEN);
    const [prose = ''] = message.markdown.split('\n```');
    expect(prose.replaceAll(/(?<!\\)`[^`]+`/g, '')).not.toMatch(/<script|[^\\]\[link|@everyone/);
  }
  expect(JSON.stringify(results)).not.toContain(HOSTILE);
});

it('stays within the limits of GitHub, and says how many findings it leaves out', () => {
  const checks = Array.from({ length: 6000 }, (_, at) =>
    sampleCheck({ id: `posts.list/p${at}/x`, verdict: 'fail', message: 'x'.repeat(at === 0 ? 5000 : 1) }),
  );
  const { results, properties } = runOf(sampleResult(checks));

  expect(results).toHaveLength(5000);
  expect(properties.resultsLeftOut).toBe(1000);
  expect(results[0]?.message.text.length).toBeLessThan(1100);
});

it('names the words of the target before ours', () => {
  const { results } = runOf(everyOutcome());
  const found = results.find(({ ruleId }) => ruleId === 'posts.list/per_page/maximum');

  expect(found?.message.text).toBe('GET /wp/v2/posts per_page: accepted 101');
});
