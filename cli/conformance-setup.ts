import type { TestProject } from 'vitest/node';

/**
 * Prepares the project `conformance` of vitest, unless the command line has done so.
 * @returns what takes down whatever was started; vitest calls it at the end
 * @throws Error with one line when nothing can be checked
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const provided: Partial<ReturnType<TestProject['getProvidedContext']>> = project.getProvidedContext();
  if (provided.conformance !== undefined) return undefined;
  // Loaded only here: the command line has all of it in its own process.
  const { beginVitestRun } = await import('./vitest-run.ts');
  return beginVitestRun(project);
}
