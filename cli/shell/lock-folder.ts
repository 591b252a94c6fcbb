import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../client/json.ts';
import { codeOf } from '../../client/target-error.ts';
import { UsageError } from '../../specs/validators.ts';

const NAME = '.site-conformance.lock';
const LARGEST = 1000;

/** Another run writes into the folder, so it must not be touched. */
export class FolderBusy extends UsageError {
  override readonly name = 'FolderBusy';
}

/**
 * Locks a folder for reports against other runs, until it is disposed of or the process ends. Locks of dead processes do
 * not count.
 * @throws FolderBusy with the holder and what to do; the error of the file system if no file can be created there
 */
export function lockFolder(folder: string): Disposable {
  const path = join(folder, NAME);
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), started: new Date().toISOString() });
  if (!made(path, mine)) {
    takeFromTheDead(path);
    if (!made(path, mine)) throw busy(path);
  }
  const release = (): void => {
    process.off('exit', release);
    if (textOf(path) === mine) rmSync(path, { force: true });
  };
  process.once('exit', release);
  return { [Symbol.dispose]: release };
}

function made(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    rmSync(path, { force: true });
    throw error;
  }
}

/** Renames the file first, so that of two processes only one takes over the lock. */
function takeFromTheDead(path: string): void {
  const text = textOf(path);
  const holder = holderOf(text);
  if (text === undefined) return;
  const here = holder?.host === hostname();
  // A lock with our own process number is from an earlier process, because we lock no folder twice.
  const dead = here && (holder.pid === process.pid || !isAlive(holder.pid));
  if (!dead) throw busy(path);
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (textOf(aside) === text) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

function busy(path: string): FolderBusy {
  const holder = holderOf(textOf(path));
  const who =
    holder === undefined
      ? 'another run'
      : `the run of process ${holder.pid} on ${holder.host}, started ${holder.started},`;
  return new FolderBusy(
    `${who} writes its reports there: wait for it, or name another folder with --out; if it is long gone, remove ${path}`,
  );
}

function textOf(path: string): string | undefined {
  try {
    const about = statSync(path);
    return about.isFile() && about.size <= LARGEST ? readFileSync(path, 'utf8') : '';
  } catch {
    return undefined;
  }
}

function holderOf(text: string | undefined): { pid: number; host: string; started: string } | undefined {
  try {
    const { pid, host, started }: JsonObject = JSON.parse(text ?? '');
    return typeof pid === 'number' ? { pid, host: String(host), started: String(started) } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process is running on this machine, also for another user. A killed one keeps its number until its parent asks. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(textOf(`/proc/${pid}/stat`) ?? '');
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
