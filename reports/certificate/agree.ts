import { isDeepStrictEqual } from 'node:util';
import { sizeOfJson } from '../../client/answer.ts';
import { conclude, countVerdicts } from '../../engine/conclusion.ts';
import { PROFILES } from '../../engine/fuzz-options.ts';
import { MODE_OF_LEVEL } from '../../engine/plan.ts';
import type { RunResult } from '../../engine/result.ts';
import { listed, present } from '../../engine/text.ts';
import { contractKey, type Release } from '../../specs/releases.ts';
import { jsonText } from '../files.ts';
import { parseEvents } from '../read-events.ts';
import {
  type Contents,
  type Envelope,
  FILES,
  HINTS,
  PUBLIC_KEY,
  REPORTS,
  type Statement,
} from './documents.ts';
import { certificateBadge, certifiedCoverage, renderedReports } from './enclosures.ts';
import { payloadOf, sha256, statementBytes, statementOf, UnusableCertificate } from './envelope.ts';
import { evaluateRequired } from './evaluate.ts';
import { jsonBytes, repeatText } from './make.ts';
import { type Problem, problem } from './read.ts';
import { basisOf, releaseOf, requiredBy } from './required.ts';

/** A certificate none of whose files is altered. */
interface Unaltered extends Contents {
  readonly envelope: Envelope;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly isSameTool: boolean;
}

/**
 * Whether the documents of a certificate agree with each other and with the release of the contract: everything in them that
 * follows from something else is computed anew.
 * @throws UnusableCertificate for a contract that is not known
 */
export function agree(unaltered: Unaltered, releases: readonly Release[]): Problem[] {
  const { plan, subject, envelope, files } = unaltered;
  const suite = releaseOf(releases, plan.contract.suite);
  const grounds: Grounds = { ...unaltered, suite, release: releaseOf(releases, plan.contract.release) };
  const key = contractKey(plan.contract);
  if (suite.contracts[key] !== plan.contract.digest) {
    throw new UnusableCertificate(
      `contract ${plan.contract.digest} is not that of ${key} in release ${suite.version}: a certificate of an unknown contract; expected one of a deployment and a vocabulary that come with site-conformance`,
    );
  }
  const statement: Statement = statementOf(subject, files);
  const isWhatFollows = statementBytes(statement).equals(payloadOf(envelope));
  return [
    ...planProblems(grounds),
    ...resultProblems(grounds),
    ...eventProblems(grounds),
    ...subjectProblems(grounds),
    ...fileProblems(grounds, envelope.signatures.length > 0),
    ...(isWhatFollows ? [] : [problem(FILES.certificate, 'does not say what follows from its files')]),
  ];
}

/** What is read of a text: what lies beyond is none that a run has streamed. */
const LIMITS = { depth: 200, values: 5_000_000 };

/** Members of results that every version makes of the same events. */
const LASTING: readonly string[] = [
  'format',
  'tool',
  'target',
  'run',
  'conclusion',
] satisfies (keyof RunResult)[];

/** Whether what was streamed while the run went on says what the results say, check by check and member by member. */
function eventProblems({ results, files, isSameTool }: Grounds): Problem[] {
  const bytes = files.get(FILES.events) ?? Buffer.alloc(0);
  const { depth, values } = sizeOfJson(bytes, LIMITS);
  if (depth > LIMITS.depth || values > LIMITS.values) {
    return [
      problem(FILES.events, `nests deeper than ${LIMITS.depth} levels, or has more values than are read`),
    ];
  }
  const text = Buffer.from(bytes).toString('utf8');
  let reported: RunResult;
  let planned = 0;
  try {
    reported = parseEvents(FILES.events, text, (event) => {
      if (event.event === 'start') planned = event.planned;
    });
  } catch (error) {
    return [problem(FILES.events, error instanceof Error ? error.message : String(error))];
  }
  const [was, is] = [checksOf(reported), checksOf(results)];
  const checks = [...new Set([...was.keys(), ...is.keys()])].filter(
    (id) => !isDeepStrictEqual(was.get(id), is.get(id)),
  );
  const { checks: _reported, ...reportedRest } = reported;
  const { checks: _results, ...rest } = results;
  const members = memberNames(reportedRest, rest).filter(
    (name) =>
      (isSameTool || LASTING.includes(name)) &&
      !isDeepStrictEqual(Reflect.get(reportedRest, name), Reflect.get(rest, name)),
  );
  const isInOrder = [...was.keys()].join() === [...is.keys()].join();
  return present([
    !(isInOrder && planned === reported.checks.length) &&
      problem(FILES.events, 'its checks are not in the order of its plan, or not as many as it planned'),
    checks.length > 0 && problem(FILES.events, `contradicts ${FILES.results}: ${listed(checks, MOST_NAMED)}`),
    members.length > 0 &&
      problem(
        FILES.events,
        `is of another run than ${FILES.results}, or ends otherwise: ${members.map((name) => `"${name}"`).join(', ')}`,
      ),
    !isAsWritten(text) && problem(FILES.events, 'its lines are not as a run writes them'),
  ]);
}

