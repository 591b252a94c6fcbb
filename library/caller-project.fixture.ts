import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallerEnd, runNode } from '../cli/spawn-main.fixture.ts';
import { testFolder } from '../specs/folder.fixture.ts';

const ROOT = join(import.meta.dirname, '..');

/** A project with this checkout and its vitest installed. */
export function callerProject(files: Readonly<Record<string, string>>): string {
  const folder = testFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/site-conformance'));
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs `vitest run` in such a project. */
export function runVitest(folder: string, ...args: string[]): Promise<CallerEnd> {
  return runNode(folder, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...args]);
}
