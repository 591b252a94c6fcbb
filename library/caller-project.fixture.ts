import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../cli/try-main.fixture.ts';

const ROOT = join(import.meta.dirname, '..');

/** How a program in the project of a caller ended. */
export interface CallerEnd {
  readonly code: unknown;
  readonly text: string;
}

/** A project of somebody else that has this checkout and its vitest installed. */
export function callerProject(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/site-conformance'));
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs Node in such a project. */
export async function runNode(folder: string, ...args: string[]): Promise<CallerEnd> {
  // The vitest that runs this test tells its own workers who they are, and with what colours they write.
  const env = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|FORCE_COLOR$)/.test(name));
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...Object.fromEntries(env), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
  }
  const [code] = await once(child, 'close');
  return { code, text };
}

/** Runs `vitest run` in such a project. */
export function runVitest(folder: string, ...args: string[]): Promise<CallerEnd> {
  return runNode(folder, join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...args);
}
