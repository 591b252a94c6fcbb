import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PROFILES } from '../engine/fuzz-options.ts';
import { MODE_OF_LEVEL } from '../engine/levels.ts';
import { conclude, countVerdicts } from '../reports/conclusion.ts';
import { readEvents } from '../reports/read-events.ts';
import { contractKey, type Release } from '../specs/releases.ts';
import { certifiedCoverage } from './coverage.ts';
import { type Contents, FILES, type Statement } from './documents.ts';
import { judgeRequired } from './judge.ts';
import { jsonBytes } from './make.ts';
import { type Problem, problem } from './read.ts';
import { basisOf, releaseOf, requiredBy } from './required.ts';
import { sha256, statementOf } from './statement.ts';
import { UnusableCertificate } from './unusable.ts';

/** So many checks are named one by one. */
const MOST_NAMED = 10;

/** What the documents of a certificate are held against. */
interface Grounds extends Contents {
  readonly folder: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly release: Release;
  readonly suite: Release;
}

/**
 * Whether the documents of a certificate agree with each other and with the release of the contract: everything in them that
 * follows from something else is computed anew.
 * @param folder where the files lie; @param files none of them altered
 * @throws UnusableCertificate for a contract that is not known
 */
export function agree(
  folder: string,
  contents: Contents,
  statement: Statement,
  files: ReadonlyMap<string, Uint8Array>,
  releases: readonly Release[],
): Problem[] {
  const { plan, subject } = contents;
  const suite = releaseOf(releases, plan.contract.suite);
  const grounds = { ...contents, folder, files, suite, release: releaseOf(releases, plan.contract.release) };
  const key = contractKey(plan.contract);
  if (suite.contracts[key] !== plan.contract.digest) {
    throw new UnusableCertificate(
      `contract ${plan.contract.digest} is not that of ${key} in release ${suite.version}: a certificate of an unknown contract; expected one of a deployment and a vocabulary that come with site-conformance`,
    );
  }
  const same = isDeepStrictEqual(statement, statementOf(subject, files));
  return [
    ...planProblems(grounds),
    ...resultProblems(grounds),
    ...eventProblems(grounds),
    ...subjectProblems(grounds),
    ...(same ? [] : [problem(FILES.certificate, 'does not say what follows from its files')]),
  ];
}

/** The plan is complete for the level and the contract, and asked as it must be. */
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
          `"${name}" is not what level ${level} of contract ${release.version} says: ${named(wrong)}`,
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

/** The results are those of the plan: every check of the contract once, and nothing else. */
function resultProblems({ plan, results, suite, files }: Grounds): Problem[] {
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
  const index = files.get(FILES.index);
  const tell = (holds: boolean, message: string, about: string = FILES.results): Problem[] =>
    holds ? [] : [problem(about, message)];
  return [
    ...tell(isDeepStrictEqual(facts, planned), 'is not of the run that the plan is about'),
    ...tell(missing.length === 0, `lacks checks of the contract: ${named(missing)}`),
    ...tell(strange.length === 0, `holds checks that the contract has not, or otherwise: ${named(strange)}`),
    ...tell(there.size === checks.length, 'holds a check twice'),
    ...tell(
      isDeepStrictEqual(results.counts, countVerdicts(checks)),
      'its counts are not those of its checks',
    ),
    ...tell(
      results.conclusion === conclusion,
      `concludes ${results.conclusion}, and its checks say ${conclusion}`,
    ),
    ...tell(index !== undefined, 'missing', FILES.index),
  ];
}

/** What was streamed while the run went on is what the results say. */
function eventProblems({ results, folder, files }: Grounds): Problem[] {
  if (!files.has(FILES.events)) return [problem(FILES.events, 'missing')];
  try {
    const told = readEvents(join(folder, FILES.events));
    const [was, is] = [told, results].map(({ checks }) => new Map(checks.map((check) => [check.id, check])));
    const other = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].filter(
      (id) => !isDeepStrictEqual(was?.get(id), is?.get(id)),
    );
    const heads = [told, results].map(({ tool, target, run, conclusion }) => ({
      tool,
      target,
      run,
      conclusion,
    }));
    return [
      ...(other.length === 0
        ? []
        : [problem(FILES.events, `tells otherwise than ${FILES.results}: ${named(other)}`)]),
      ...(isDeepStrictEqual(heads[0], heads[1])
        ? []
        : [problem(FILES.events, `is of another run than ${FILES.results}, or ends otherwise`)]),
    ];
  } catch (error) {
    return [problem(FILES.events, error instanceof Error ? error.message : String(error))];
  }
}

/** The conclusion, and what is said of the run, follow from plan and results. */
function subjectProblems({ subject, plan, results, release, files }: Grounds): Problem[] {
  const { level, contract, tool, run, started, index, indexMasked, ...rest } = subject;
  const { format: _, implementation: __, ...judged } = rest;
  const facts = { level, contract, tool, run, started, index };
  const expected = {
    level: plan.level,
    contract: plan.contract,
    tool: `${results.tool.name} ${results.tool.version}`,
    run: results.run.id,
    started: results.run.started,
    index: results.target.index,
  };
  const document = files.get(FILES.index);
  const isSameIndex = document !== undefined && `sha256:${sha256(document)}` === index;
  const coverage = jsonBytes(certifiedCoverage(plan.required, release, results.checks));
  return [
    ...(isDeepStrictEqual(facts, expected)
      ? []
      : [problem(FILES.subject, 'is not about the run of plan and results')]),
    ...(isDeepStrictEqual(judged, judgeRequired(plan.required, results.checks, release))
      ? []
      : [problem(FILES.subject, 'its conclusion is not what the results say')]),
    ...(isSameIndex === !indexMasked ? [] : [problem(FILES.index, 'is not the index that was judged')]),
    ...(coverage.equals(files.get(FILES.coverage) ?? Buffer.alloc(0))
      ? []
      : [problem(FILES.coverage, 'is not what the results say')]),
  ];
}

function named(ids: readonly string[]): string {
  const more = ids.length - MOST_NAMED;
  return `${ids.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
