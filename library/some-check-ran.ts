import type { TestCase, TestProject } from 'vitest/node';
import { PlainError } from '../cli/shell/errors.ts';

/** For the project `conformance`: if vitest's filters leave no test, the result must not be green. */
export function setup(project: TestProject): () => void {
  return () => {
    const modules = project.vitest.state.getTestModules().filter((module) => module.project === project);
    if (modules.some((module) => module.state() === 'failed' || [...module.children.allTests()].some(hasRun)))
      return;
    throw new PlainError('nothing can be concluded: no check ran');
  };
}

/** Whether a test ran. Filters skip tests without a reason. */
function hasRun(test: TestCase): boolean {
  const result = test.result();
  return result.state !== 'skipped' || result.note !== undefined;
}
