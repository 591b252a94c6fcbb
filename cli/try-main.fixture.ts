import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { RunResult } from '../engine/result.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { main } from './main.ts';

/** The exit code and output of the command line, and the files in its initially empty folder. */
export interface TriedMain {
  readonly code: number;
  readonly stdout: string;
  readonly lines: readonly string[];
  readonly left: readonly string[];
}

/** What a wrong command line leads to: exit code 2 and one line, with a text. */
export function refusal(text: string | RegExp): object {
  const line = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);
  return { code: 2, lines: [line] };
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

/** Runs the command line as the user of a site. */
export function tryMainAs(
  { password }: { readonly password: string },
  ...args: string[]
): ReturnType<typeof tryMain> {
  vi.stubEnv('SITE_CONFORMANCE_PASSWORD', password);
  return tryMain(...args).finally(() => vi.unstubAllEnvs());
}

/** The result that a run has left in its folder. */
export function resultIn(...folder: string[]): RunResult {
  return JSON.parse(readFileSync(join(...folder, 'results.json'), 'utf8'));
}

/** Writes a file into a folder of its own. @returns its path */
export function testFile(name: string, content: unknown): string {
  return join(testFolder({ [name]: content }), name);
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