function checksOf({ checks }: RunResult): Map<string, RunResult['checks'][number]> {
  return new Map(checks.map((check) => [check.id, check]));
}

function memberNames(...documents: readonly object[]): string[] {
  return [...new Set(documents.flatMap((document) => Object.keys(document)))];
}

/** Whether every line is whole, and holds no member twice: parsers differ on which of two counts. */
function isAsWritten(text: string): boolean {
  const lines = text.split('\n');
  return lines.pop() === '' && lines.every((line) => JSON.stringify(JSON.parse(line)) === line);
}

/**
 * What is wrong with the files of a folder: those of a certificate must all be there and no others, and each that follows
 * from other ones is what they give, to the byte. Of a certificate of another version of the tool the reports for people
 * are left as they are.
 * @param isSigned whether the certificate is signed, and so brings a key
 */
function fileProblems(grounds: Grounds, isSigned: boolean): Problem[] {
  const { subject, plan, results, release, files, isSameTool } = grounds;
  const { certificate: _, ...always } = FILES;
  const expected = new Set<string>(
    present([
      ...Object.values(always),
      ...REPORTS,
      plan.hints !== undefined && HINTS,
      isSigned && PUBLIC_KEY,
    ]),
  );
  const written: [string, Uint8Array][] = [
    [FILES.subject, jsonBytes(subject)],
    [FILES.plan, jsonBytes(plan)],
    [FILES.results, Buffer.from(jsonText(results))],
  ];
  const following: [string, Uint8Array][] = [
    [FILES.coverage, jsonBytes(certifiedCoverage(plan, release, results.checks))],
    [FILES.badge, jsonBytes(certificateBadge(subject))],
    ...(isSameTool
      ? [[FILES.repeat, Buffer.from(repeatText(subject, plan, results.target.as))] as [string, Uint8Array]]
      : []),
    ...(isSameTool ? renderedReports(results) : []),
  ];
  const other = (rows: readonly [string, Uint8Array][], message: string): Problem[] =>
    rows
      .filter(([name, bytes]) => files.has(name) && !Buffer.from(bytes).equals(files.get(name) ?? bytes))
      .map(([name]) => problem(name, message));
  return [
    ...[...expected].filter((name) => !files.has(name)).map((name) => problem(name, 'missing')),
    ...[...files.keys()]
      .filter((name) => !expected.has(name))
      .map((name) => problem(name, 'is no file of such a certificate')),
    ...other(written, 'its text is not as it was written: a member twice, or laid out otherwise'),
    ...other(following, 'is not what follows from the results, made anew by this version'),
  ];
}

/** What the documents of a certificate are held against. */
interface Grounds extends Contents {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Says what is required. */
  readonly release: Release;
  /** The release that the tool ran with. */
  readonly suite: Release;
  /** Whether the tool that made the certificate is this one, which makes the same reports of the same results. */
  readonly isSameTool: boolean;
}

/** So many checks are named one by one. */
const MOST_NAMED = 10;

