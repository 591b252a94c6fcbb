/** The beginnings of commands that are read but not run, each with the reason. `*` stands for any word. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci': 'installs from a registry; .ci/run begins with it',
  'npm install': 'installs from a registry; npm run package:try installs the package',
  'npm test': 'would run itself; .ci/run runs it',
  'npm run': 'a program for those who work on the project; .ci/run runs what must hold',
  'npx openapi-typescript': 'a program of others, which is not installed',
  'npx @redocly/cli': 'a program of others, which is not installed',
  'npx vitest': 'cli/run/vitest-run.whole.test.ts runs the project with vitest',
  'st run': 'a program of others; npm run bench schemathesis runs it',
  'gh pr': 'writes to GitHub; tools/ci/workflows.whole.test.ts runs it with a stand-in',
  'podman build': 'needs a builder; tools/ci/container.whole.test.ts takes its steps',
  'podman run': 'needs a builder; what it runs in the container is run here',
  'openssl *': 'need not be installed; the page makes the same keys with Node, which is run',
  'bash .ci/run': 'runs everything that must hold, this test too',
  'node prove/hostile.ts': 'goes on until it is interrupted; npm run hostile starts each server',
  'npm start -- clean': 'needs a run that died; cli/run/interrupted.whole.test.ts runs it after one',
  'site-conformance clean': 'needs a run that died; cli/run/interrupted.whole.test.ts runs it after one',
};

const BEGINNINGS = Object.entries(NOT_RUN).map(([words, reason]) => ({ words: words.split(' '), reason }));

/** Why a command is not run; undefined for one that is. */
export function notRunFor(words: readonly string[]): string | undefined {
  return BEGINNINGS.find((one) => one.words.every((word, at) => word === '*' || word === words[at]))?.reason;
}
