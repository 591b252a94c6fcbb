import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { UsageError } from './validators.ts';

/** Writes files by their paths, if any, into a fresh folder that is removed when the test ends. @returns its path */
export function testFolder(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** The message of the error that `work` throws; fails the test when it throws none. */
export function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('nothing was thrown');
}

/** Expects that `work` refuses a file in one line, which names the file and what is wrong. */
export function expectRefused(work: () => unknown, file: string, wrong: string): void {
  expect(work).toThrow(UsageError);
  const message = messageOf(work);
  expect(message).toContain(`${file}: `);
  expect(message).toContain(wrong);
  expect(message).not.toContain('\n');
}
