import { createRequire } from 'node:module';
import type { create } from 'xmlbuilder2';
import type { Fleet, FleetTarget } from '../../compare/fleet/document.ts';
import { CLASSES, countClasses } from '../../compare/law.ts';
import { describePhases, fuzzingOf, isRemoved } from '../../engine/conclusion.ts';
import { blockedResults } from '../../engine/plan.ts';
import type {
  BaselineReport,
  CheckResult,
  FuzzingReport,
  RunResult,
  Verdict,
  WritingReport,
} from '../../engine/result.ts';
import { plural, present, share, shorten, visibleLine, visibleText } from '../../engine/text.ts';
import { placeOf } from '../about-check.ts';
import { howItEnded, leftoverLines, sumUpFixtures } from '../views/run/details.ts';
import { sentenceOf, stepsOf } from '../views/run/steps.ts';
import { allowsNone, countStandings, describeAnswer, headlineOf, isThin, rowsOf } from './describe.ts';

type XmlElement = ReturnType<typeof create>;

const load: NodeJS.Require = createRequire(import.meta.url);

/** The XML library, loaded with the first report, because most commands write none. */
function xmlBuilder(): typeof import('xmlbuilder2') {
  return load('xmlbuilder2');
}

/** One `testsuite`, which is also the class of its cases. */
interface Suite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  readonly seconds: number;
  readonly started?: string | undefined;
  readonly properties: Readonly<Record<string, string>>;
}

/**
 * The JUnit XML of a run for CI servers: one suite for each area, one case for each selected check. Only `pass` is a
 * plain case. `warn`, `inconclusive`, `skip` and waived failures are skipped cases that say so. If the run allows no
 * conclusion, or if records may remain, a suite `run` has an error, because a CI server that ignores exit codes would
 * show it as passed. That suite also has the changes in answers since the baseline.
 */
export function renderJunit(result: RunResult): string {
  const { reason, writing } = result;
  const dependents = blockedResults(result.checks);
  const selected = result.checks.filter(({ skip }) => skip?.kind !== 'selection');
  const suites = [...Map.groupBy(selected, ({ area }) => area)].map(
    ([name, checks]): [string, JunitCase[]] => [
      name,
      checks.map((check) => describeCase(check, dependents.get(check.id), result.target.operations)),
    ],
  );
  const about = present([
    allowsNone(result) &&
      caseAbout('run/conclusion: allows a conclusion', 'error', { message: reason, type: 'inconclusive' }),
    // CI servers show a suite without a failure as passed.
    isThin(result) &&
      caseAbout('run/extent: evaluates most of what the site does', 'skipped', {
        message: `${headlineOf(result)}: ${reason}`,
      }),
    // What else strict mode does not accept, such as a waiver that is no longer needed.
    result.waivers?.refused !== undefined &&
      caseAbout('run/strict: accepts the run', 'failure', { message: reason, type: 'strict' }),
    writing !== undefined && !isRemoved(writing) && notRemoved(writing),
    answersCase(result),
  ]);
  if (about.length > 0) suites.push(['run', about]);
  const document = xmlBuilder().create({ version: '1.0', encoding: 'UTF-8' });
  // The schema of CI servers has no other totals.
  const { skipped: _, ...total } = tally(suites.flatMap(([, cases]) => cases));
  const root = document.ele('testsuites', {
    name: visibleLine(`${result.tool.name} ${result.target.deployment}`),
    ...total,
    time: result.run.seconds.toFixed(3),
  });
  const properties = propertiesOf(result);
  for (const [name, cases] of suites) {
    const seconds = cases.reduce((sum, testCase) => sum + testCase.seconds, 0);
    writeSuite(root, { name, cases, seconds, started: result.run.started, properties });
  }
  return `${document.end({ prettyPrint: true })}\n`;
}

function writeSuite(parent: XmlElement, { name, cases, seconds, started, properties }: Suite): XmlElement {
  const suite = parent.ele('testsuite', {
    name: visibleLine(name),
    ...tally(cases),
    time: seconds.toFixed(3),
    ...(started !== undefined && { timestamp: visibleLine(started) }),
  });
  const known = suite.ele('properties');
  for (const [key, value] of Object.entries(properties)) {
    known.ele('property', { name: key, value: visibleLine(value) });
  }
  for (const { name: called, seconds: took, outcome } of cases) {
    const attributes = { classname: visibleLine(name), name: called, time: took.toFixed(3) };
    const element = suite.ele('testcase', attributes);
    const inner = outcome && element.ele(outcome.element, outcome.attributes);
    if (outcome?.body) inner?.txt(outcome.body);
  }
  return suite;
}

