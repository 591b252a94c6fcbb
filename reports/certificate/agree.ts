import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sizeOfJson } from '../../client/answer.ts';
import { conclude, countVerdicts } from '../../engine/conclusion.ts';
import { PROFILES } from '../../engine/fuzz-options.ts';
import { MODE_OF_LEVEL } from '../../engine/plan.ts';
import type { RunResult } from '../../engine/result.ts';
import { listed, type Maybe, messageOf, present } from '../../engine/text.ts';
import { contractKey, type Release } from '../../specs/releases.ts';
import { UsageError } from '../../specs/validators.ts';
import { parseEvents } from '../read-events.ts';
import type { Contents, Envelope, Problem } from './documents.ts';
import { FILES, HINTS, PUBLIC_KEY, problem } from './documents.ts';
import { payloadOf, statementOf } from './envelope.ts';
import { basisOf, releaseOf, requiredBy } from './evaluate.ts';
import { filesOf, subjectOf } from './make.ts';

interface Unaltered extends Contents {
  readonly envelope: Envelope;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Whether this tool made the certificate, and so makes the same reports of the same results. */
  readonly isSameTool: boolean;
}

/** The same with the release of the requirements, and that of the tool that ran. */
type CheckedCertificate = Unaltered & { readonly release: Release; readonly suite: Release };

/**
 * Whether the documents of a certificate agree with each other and with the release of the contract. Everything that
 * can be derived is computed again.
 * @throws UsageError for an unknown contract
 */
export function agree(unaltered: Unaltered, releases: readonly Release[]): Problem[] {
  const { plan, subject, envelope, files } = unaltered;
  const suite = releaseOf(releases, plan.contract.suite);
  const grounds = { ...unaltered, suite, release: releaseOf(releases, plan.contract.release) };
  const key = contractKey(plan.contract);
  if (suite.contracts[key] !== plan.contract.digest) {
    throw new UsageError(
      `contract ${plan.contract.digest} is not that of ${key} in release ${suite.version}: a certificate of an unknown contract; expected one of a deployment and a vocabulary that come with site-conformance`,
    );
  }
  const isWhatFollows = statementOf(subject, files).equals(payloadOf(envelope));
  return present([
    planProblems(grounds),
    resultProblems(grounds),
    eventProblems(grounds),
    subjectProblems(grounds),
    fileProblems(grounds),
    !isWhatFollows && problem(FILES.certificate, 'does not say what follows from its files'),
  ]);
}

const MOST_NAMED = 10;

function problemsOf(file: string, messages: readonly Maybe<string>[]): Problem[] {
  return present(messages).map((message) => problem(file, message));
}

/** Problems of a plan: it must be complete for the level and the contract, with the required options. */
function planProblems({ plan, release, suite }: CheckedCertificate): Maybe<Problem> {
  const { level, contract, mode, examples } = plan;
  const expected = requiredBy(level, release, suite, contract.deployment);
  return problemsOf(FILES.plan, [
    (['required', 'dropped', 'changed'] as const).map((name) => {
      const [is, must] = [new Set(plan[name]), new Set(expected[name])];
      const wrong = [...must.difference(is), ...is.difference(must)];
      return (
        (wrong.length > 0 || is.size !== plan[name].length) &&
        `"${name}" is not what level ${level} of contract ${release.version} says: ${listed(wrong, MOST_NAMED)}`
      );
    }),
    mode !== MODE_OF_LEVEL[level] && `mode ${mode} is not that of level ${level}`,
    examples < PROFILES.standard && `tries fewer than ${PROFILES.standard} examples`,
  ]);
}

/** Problems of results: they must have every check of the contract once, as planned, and nothing else. */
function resultProblems({ plan, results, suite }: CheckedCertificate): Maybe<Problem> {
  const { contract, mode, seed, strict } = plan;
  const { target, run, tool, checks } = results;
  const facts = [tool.contract, target.deployment, target.vocabulary, run.mode, run.seed];
  const planned = [contract.digest, contract.deployment, contract.vocabulary, mode, seed];
  const known = new Set(checks.map(({ id }) => id));
  const all = [...suite.checks].filter(([, row]) => row.in.includes(contract.deployment)).map(([id]) => id);
  const missing = all.filter((id) => !known.has(id));
  const strange = checks.filter(({ id, basis }) => basisOf(suite, id, contract) !== basis);
  const early = run.ended === undefined ? {} : { ended: run.ended };
  const waivers = results.waivers && { report: results.waivers, stale: results.waivers.refused ?? 0 };
  const { conclusion } = conclude(checks, { strict, waivers, planned: all.length, ...early });
  const names = (ids: readonly string[]): string => listed(ids, MOST_NAMED);
  return problemsOf(FILES.results, [
    !isDeepStrictEqual(facts, planned) && 'is not of the run that the plan is about',
    missing.length > 0 && `lacks checks of the contract: ${names(missing)}`,
    strange.length > 0 &&
      `holds checks that the contract has not, or otherwise: ${names(strange.map(({ id }) => id))}`,
    known.size !== checks.length && 'holds a check twice',
    !isDeepStrictEqual(results.counts, countVerdicts(checks)) && 'its counts are not those of its checks',
    results.conclusion !== conclusion && `concludes ${results.conclusion}, and its checks say ${conclusion}`,
  ]);
}

