import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { testFolder } from '../specs/folder.fixture.ts';
import { main } from './main.ts';

/** The exit code and output of the command line, and the files in its initially empty folder. */
export interface TriedMain {
  readonly code: number;
  readonly stdout: string;
  /** The lines on standard error. */
  readonly lines: readonly string[];
  readonly left: readonly string[];
}

/** The options that name a reference deployment of `core` as the target. */
export function targetOf({ url, user }: { readonly url: string; readonly user: string }): string[] {
  return ['--target', url, '--user', user, '--deployment', 'core', '--vocabulary', 'neutral'];
}

/** Runs `run` in this process with a new folder for reports; for input that ends before the first check. */
export async function tryRun(...args: string[]): Promise<TriedMain> {
  const folder = testFolder();
  const trial = await tryMain('run', '--out', join(folder, 'deep', 'out'), ...args);
  return { ...trial, left: existsSync(folder) ? readdirSync(folder) : [] };
}

/** Runs the command line in this process and captures its output. */
export function tryMain(...args: string[]): Promise<Omit<TriedMain, 'left'>> {
  return tried(() => main(args));
}

async function tried(run: () => Promise<number>): Promise<Omit<TriedMain, 'left'>> {
  let stdout = '';
  let stderr = '';
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  try {
    const code = await run();
    return { code, stdout, lines: stderr === '' ? [] : stderr.replace(/\n$/, '').split('\n') };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}
