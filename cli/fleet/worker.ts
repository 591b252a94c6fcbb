import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { ExitCode } from '../../compare/fleet/document.ts';
import { type TargetShare, targetShareOf } from '../../compare/fleet/tally.ts';
import { indexBeside, readRun } from '../../compare/side.ts';
import type { RunResult } from '../../engine/result.ts';
import { keepTerminal } from '../run/reporters.ts';
import { runCommand } from '../run/run-targets.ts';
import { explainError } from '../shell/errors.ts';
import { hideSecrets } from '../shell/hide-secrets.ts';
import { FolderBusy } from '../shell/lock-folder.ts';
import { BEFORE_IT_BEGAN, type FleetJob, lostShare, shareWithout } from './share.ts';

let busy = false;

// Handled here too: a signal may come before a run listens. An idle process ends with its fleet.
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
process.on('disconnect', () => {
  if (busy) process.kill(process.pid, 'SIGINT');
  else process.exit();
});
process.on('message', (job: FleetJob) => void work(job));

async function work(job: FleetJob): Promise<void> {
  busy = true;
  const share = await check(job);
  busy = false;
  if (process.connected) process.send?.(share);
  else process.exit();
}

async function check(job: FleetJob): Promise<TargetShare> {
  const { settings, file, name, folder } = job;
  const headers = [settings, file, file.targets?.[name]].flatMap((one) => one?.header ?? []);
  const hide = hideSecrets(headers.map((header) => `--header=${header}`));
  const captured = capture();
  // Saves on exit too: a run that is interrupted twice exits at once.
  const save = (): void => keepTerminal(folder, captured.text());
  process.once('exit', save);
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1000;
  try {
    const given = { ...settings, target: name, out: folder };
    const results: RunResult[] = [];
    const finished = (result: RunResult): unknown => results.push(result);
    const code = await runCommand(given, hide, { file, finished, signal: stopping.signal });
    const hasNone = results.length === 0 && stopping.signal.aborted;
    if (hasNone) return await lostShare(job, 3, BEFORE_IT_BEGAN, seconds());
    return shareIn(job, results[0], EXIT_CODES.find((one) => one === code) ?? 4, seconds());
  } catch (error) {
    const { code, line, details } = explainError(error, hide);
    captured.add(`site-conformance: ${details ?? line}\n`);
    if (error instanceof FolderBusy) return shareWithout(job, code, line, seconds());
    try {
      return shareIn(job, undefined, code, seconds());
    } catch {
      return shareWithout(job, code, line, seconds());
    }
  } finally {
    captured.end();
    process.off('exit', save);
    save();
  }
}

const EXIT_CODES = [0, 1, 2, 3] as const;
/** Enough for all findings of a run, whose output is bounded anyway. */
const MOST_CHARACTERS = 2_000_000;

/** Captures the output of this process; `text` has both streams in the order of writing. */
function capture(): { add(text: string): void; text(): string; end(): void } {
  const chunks: string[] = [];
  let size = 0;
  const add = (text: string): void => {
    if (size <= MOST_CHARACTERS) chunks.push(text);
    size += text.length;
  };
  const names = ['stdout', 'stderr'] as const;
  const earlier = names.map((name) => Object.getOwnPropertyDescriptor(process, name));
  for (const name of names) {
    const value = new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        add(String(chunk));
        done();
      },
    });
    Object.defineProperty(process, name, { value, configurable: true });
  }
  return {
    add,
    text: () => chunks.join(''),
    end() {
      for (const [at, name] of names.entries()) {
        const before = earlier[at];
        if (before !== undefined) Object.defineProperty(process, name, before);
      }
    },
  };
}

/** The share of a target in its fleet. @param result default: that in its folder, such as of a failed run */
function shareIn(
  { name, folder }: FleetJob,
  result: RunResult | undefined,
  exitCode: ExitCode,
  seconds: number,
): TargetShare {
  const run = result ?? readRun(folder);
  const namespaces = namesIn(indexBeside(join(folder, 'results.json'))?.namespaces);
  return targetShareOf(run, { name, folder: name, exitCode, seconds, namespaces });
}

/** Sites have some ten namespaces, so more do not identify the software. */
const MOST_NAMESPACES = 200;
const LONGEST = 200;

function namesIn(namespaces: unknown): string[] | undefined {
  if (!Array.isArray(namespaces)) return undefined;
  const names = namespaces.filter((one) => typeof one === 'string').slice(0, MOST_NAMESPACES);
  return names.map((one) => one.slice(0, LONGEST));
}
