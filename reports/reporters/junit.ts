import { createRequire } from 'node:module';
import type { create } from 'xmlbuilder2';
import { describePhases, fuzzingOf, isRemoved, share } from '../../engine/conclusion.ts';
import type { Counterexample } from '../../engine/fuzz-options.ts';
import { blockedResults } from '../../engine/plan.ts';
import type {
  BaselineReport,
  CheckResult,
  FuzzingReport,
  RunResult,
  Verdict,
  WritingReport,
} from '../../engine/result.ts';
import { plural, present, shorten, visibleLine, visibleText } from '../../engine/text.ts';
import { groupByArea, placeOf, sectionWithBasis } from '../about-check.ts';
import { sentenceOf, stepsOf } from '../next-steps.ts';
import { sumUpNotices } from '../notices.ts';
import { howItEnded, leftoverLines, sumUpFixtures } from '../views/run/details.ts';
import { countAnswers, describeAnswer, describeUpstream, describeWaiver, STANDINGS } from './describe.ts';

type XmlElement = ReturnType<typeof create>;

const load: NodeJS.Require = createRequire(import.meta.url);

/** What writes XML: loaded with the first report, because most commands write none. */
export function xmlBuilder(): typeof import('xmlbuilder2') {
  return load('xmlbuilder2');
}

/** One `testsuite`. */
interface Suite {
  name: string;
  cases: JunitCase[];
}

/**
 * The JUnit XML of a run, for CI servers: one suite for each area, one case for each check that was selected. Only `pass` is a plain
 * case; `warn`, `inconclusive`, `skip` and waived failures are skipped cases that say which they are. When the run allows no
 * conclusion a suite `run` with one error says why, because a CI server that reads no exit code would be green; so it
 * does when not all that was written is known to be removed. There it also says what changed in answers since the baseline.
 */
export function renderJunit(result: RunResult): string {
  const dependents = blockedResults(result.checks);
  const selected = result.checks.filter(({ skip }) => skip?.kind !== 'selection');
  const suites: Suite[] = [...groupByArea(selected)].map(([name, checks]) => ({
    name: visibleLine(name),
    cases: checks.map((check) => describeCase(check, dependents.get(check.id), result.target.operations)),
  }));
  const about = present([
    allowsNone(result) && noConclusion(result.reason),
    result.waivers?.refused !== undefined && notAccepted(result.reason),
    result.writing !== undefined && !isRemoved(result.writing) && notRemoved(result.writing),
    ...answersCase(result),
  ]);
  if (about.length > 0) suites.push({ name: 'run', cases: about });
  const timestamp = visibleLine(result.run.started);
  const document = xmlBuilder().create({ version: '1.0', encoding: 'UTF-8' });
  const root = document.ele('testsuites', {
    name: visibleLine(`${result.tool.name} ${result.target.deployment}`),
    ...totalOf(suites.flatMap((suite) => suite.cases)),
    time: result.run.seconds.toFixed(3),
  });
  for (const suite of suites) {
    const time = suite.cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
    const element = root.ele('testsuite', { name: suite.name, ...tally(suite.cases), time, timestamp });
    writeProperties(element, result);
    for (const testCase of suite.cases) writeCase(element, suite.name, testCase);
  }
  return `${document.end({ prettyPrint: true })}\n`;
}

/** Beside a baseline what is unstable is no news: the run shows what it is asked. */
function allowsNone({ conclusion, news }: RunResult): boolean {
  return news === undefined ? conclusion === 'inconclusive' : news === 'untold';
}

function noConclusion(reason: string): JunitCase {
  const attributes = { message: visibleLine(reason), type: 'inconclusive' };
  const outcome = { element: 'error' as const, attributes, body: '' };
  return { name: 'run/conclusion: allows a conclusion', seconds: 0, outcome };
}

/** What strict mode does not accept beside failures, such as a waiver that is no longer needed. */
function notAccepted(reason: string): JunitCase {
  const attributes = { message: visibleLine(reason), type: 'strict' };
  return {
    name: 'run/strict: accepts the run',
    seconds: 0,
    outcome: { element: 'failure', attributes, body: '' },
  };
}

