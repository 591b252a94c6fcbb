import { isDeepStrictEqual } from 'node:util';
import { conclude, countVerdicts } from '../../../engine/conclusion.ts';
import { FILES } from '../documents.ts';
import { type Problem, problem } from '../read.ts';
import { basisOf } from '../required.ts';
import { type Grounds, named } from './grounds.ts';

/** What is wrong with results: they must be those of the plan, every check of the contract once, and nothing else. */
export function resultProblems({ plan, results, suite }: Grounds): Problem[] {
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
  const tell = (holds: boolean, message: string): Problem[] =>
    holds ? [] : [problem(FILES.results, message)];
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
  ];
}
