import { create } from 'xmlbuilder2';
import type { RunResult, WritingReport } from '../engine/result.ts';
import { describeCase, type JunitCase } from './describe-case.ts';
import { groupByArea } from './group-by-area.ts';
import { share } from './share.ts';
import { visibleLine } from './visible-text.ts';
import { howItEnded, isRemoved, whatStayed } from './what-stayed.ts';

type XmlElement = ReturnType<typeof create>;

/** One `testsuite`. */
interface Suite {
  name: string;
  cases: JunitCase[];
}

/**
 * The JUnit XML of a run, for CI servers: one suite for each area, one case for each check. Only `pass` is a plain
 * case; `warn`, `inconclusive` and `skip` are skipped cases that say which they are. When the run allows no
 * conclusion a suite `run` with one error says why, because a CI server that reads no exit code would be green; so it
 * does when not all that was written is known to be removed.
 */
export function renderJunit(result: RunResult): string {
  const suites: Suite[] = [...groupByArea(result.checks)].map(([name, checks]) => ({
    name: visibleLine(name),
    cases: checks.map(describeCase),
  }));
  const about = [
    ...(result.conclusion === 'inconclusive' ? [noConclusion(result.reason)] : []),
    ...(result.writing === undefined || isRemoved(result.writing) ? [] : [notRemoved(result.writing)]),
  ];
  if (about.length > 0) suites.push({ name: 'run', cases: about });
  const timestamp = visibleLine(result.run.started);
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  const root = document.ele('testsuites', {
    name: visibleLine(`${result.tool.name} ${result.target.deployment}`),
    ...tally(suites.flatMap((suite) => suite.cases)),
    time: result.run.seconds.toFixed(3),
    timestamp,
  });
  for (const suite of suites) {
    const time = suite.cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
    const element = root.ele('testsuite', { name: suite.name, ...tally(suite.cases), time, timestamp });
    writeProperties(element, result);
    for (const testCase of suite.cases) writeCase(element, suite.name, testCase);
  }
  return `${document.end({ prettyPrint: true })}\n`;
}

function noConclusion(reason: string): JunitCase {
  const attributes = { message: visibleLine(reason), type: 'inconclusive' };
  const outcome = { element: 'error' as const, attributes, body: '' };
  return { name: 'run/conclusion: allows a conclusion', seconds: 0, outcome };
}

function notRemoved(writing: WritingReport): JunitCase {
  const attributes = { message: visibleLine(howItEnded(writing)), type: 'clean-up' };
  const body = whatStayed(writing).map(visibleLine).join('\n');
  const outcome = { element: 'error' as const, attributes, body };
  return { name: 'run/clean-up: removes what the run has written', seconds: 0, outcome };
}

function tally(cases: readonly JunitCase[]): Record<string, number> {
  const count = (element: string): number =>
    cases.filter(({ outcome }) => outcome?.element === element).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

function writeProperties(suite: XmlElement, { target, run, tool, conclusion, partial }: RunResult): void {
  const values = {
    target: target.url,
    deployment: target.deployment,
    vocabulary: target.vocabulary,
    mode: run.mode,
    run: run.id,
    seed: String(run.seed),
    contract: tool.contract,
    conclusion,
    ...(partial !== undefined && { partial: share(partial.asked, partial.planned, 'planned checks') }),
  };
  const properties = suite.ele('properties');
  for (const [name, value] of Object.entries(values)) {
    properties.ele('property', { name, value: visibleLine(value) });
  }
}

function writeCase(suite: XmlElement, classname: string, { name, seconds, outcome }: JunitCase): void {
  const element = suite.ele('testcase', { classname, name, time: seconds.toFixed(3) });
  if (outcome === undefined) return;
  const inner = element.ele(outcome.element, outcome.attributes);
  if (outcome.body !== '') inner.txt(outcome.body);
}