function notRemoved(writing: WritingReport): JunitCase {
  const attributes = { message: visibleLine(howItEnded(writing)), type: 'clean-up' };
  const body = leftoverLines(writing).map(visibleLine).join('\n');
  const outcome = { element: 'error' as const, attributes, body };
  return { name: 'run/clean-up: removes what the run has written', seconds: 0, outcome };
}

/** What answers look like otherwise than in the baseline: red only where nothing else makes the run red, and it is. */
function answersCase({ baseline, news }: RunResult): JunitCase[] {
  const { answers = [], new: fresh = [], found = [], unwaived = [] } = baseline ?? {};
  if (answers.length === 0) return [];
  const isRed = news === 'new' && fresh.length + found.length + unwaived.length === 0;
  return [
    {
      name: 'run/answers: look as in the baseline',
      seconds: 0,
      outcome: {
        element: isRed ? 'failure' : 'skipped',
        attributes: { message: countAnswers(answers), ...(isRed && { type: 'changes' }) },
        body: answers.map((one) => visibleLine(describeAnswer(one))).join('\n'),
      },
    },
  ];
}

/** The schema that CI servers go by knows no other totals. */
function totalOf(cases: readonly JunitCase[]): Record<string, number> {
  const { skipped: _skipped, ...total } = tally(cases);
  return total;
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

function writeProperties(suite: XmlElement, result: RunResult): void {
  const { target, run, tool, conclusion, reason, partial, fuzzing, baseline, waivers, stage } = result;
  const notices = sumUpNotices(result);
  const values = {
    target: target.url,
    deployment: target.deployment,
    vocabulary: target.vocabulary,
    mode: run.mode,
    run: run.id,
    seed: String(run.seed),
    contract: tool.contract,
    conclusion,
    reason,
    started: run.started,
    requests: String(run.requests),
    ...(baseline !== undefined && { baseline: describeNews(baseline), ...countsOf(baseline) }),
    ...(waivers !== undefined && { waived: String(waivers.waived) }),
    ...(partial !== undefined && { partial: share(partial.asked, partial.planned, 'planned checks') }),
    ...progressOf(result),
    ...(stage !== undefined && { stage: sumUpFixtures(stage) }),
    ...(fuzzing !== undefined && { fuzzing: describeFuzzing(fuzzing) }),
    ...(notices !== undefined && { notices }),
  };
  const properties = suite.ele('properties');
  for (const [name, value] of Object.entries(values)) {
    properties.ele('property', { name, value: visibleLine(value) });
  }
}

/** How much of what is required passes, and what to do next. */
function progressOf(result: RunResult): Record<string, string> {
  const { progress } = result;
  if (progress === undefined) return {};
  const [next] = stepsOf(result);
  return {
    'required.checks': String(progress.required),
    'required.passed': String(progress.passed),
    ...(next !== undefined && { next: sentenceOf(next) }),
  };
}

/** What is new, a property for each number. */
function countsOf(baseline: BaselineReport): Record<string, string> {
  const kinds = ['new', 'found', 'still', 'fixed', 'untold', 'vanished', 'unstable', 'answers'] as const;
  return Object.fromEntries(kinds.map((kind) => [`baseline.${kind}`, String(baseline[kind]?.length ?? 0)]));
}

function writeCase(suite: XmlElement, classname: string, { name, seconds, outcome }: JunitCase): void {
  const element = suite.ele('testcase', { classname, name, time: seconds.toFixed(3) });
  if (outcome === undefined) return;
  const inner = element.ele(outcome.element, outcome.attributes);
  if (outcome.body !== '') inner.txt(outcome.body);
}

/** One `testcase`, ready to be written: all its text is legal in XML 1.0. */
export interface JunitCase {
  name: string;
  seconds: number;
  /** The element within the case; none when the check passed. */
  outcome?: {
    element: 'failure' | 'error' | 'skipped';
    attributes: Record<string, string>;
    body: string;
  };
}

/** CI servers keep these files for long; `results.json` has the whole. */
const LONGEST_MESSAGE = 300;
const LONGEST_VALUE = 4000;

const ELEMENT: Record<Exclude<Verdict, 'pass'>, 'failure' | 'error' | 'skipped'> = {
  fail: 'failure',
  error: 'error',
  warn: 'skipped',
  inconclusive: 'skipped',
  skip: 'skipped',
};

/**
 * Turns a check into a test case; anything but `pass` gets an element that says what came of it. A waived failure is
 * skipped, as all that is neither green nor red.
 * @param dependents the checks that it blocks; @param operations where operations are, in the words of the target
 */
export function describeCase(
  check: CheckResult,
  dependents: readonly CheckResult[] = [],
  operations: RunResult['target']['operations'] = {},
): JunitCase {
  const name = visibleLine(`${check.id}: ${check.title}`);
  if (check.verdict === 'pass') return { name, seconds: check.seconds };
  const element = check.waived === undefined ? ELEMENT[check.verdict] : 'skipped';
  const message = line(check.message ?? check.observed ?? check.title);
  const text =
    check.verdict === 'fail' && check.standing !== undefined ? `${check.standing}: ${message}` : message;
  const attributes =
    element === 'skipped' ? { message: whySkipped(check, message) } : { message: text, type: check.verdict };
  // A reason is all there is to say about a check that did not run.
  const body = check.verdict === 'skip' ? '' : describe(check, dependents, placeOf(check, operations));
  return { name, seconds: check.seconds, outcome: { element, attributes, body } };
}

/** A waived failure is skipped with the words of who accepted it. */
function whySkipped({ verdict, waived }: CheckResult, message: string): string {
  if (waived === undefined) return `${verdict}: ${message}`;
  return line(`waived: ${waived.reason} (${waived.owner}, until ${waived.expires})`);
}

function describe(check: CheckResult, dependents: readonly CheckResult[], place: string | undefined): string {
  const rows: [string, string | undefined][] = [
    ['place', place],
    ['section', sectionWithBasis(check)],
    ['baseline', check.standing === undefined ? undefined : STANDINGS[check.standing]],
    ...[check.waived, ...(check.waived?.also ?? [])].map((one): [string, string | undefined] => [
      'waived',
      one === undefined ? undefined : describeWaiver(one),
    ]),
    ['upstream', check.upstream === undefined ? undefined : describeUpstream(check.upstream)],
    [
      'unstable',
      check.unstable === undefined
        ? undefined
        : `failed ${check.unstable.failed} of ${check.unstable.asked} times`,
    ],
    ['message', check.message],
    ['expected', check.expected],
    ['observed', check.observed],
    ['declare', check.declare],
    ...(check.reproduce ?? []).map((command): [string, string] => ['repeat', command]),
    ...(check.replay?.sets ?? []).flatMap(describeSet),
    [
      'dependents',
      dependents.length === 0
        ? undefined
        : `${plural(dependents.length, 'check')}: ${dependents.map(({ id }) => id).join(', ')}`,
    ],
    ...(fuzzingOf([check])?.untried ?? []).map((one): [string, string] => [
      'not tried',
      `${describePhases(one)} (${one.reason})`,
    ]),
  ];
  return rows
    .filter(([, text]) => text)
    .map(([label, text = '']) => `${label}: ${visibleText(shorten(text, LONGEST_VALUE))}`)
    .join('\n');
}

function describeNews({ run, notes: _, started, answers: _answers, ...lists }: BaselineReport): string {
  const counts = Object.entries(lists).map(([name, ids]) => `${ids.length} ${name}`);
  return `${counts.join(', ')} against run ${run} of ${started}`;
}

function describeFuzzing({ judged, planned, keywords, pairs, untried }: FuzzingReport): string {
  const parts = [
    share(judged, planned, 'sets of arguments'),
    `${keywords.tried} keywords and kinds of values tried and ${keywords.untried} never`,
    share(pairs.tried, pairs.possible, 'pairs of parameters'),
    `${untried.length} searches not finished`,
  ];
  return parts.join('; ');
}

/** One finding of a fuzz check; the check itself shows the first one. */
function describeSet(set: Counterexample, index: number): [string, string | undefined][] {
  const { id, message, reproduce = [], replay } = set;
  const own: [string, string | undefined][] = [
    ['also', message],
    ['repeat', reproduce[0]],
  ];
  return [['finding', id], ...(index === 0 ? [] : own), ['replay', replay]];
}

function line(text: string): string {
  return visibleLine(shorten(text, LONGEST_MESSAGE));
}
