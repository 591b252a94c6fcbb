import { PROFILES } from '../../../engine/fuzz-options.ts';
import { MODE_OF_LEVEL } from '../../../engine/levels.ts';
import { FILES } from '../documents.ts';
import { type Problem, problem } from '../read.ts';
import { requiredBy } from '../required.ts';
import { type Grounds, named } from './grounds.ts';

/** What is wrong with a plan: it must be complete for the level and the contract, and asked as it must be. */
export function planProblems({ plan, release, suite }: Grounds): Problem[] {
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
