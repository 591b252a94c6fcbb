import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';

interface EndedProcess {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the command line, ended with the test at the latest. */
export interface Spawned {
  readonly child: ChildProcess;
  readonly ended: Promise<EndedProcess>;
  shows(text: string): Promise<string>;
}

/** The output of a process, which grows until it ends. */
export function outputOf(child: { readonly stdout: Readable; readonly stderr: Readable }): {
  stdout: string;
  stderr: string;
} {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return output;
}

/** Starts the command line as a user does. @param env is added to the environment */
export function spawnMain(args: readonly string[], env: Readonly<Record<string, string>> = {}): Spawned {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = outputOf(child);
  const ended = once(child, 'close').then(
    ([code]): EndedProcess => ({ code: typeof code === 'number' ? code : -1, ...output }),
  );
  return {
    child,
    ended,
    async shows(text) {
      while (!output.stdout.includes(text))
        await Promise.race([once(child.stdout, 'data'), failOn(ended, text)]);
      return output.stdout;
    },
  };
}

async function failOn(ended: Promise<EndedProcess>, text: string): Promise<never> {
  const { code, stderr } = await ended;
  throw new Error(`ended with ${code} before it showed "${text}": ${stderr}`);
}

/** How a program in a project ended, and all that it printed. */
export interface CallerEnd {
  readonly code: unknown;
  readonly text: string;
}

/** Runs Node in a folder, without the variables of vitest. @param settings added to the environment */
export async function runNode(
  folder: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CallerEnd> {
  // vitest passes its worker ids and colours to child processes.
  const env = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|FORCE_COLOR$)/.test(name));
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...Object.fromEntries(env), ...settings, NO_COLOR: '1' },
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
