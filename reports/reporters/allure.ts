import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Label, Stage, Status, type TestResult } from 'allure-js-commons';
import { type CheckResult, isUnstableCheck, type RunResult } from '../../engine/result.ts';
import { present, shorten, visibleLine, visibleText } from '../../engine/text.ts';
import { requirementOf, sectionName } from '../about-check.ts';
import { literalBlock } from '../escape-markdown.ts';
import { sumUpFixtures } from '../views/run/details.ts';
import { howFar, sentenceOf, stepsOf } from '../views/run/steps.ts';
import { describeCheck, headlineOf } from './describe.ts';

/** The folder of results, which can be merged with those of other tests. */
const RESULTS = 'allure-results';
const LONGEST = 4000;

/** Writes the Allure report: one page that opens without a server. @param place its path */
export async function writeAllure(result: RunResult, place: string): Promise<void> {
  const folder = join(dirname(dirname(place)), RESULTS);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const test of allureResults(result)) {
    writeFileSync(join(folder, `${test.uuid}-result.json`), JSON.stringify(test));
  }
  writeFileSync(join(folder, 'categories.json'), JSON.stringify(CATEGORIES));
  writeFileSync(join(folder, 'environment.properties'), environment(result));
  const { url, deployment } = result.target;
  // Begins with the conclusion, because the page shows a share of passed tests beside it.
  const title = visibleLine(`${headlineOf(result)}: ${url} against deployment ${deployment}`);
  await writeAllurePage(folder, dirname(place), title);
}

/**
 * The results for Allure: a test for each check, and one for the conclusion, which fails unless the run conforms.
 * Only a pass is passed. An inconclusive check is unknown. A warning, a check that did not run, and a waived
 * failure are skipped, with a tag.
 */
export function allureResults(result: RunResult): TestResult[] {
  return [conclusionTest(result), ...result.checks.map((check) => checkTest(check, result))];
}

function checkTest(check: CheckResult, { run }: RunResult): TestResult {
  const tags = present([
    check.verdict !== 'pass' && check.verdict !== 'fail' && check.verdict,
    check.waived !== undefined && 'waived',
    isUnstableCheck(check) && 'unstable',
    check.standing !== undefined && check.standing,
  ]);
  return {
    ...testOf(run, check.id, check.seconds),
    name: visibleLine(shorten(check.title, 300)),
    ...statusOf(check),
    statusDetails: detailsOf(check),
    description: literalBlock([visibleLine(check.id), ...describeCheck(check)]),
    labels: [
      ...labels({
        epic: check.area,
        feature: check.operation ?? check.area,
        story: requirementOf(check.id)?.statement ?? check.parameter ?? sectionName(check.section),
        severity: severityOf(check),
        section: check.section,
      }),
      ...tags.map((value): Label => ({ name: 'tag', value })),
    ],
  };
}

function conclusionTest(result: RunResult): TestResult {
  const { conclusion, reason, run, counts, progress, stage } = result;
  const far = howFar(progress);
  const status = { conformant: Status.PASSED, nonconformant: Status.FAILED, inconclusive: Status.BROKEN };
  const headline = headlineOf(result);
  const message = `${headline}: ${visibleLine(reason)}`;
  return {
    ...testOf(run, 'run/conclusion', run.seconds),
    name: visibleLine(`0 Conclusion: ${headline}`),
    status: status[conclusion],
    statusDetails: conclusion === 'conformant' ? {} : { message: shorten(message, LONGEST) },
    description: literalBlock(
      present([
        message,
        ...Object.entries(counts).map(([name, count]) => `${name}: ${count}`),
        far,
        ...stepsOf(result)
          .slice(0, 1)
          .map((step) => `next: ${sentenceOf(step)}`),
        stage !== undefined && `fixtures: ${sumUpFixtures(stage)}`,
      ]),
    ),
    labels: labels({
      epic: '0 Conclusion',
      feature: 'run',
      story: 'The run is conformant.',
      severity: 'blocker',
    }),
  };
}

const STATUS = { pass: Status.PASSED, fail: Status.FAILED, error: Status.BROKEN } as const;

function statusOf({ verdict, waived }: CheckResult): Pick<TestResult, 'status'> {
  // Without a status it is unknown to Allure, which is what it is.
  if (verdict === 'inconclusive') return {};
  const isPlain = verdict !== 'warn' && verdict !== 'skip' && waived === undefined;
  return { status: isPlain ? STATUS[verdict] : Status.SKIPPED };
}

function detailsOf(check: CheckResult): TestResult['statusDetails'] {
  if (check.verdict === 'pass') return {};
  const { message = check.title, expected, observed } = check;
  const word = check.waived === undefined ? check.verdict : 'waived';
  const shown = (text: string): string => visibleText(shorten(text, LONGEST));
  return {
    message: shown(word === 'fail' ? message : `${word}: ${message}`),
    ...(expected !== undefined && { expected: shown(expected) }),
    ...(observed !== undefined && { actual: shown(observed) }),
  };
}

function severityOf({ verdict, basis }: CheckResult): string {
  if (verdict === 'warn' || basis === 'doubtful') return 'minor';
  return basis === 'stated' ? 'critical' : 'normal';
}

function labels(values: Readonly<Record<string, string>>): Label[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: visibleLine(shorten(value, 300)) }));
}

/**
 * The common members of all tests. The same check has the same history id in every run, and a uuid of its own in each.
 * The duration is real, but the start is that of the run, because nothing else is known.
 */
function testOf(
  run: RunResult['run'],
  id: string,
  seconds: number,
): Omit<TestResult, 'name' | 'statusDetails' | 'labels'> {
  const name = visibleLine(id);
  const hex = hash('sha256', `${run.id} ${id}`);
  const start = Date.parse(run.started);
  return {
    uuid: [0, 8, 12, 16, 20].map((at, part, all) => hex.slice(at, all[part + 1] ?? 32)).join('-'),
    historyId: name,
    testCaseId: name,
    fullName: name,
    start,
    stop: start + Math.round(seconds * 1000),
    stage: Stage.FINISHED,
    links: [],
    steps: [],
    attachments: [],
    parameters: [],
  };
}

const CATEGORIES = [
  { name: 'The site does not conform', matchedStatuses: ['failed'] },
  { name: 'Faults of the suite', matchedStatuses: ['broken'] },
  { name: 'Inconclusive', matchedStatuses: ['unknown'] },
];

function environment(result: RunResult): string {
  const { reason, target, run, tool, progress } = result;
  const far = howFar(progress);
  const rows = {
    Conclusion: `${headlineOf(result)}: ${reason}`,
    ...(far !== undefined && { Required: far }),
    Target: target.url,
    Deployment: target.deployment,
    Mode: run.mode,
    Run: run.id,
    Seed: String(run.seed),
    Contract: tool.contract,
  };
  return Object.entries(rows)
    .map(([name, value]) => `${name}=${visibleLine(value).replaceAll('\\', '\\\\')}\n`)
    .join('');
}

const MINUTES = 5;

async function writeAllurePage(resultsDir: string, reportDir: string, name: string): Promise<void> {
  const allure = fileURLToPath(new URL('../cli.js', import.meta.resolve('allure')));
  const args = [allure, 'awesome', '--single-file', resultsDir, '--output', reportDir, '--report-name', name];
  await promisify(execFile)(process.execPath, [...args, '--group-by', 'epic,feature,story'], {
    // Away from any configuration of Allure that the caller keeps for something else.
    cwd: resultsDir,
    timeout: MINUTES * 60_000,
    maxBuffer: 10_000_000,
  });
}