/** Limits for reading JSON; no run writes more. */
const LIMITS = { depth: 200, values: 5_000_000 };

/** Members of results that every version derives from events in the same way. */
const LASTING: readonly string[] = [
  'format',
  'tool',
  'target',
  'run',
  'conclusion',
] satisfies (keyof RunResult)[];

/** Whether the events agree with the results, check by check and member by member. */
function eventProblems({ results, files, isSameTool }: CheckedCertificate): Maybe<Problem> {
  const bytes = Buffer.from(files.get(FILES.events) ?? []);
  const { depth, values } = sizeOfJson(bytes, LIMITS);
  if (depth > LIMITS.depth || values > LIMITS.values) {
    const why = `nests deeper than ${LIMITS.depth} levels, or has more values than are read`;
    return problem(FILES.events, why);
  }
  const text = bytes.toString('utf8');
  let reported: RunResult;
  let planned = 0;
  try {
    reported = parseEvents(FILES.events, text, (event) => {
      if (event.event === 'start') planned = event.planned;
    });
  } catch (error) {
    return problem(FILES.events, messageOf(error));
  }
  const [was, is] = [checksById(reported), checksById(results)];
  const checks = differing(was, is);
  const members = differing({ ...reported, checks: [] }, { ...results, checks: [] }).filter(
    (name) => isSameTool || LASTING.includes(name),
  );
  const isInOrder = Object.keys(was).join() === Object.keys(is).join();
  return problemsOf(FILES.events, [
    !(isInOrder && planned === reported.checks.length) &&
      'its checks are not in the order of its plan, or not as many as it planned',
    checks.length > 0 && `contradicts ${FILES.results}: ${listed(checks, MOST_NAMED)}`,
    members.length > 0 &&
      `is of another run than ${FILES.results}, or ends otherwise: ${members.map((name) => `"${name}"`).join(', ')}`,
    !isAsWritten(text) && 'its lines are not as a run writes them',
  ]);
}

function checksById({ checks }: RunResult): Readonly<Record<string, unknown>> {
  return Object.fromEntries(checks.map((check) => [check.id, check]));
}

function differing(one: object, other: object): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !isDeepStrictEqual(Reflect.get(one, name), Reflect.get(other, name)));
}

/** Whether every line is complete and has no member twice, because parsers differ on which one counts. */
function isAsWritten(text: string): boolean {
  const lines = text.split('\n');
  return lines.pop() === '' && lines.every((line) => JSON.stringify(JSON.parse(line)) === line);
}

const OF_THE_RUN: ReadonlySet<string> = new Set(['level', 'contract', 'tool', 'run', 'started', 'index']);

/** Problems of a subject: its conclusion and its facts about the run must follow from plan and results. */
function subjectProblems({ subject, plan, results, release, files }: CheckedCertificate): Maybe<Problem> {
  const { implementation } = subject;
  const index = files.get(FILES.index) ?? Buffer.alloc(0);
  const expected = subjectOf({ implementation, plan, result: results, release }, index);
  const wrong = new Set(differing(subject, { ...expected, indexMasked: subject.indexMasked }));
  const isSameIndex = `sha256:${hash('sha256', index)}` === subject.index;
  return [
    !wrong.isDisjointFrom(OF_THE_RUN) && problem(FILES.subject, 'is not about the run of plan and results'),
    !wrong.isSubsetOf(OF_THE_RUN) && problem(FILES.subject, 'its conclusion is not what the results say'),
    isSameIndex === subject.indexMasked && problem(FILES.index, 'is not the index that was checked'),
  ];
}

/** Files with original documents. The others are derived from these. */
const WRITTEN: readonly string[] = [FILES.subject, FILES.plan, FILES.results];

/** Files that only the tool that made the certificate reproduces to the byte. */
const OF_THE_TOOL: readonly string[] = [FILES.repeat, FILES.junit, FILES.page];

/**
 * Problems of the files in a folder: exactly the files of a certificate must exist, and derived ones must be equal to
 * the byte. Reports for people from another version of the tool are not compared.
 */
function fileProblems(checked: CheckedCertificate): Maybe<Problem> {
  const { subject, plan, results: result, release, files, envelope, isSameTool } = checked;
  const { certificate: _, ...always } = FILES;
  const { implementation } = subject;
  const expected = new Set<string>(
    present([
      Object.values(always),
      plan.hints !== undefined && HINTS,
      envelope.signatures.length > 0 && PUBLIC_KEY,
    ]),
  );
  const names = new Set(files.keys());
  const made = filesOf(subject, { implementation, plan, result, release });
  return [
    [...expected.difference(names)].map((name) => problem(name, 'missing')),
    [...names.difference(expected)].map((name) => problem(name, 'is no file of such a certificate')),
    [...made].map(([name, bytes]) => {
      const found = files.get(name);
      if (found === undefined || Buffer.from(bytes).equals(found)) return undefined;
      if (WRITTEN.includes(name))
        return problem(name, 'its text is not as it was written: a member twice, or laid out otherwise');
      const isComparable = isSameTool || !OF_THE_TOOL.includes(name);
      return isComparable && problem(name, 'is not what follows from the results, made anew by this version');
    }),
  ];
}
