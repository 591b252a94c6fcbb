import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** How a process of the command line ended, and what it printed. */
export interface EndedProcess {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the command line, ended with the test at the latest. */
export interface Spawned {
  readonly child: ChildProcess;
  readonly ended: Promise<EndedProcess>;
  /** Resolves with all of standard output so far as soon as it holds a text. */
  shows(text: string): Promise<string>;
}

/** Starts the command line as a user does. @param env is added to the environment */
export function spawnMain(args: readonly string[], env: Readonly<Record<string, string>> = {}): Spawned {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(
    ([code]): EndedProcess => ({ code: typeof code === 'number' ? code : -1, stdout, stderr }),
  );
  return {
    child,
    ended,
    async shows(text) {
      while (!stdout.includes(text)) await Promise.race([once(child.stdout, 'data'), failOn(ended, text)]);
      return stdout;
    },
  };
}

async function failOn(ended: Promise<EndedProcess>, text: string): Promise<never> {
  const { code, stderr } = await ended;
  throw new Error(`ended with ${code} before it showed "${text}": ${stderr}`);
}
