import { isDeepStrictEqual } from 'node:util';
import { FILES } from '../documents.ts';
import { evaluateRequired } from '../evaluate.ts';
import { type Problem, problem } from '../read.ts';
import { sha256 } from '../statement.ts';
import type { Grounds } from './grounds.ts';

/** What is wrong with a subject: the conclusion, and what is said of the run, must follow from plan and results. */
export function subjectProblems({ subject, plan, results, release, files }: Grounds): Problem[] {
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
  const isSameIndex = `sha256:${sha256(files.get(FILES.index) ?? Buffer.alloc(0))}` === index;
  const tell = (holds: boolean, about: string, message: string): Problem[] =>
    holds ? [] : [problem(about, message)];
  return [
    ...tell(isDeepStrictEqual(facts, expected), FILES.subject, 'is not about the run of plan and results'),
    ...tell(
      isDeepStrictEqual(judged, evaluateRequired(plan, results.checks, release)),
      FILES.subject,
      'its conclusion is not what the results say',
    ),
    ...tell(isSameIndex === !indexMasked, FILES.index, 'is not the index that was checked'),
  ];
}