/** What is wrong with a plan: it must be complete for the level and the contract, and asked as it must be. */
function planProblems({ plan, release, suite }: Grounds): Problem[] {
  const { level, contract, mode, examples } = plan;
  const expected = requiredBy(level, release, suite, contract.deployment);
  const found: Problem[] = [];
  for (const name of ['required', 'dropped', 'changed'] as const) {
    const [is, must] = [new Set(plan[name]), new Set(expected[name])];
    const wrong = [...must].filter((id) => !is.has(id)).concat([...is].filter((id) => !must.has(id)));
    if (wrong.length > 0 || is.size !== plan[name].length) {
      found.push(
        problem(
          FILES.plan,
          `"${name}" is not what level ${level} of contract ${release.version} says: ${listed(wrong, MOST_NAMED)}`,
        ),
      );
    }
  }
  if (mode !== MODE_OF_LEVEL[level])
    found.push(problem(FILES.plan, `mode ${mode} is not that of level ${level}`));
  if (examples < PROFILES.standard)
    found.push(problem(FILES.plan, `tries fewer than ${PROFILES.standard} examples`));
  return found;
}

/** What is wrong with results: they must be those of the plan, every check of the contract once, and nothing else. */
function resultProblems({ plan, results, suite }: Grounds): Problem[] {
  const { contract, mode, seed, strict } = plan;
  const { target, run, tool, checks } = results;
  const facts = [tool.contract, target.deployment, target.vocabulary, run.mode, run.seed];
  const planned = [contract.digest, contract.deployment, contract.vocabulary, mode, seed];
  const there = new Set(checks.map(({ id }) => id));
  const all = [...suite.checks].filter(([, row]) => row.in.includes(contract.deployment)).map(([id]) => id);
  const missing = all.filter((id) => !there.has(id));
  const strange = checks
    .filter(({ id, basis }) => basisOf(suite, id, contract) !== basis)
    .map(({ id }) => id);
  const early = run.ended === undefined ? {} : { ended: run.ended };
  const waivers = results.waivers && { report: results.waivers, stale: results.waivers.refused ?? 0 };
  const { conclusion } = conclude(checks, { strict, waivers, planned: all.length, ...early });
  const problemUnless = (holds: boolean, message: string): Problem[] =>
    holds ? [] : [problem(FILES.results, message)];
  return [
    ...problemUnless(isDeepStrictEqual(facts, planned), 'is not of the run that the plan is about'),
    ...problemUnless(missing.length === 0, `lacks checks of the contract: ${listed(missing, MOST_NAMED)}`),
    ...problemUnless(
      strange.length === 0,
      `holds checks that the contract has not, or otherwise: ${listed(strange, MOST_NAMED)}`,
    ),
    ...problemUnless(there.size === checks.length, 'holds a check twice'),
    ...problemUnless(
      isDeepStrictEqual(results.counts, countVerdicts(checks)),
      'its counts are not those of its checks',
    ),
    ...problemUnless(
      results.conclusion === conclusion,
      `concludes ${results.conclusion}, and its checks say ${conclusion}`,
    ),
  ];
}

/** What is wrong with a subject: the conclusion, and what is said of the run, must follow from plan and results. */
function subjectProblems({ subject, plan, results, release, files }: Grounds): Problem[] {
  const { level, contract, tool, run, started, index, indexMasked, ...rest } = subject;
  const { format: _, implementation: __, ...evaluated } = rest;
  const facts = { level, contract, tool, run, started, index };
  const expected = {
    level: plan.level,
    contract: plan.contract,
    tool: `${results.tool.name} ${results.tool.version}`,
    run: results.run.id,
    started: results.run.started,
    index: results.target.index,
  };
  const isSameIndex = `sha256:${sha256(files.get(FILES.index) ?? Buffer.alloc(0))}` === index;
  const problemUnless = (holds: boolean, about: string, message: string): Problem[] =>
    holds ? [] : [problem(about, message)];
  return [
    ...problemUnless(
      isDeepStrictEqual(facts, expected),
      FILES.subject,
      'is not about the run of plan and results',
    ),
    ...problemUnless(
      isDeepStrictEqual(evaluated, evaluateRequired(plan, results.checks, release)),
      FILES.subject,
      'its conclusion is not what the results say',
    ),
    ...problemUnless(isSameIndex === !indexMasked, FILES.index, 'is not the index that was checked'),
  ];
}