function notRemoved(writing: WritingReport): JunitCase {
  const about = { message: howItEnded(writing), type: 'clean-up' };
  const left = leftoverLines(writing).map(visibleLine).join('\n');
  return caseAbout('run/clean-up: removes what the run has written', 'error', about, left);
}

/** Changes in answers since the baseline. The case fails only if they alone fail the run. */
function answersCase({ baseline, news }: RunResult): JunitCase | undefined {
  const { answers = [], new: fresh = [], found = [], unwaived = [] } = baseline ?? {};
  if (answers.length === 0) return undefined;
  const isRed = news === 'new' && fresh.length + found.length + unwaived.length === 0;
  const counts = countClasses(answers);
  const known = CLASSES.filter((name) => counts[name] > 0).map((name) => `${counts[name]} ${name}`);
  const message = `${plural(answers.length, 'change')} in answers since the baseline: ${known.join(', ')}`;
  const about = { message, ...(isRed && { type: 'changes' }) };
  const body = answers.map((change) => visibleLine(describeAnswer(change))).join('\n');
  return caseAbout('run/answers: look as in the baseline', isRed ? 'failure' : 'skipped', about, body);
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

function propertiesOf(result: RunResult): Record<string, string> {
  const { target, run, tool, conclusion, reason, partial, fuzzing, baseline, waivers, stage } = result;
  const notices = sumUpNotices(result);
  return {
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
    ...(baseline !== undefined && { baseline: describeNews(baseline) }),
    ...Object.fromEntries(
      Object.entries(baseline ? countStandings(baseline) : {}).map(([kind, count]) => [
        `baseline.${kind}`,
        String(count),
      ]),
    ),
    ...(waivers !== undefined && { waived: String(waivers.waived) }),
    ...(partial !== undefined && { partial: share(partial.asked, partial.planned, 'planned checks') }),
    ...progressOf(result),
    ...(stage !== undefined && { stage: sumUpFixtures(stage) }),
    ...(fuzzing !== undefined && { fuzzing: describeFuzzing(fuzzing) }),
    ...(notices !== undefined && { notices }),
  };
}

function sumUpNotices({ notices, target }: Pick<RunResult, 'notices' | 'target'>): string | undefined {
  if (notices.length === 0) return undefined;
  const beyond = target.beyond ?? [];
  const routes = beyond.reduce((sum, namespace) => sum + namespace.routes, 0);
  const others = notices.length - beyond.length;
  return present([
    beyond.length > 0 &&
      `${plural(beyond.length, 'namespace')} beyond the contract with ${plural(routes, 'route')}`,
    others > 0 && `${plural(others, beyond.length > 0 ? 'other notice' : 'notice')}`,
  ]).join('; ');
}

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

type Element = 'failure' | 'error' | 'skipped';

/** One `testcase`. All its text is legal in XML 1.0. */
interface JunitCase {
  name: string;
  seconds: number;
  outcome?: { element: Element; attributes: Record<string, string>; body: string };
}

/** A case about the whole run. @param about name and kind */
function caseAbout(
  name: string,
  element: Element,
  about: { readonly message: string; readonly type?: string },
  body = '',
): JunitCase {
  const attributes = { ...about, message: visibleLine(about.message) };
  return { name, seconds: 0, outcome: { element, attributes, body } };
}

/** A limit, because CI servers keep these files for long. `results.json` has the complete text. */
const LONGEST_MESSAGE = 300;
const LONGEST_VALUE = 4000;

const ELEMENT: Record<Exclude<Verdict, 'pass'>, Element> = {
  fail: 'failure',
  error: 'error',
  warn: 'skipped',
  inconclusive: 'skipped',
  skip: 'skipped',
};

/** Makes a case from a check. Any verdict but `pass` gets an element; a waived failure is skipped. */
function describeCase(
  check: CheckResult,
  dependents: readonly CheckResult[] = [],
  operations: RunResult['target']['operations'] = {},
): JunitCase {
  const { verdict, standing, waived, seconds } = check;
  const name = visibleLine(`${check.id}: ${check.title}`);
  if (verdict === 'pass') return { name, seconds };
  const said = line(check.message ?? check.observed ?? check.title);
  // A reason is all there is to say about a check that did not run.
  const body = verdict === 'skip' ? '' : describe(check, dependents, placeOf(check, operations));
  const ended = (element: Element, message: string): JunitCase => {
    const attributes = { message, ...(element !== 'skipped' && { type: verdict }) };
    return { name, seconds, outcome: { element, attributes, body } };
  };
  if (waived !== undefined)
    return ended('skipped', line(`waived: ${waived.reason} (${waived.owner}, until ${waived.expires})`));
  const element = ELEMENT[verdict];
  if (element === 'skipped') return ended(element, `${verdict}: ${said}`);
  return ended(element, verdict === 'fail' && standing !== undefined ? `${standing}: ${said}` : said);
}

function describe(check: CheckResult, dependents: readonly CheckResult[], place: string | undefined): string {
  const rows: (readonly [string, string | false | undefined])[] = [
    ['place', place],
    ...rowsOf(check),
    [
      'dependents',
      dependents.length > 0 &&
        `${plural(dependents.length, 'check')}: ${dependents.map(({ id }) => id).join(', ')}`,
    ],
    ...(fuzzingOf([check])?.untried ?? []).map(
      (search) => ['not tried', `${describePhases(search)} (${search.reason})`] as const,
    ),
  ];
  return rows
    .flatMap(([label, text]) => (text ? `${label}: ${visibleText(shorten(text, LONGEST_VALUE))}` : []))
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

function line(text: string): string {
  return visibleLine(shorten(text, LONGEST_MESSAGE));
}

/** A limit, because CI servers keep these files for long. The folder of the target has all cases. */
const MOST_CASES = 200;

/** Verdicts with cases of their own, the worst first. The conclusion counts the others. */
const REPORTED: readonly Verdict[] = ['error', 'fail', 'warn', 'inconclusive'];

/**
 * The JUnit XML of a fleet in parts, with one target in memory at a time. Each target is a suite, and the class of its
 * cases: one for its conclusion, and one for each check that did not pass.
 * @param checksOf the checks of a target by its folder; empty if they are unavailable
 */
export function* junitOfFleet(
  fleet: Fleet,
  checksOf: (folder: string) => readonly CheckResult[],
): Generator<string> {
  const attributes = `name="${fleet.tool.name} fleet" time="${fleet.run.seconds.toFixed(3)}"`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n`;
  if (fleet.targets.length === 0) yield suiteText('fleet', undefined, [emptyFleet(fleet)]);
  for (const target of fleet.targets) {
    const isReported =
      REPORTED.some((verdict) => target.counts[verdict] > 0) || (target.counts.waived ?? 0) > 0;
    yield suiteText(target.name, target, [
      conclusionOf(target),
      ...(isReported ? casesOf(target, checksOf(target.folder)) : []),
    ]);
  }
  yield '</testsuites>\n';
}

function casesOf(target: FleetTarget, checks: readonly CheckResult[]): JunitCase[] {
  const worst = REPORTED.flatMap((verdict) => checks.filter((check) => check.verdict === verdict));
  if (worst.length === 0)
    return target.failing.map((id) =>
      caseAbout(visibleLine(id), 'failure', {
        message: 'fails; see the reports of the target',
        type: 'fail',
      }),
    );
  const shown = worst.slice(0, MOST_CASES).map((check) => describeCase(check));
  const left = `${plural(worst.length - shown.length, 'more check')} did not pass: see the reports of the target`;
  if (worst.length > shown.length) shown.push(caseAbout('run/more: lists all', 'skipped', { message: left }));
  return shown;
}

/** What could not be evaluated is an error: a CI server that ignores exit codes would show it as passed. */
function conclusionOf({ exitCode, reason, seconds }: FleetTarget): JunitCase {
  const name = 'run/conclusion: allows a conclusion';
  if (exitCode === 0 || exitCode === 1) return { name, seconds };
  const type = exitCode === 2 ? 'configuration' : 'inconclusive';
  return { ...caseAbout(name, 'error', { message: reason, type }), seconds };
}

function emptyFleet({ exitCode, reason: message }: Fleet): JunitCase {
  const name = 'run/conclusion: checks a target';
  if (exitCode === 0) return caseAbout(name, 'skipped', { message });
  return caseAbout(name, 'error', { message, type: 'inconclusive' });
}

function suiteText(name: string, target: FleetTarget | undefined, cases: readonly JunitCase[]): string {
  const suite = writeSuite(xmlBuilder().create(), {
    name,
    cases,
    seconds: target?.seconds ?? 0,
    started: target?.started,
    properties: targetProperties(target),
  });
  return `${suite.toString({ prettyPrint: true, offset: 1 })}\n`;
}

function targetProperties(target: FleetTarget | undefined): Record<string, string> {
  if (target === undefined) return {};
  const { url, deployment, vocabulary, mode, conclusion, exitCode, counts, partial, baseline } = target;
  return {
    target: url,
    deployment,
    vocabulary,
    mode,
    conclusion,
    'exit code': String(exitCode),
    passed: String(counts.pass),
    ...(baseline?.answers !== undefined && { 'baseline.answers': String(baseline.answers) }),
    ...(partial !== undefined && { partial: share(partial.asked, partial.planned, 'planned checks') }),
  };
}
