import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { Check } from '../engine/check.ts';
import type { Mutant } from '../sites/alterations/alteration.ts';
import { serve } from '../sites/reference/serve.ts';
import type { Alter, Behaviour } from '../sites/reference/site.ts';
import { loadContract } from '../specs/contract.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { allChecks } from '../suites/all-checks.ts';
import { runInProcess } from '../suites/run-checks.ts';
import { projectFiles, ROOT, readText } from './project-files.ts';

/** The files in a document: code blocks that begin with a path. */
function filesIn(document: string): Map<string, string> {
  const blocks = readText(document).matchAll(/^( *)```ts\n\1\/\/ (\S+)\n(.*?)^\1```/gms);
  return new Map(
    [...blocks].map(([, indent = '', path = '', code = '']) => [path, code.replaceAll(`\n${indent}`, '\n')]),
  );
}

/** Writes the files elsewhere, with imports of the project, and loads one of them. */
async function load(files: ReadonlyMap<string, string>, path: string): Promise<Record<string, unknown>> {
  const folder = testFolder();
  for (const [name, code] of files) {
    const known = new Set(projectFiles());
    const text = code.replaceAll(/from '(\.[^']+)'/g, (whole, spec: string) => {
      const target = posix.join(posix.dirname(name), spec);
      return known.has(target) ? `from '${join(ROOT, target)}'` : whole;
    });
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href);
}

it('the check and the mutant that CONTRIBUTING builds prove each other', async () => {
  const files = filesIn('CONTRIBUTING.md');
  const { titleChecks } = await load(files, 'suites/index/title-checks.ts');
  const { titleMutants } = await load(files, 'sites/alterations/mutants/title-mutants.ts');
  if (typeof titleChecks !== 'function' || typeof titleMutants !== 'function')
    throw new Error('nothing is exported');
  const checks: Check[] = titleChecks();
  const [mutant]: Mutant[] = titleMutants();
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });

  const verdicts = async (behaviour: Partial<Behaviour> | Alter): Promise<Record<string, string>> => {
    const site = await serve({ deployment: 'core', behaviour });
    onTestFinished(() => site.close());
    const all = [...allChecks(contract).filter(({ id }) => id.startsWith('index/name/')), ...checks];
    const { results } = await runInProcess({ url: site.url, contract, checks: all, mode: 'read' });
    return Object.fromEntries([...results].map(([id, { verdict }]) => [id, verdict]));
  };

  expect(Object.values(await verdicts({})).filter((verdict) => verdict !== 'pass')).toEqual([]);
  expect(await verdicts(mutant?.behaviour ?? {})).toMatchObject({ 'index/name/not-empty': 'fail' });
  expect(mutant?.id).toBe(`${checks[0]?.id}~empty`);
});
