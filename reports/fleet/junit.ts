import type { Fleet, FleetTarget } from '../../compare/fleet/document.ts';
import type { CheckResult, Verdict } from '../../engine/result.ts';
import { plural, share, visibleLine } from '../../engine/text.ts';
import { caseAbout, describeCase, type JunitCase, writeSuite, xmlBuilder } from '../reporters/junit.ts';

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
  if (worst.length === 0) return target.failing.map(failing);
  const shown = worst.slice(0, MOST_CASES).map((check) => describeCase(check));
  const left = `${plural(worst.length - shown.length, 'more check')} did not pass: see the reports of the target`;
  if (worst.length > shown.length) shown.push(caseAbout('run/more: lists all', 'skipped', { message: left }));
  return shown;
}

function failing(id: string): JunitCase {
  const message = 'fails; see the reports of the target';
  return caseAbout(visibleLine(id), 'failure', { message, type: 'fail' });
}

/**
 * A target that could not be evaluated or configured is an error, because a CI server that ignores exit
 * codes would show it as passed.
 */
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
    properties: propertiesOf(target),
  });
  return `${suite.toString({ prettyPrint: true, offset: 1 })}\n`;
}

function propertiesOf(target: FleetTarget | undefined): Record<string, string> {
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
