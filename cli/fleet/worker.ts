import type { RunResult } from '../../engine/result.ts';
import { runCommand } from '../commands/run.ts';
import { explain } from '../errors.ts';
import { hideSecrets } from '../hide-secrets.ts';
import { FolderBusy } from '../lock-folder.ts';
import { keepTerminal } from '../made-reports.ts';
import { capture } from './capture.ts';
import { type FleetAnswer, type FleetJob, shareIn, shareWithout } from './share.ts';

let busy = false;

// A signal ends the run under way, which listens itself; a process that waits for work ends with its fleet.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => {
  if (busy) process.kill(process.pid, 'SIGINT');
  else process.exit();
});
process.on('message', (job: FleetJob) => void work(job));

/** Checks one target as the command `run` does, and answers with what it adds to the fleet. */
async function work(job: FleetJob): Promise<void> {
  busy = true;
  const answer: FleetAnswer = { share: await check(job) };
  busy = false;
  if (process.connected) process.send?.(answer);
  else process.exit();
}

async function check(job: FleetJob): Promise<FleetAnswer['share']> {
  const { settings, file, name, folder } = job;
  const headers = [settings, file, file.targets?.[name]].flatMap((one) => one?.header ?? []);
  const hide = hideSecrets(
    headers.map((header) => `--header=${header}`),
    process.env,
  );
  const captured = capture();
  // A run that is interrupted twice leaves at once.
  const save = (): void => keepTerminal(folder, captured.text());
  process.once('exit', save);
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1000;
  try {
    const given = { ...settings, target: name, out: folder };
    let result: RunResult | undefined;
    const finished = (one: RunResult): void => {
      result = one;
    };
    const code = await runCommand(given, hide, { file, finished });
    return shareIn(job, result, exitCodeOf(code), seconds());
  } catch (error) {
    const { code, line, details } = explain(error, hide);
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

function exitCodeOf(code: number): 0 | 1 | 2 | 3 | 4 {
  return code === 0 || code === 1 || code === 2 || code === 3 ? code : 4;
}
