import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { testFolder } from '../specs/folder.fixture.ts';
import { main } from './main.ts';

/** How the command line ended, what it printed, and what it left in a folder that was empty before. */
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

/** Runs `run` in this process with a fresh folder for reports; for input that ends before any check starts. */
export async function tryRun(...args: string[]): Promise<TriedMain> {
  const folder = testFolder();
  const trial = await tryMain('run', '--out', join(folder, 'deep', 'out'), ...args);
  return { ...trial, left: existsSync(folder) ? readdirSync(folder) : [] };
}

/** Runs the command line in this process and keeps what it prints. */
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
