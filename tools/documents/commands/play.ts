import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { answerCall } from './answer-call.ts';
import { readCall } from './read-call.ts';
import type { Ended } from './run-main.ts';

/** A script, and where it runs. */
export interface Script {
  readonly text: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** What commands with such a text print when it is time for Ctrl-C. */
  readonly until: Readonly<Record<string, string>>;
}

/** What came of a script: each of its calls, and what the shell itself printed. */
export interface Played {
  readonly calls: readonly (Ended & { readonly command: string })[];
  readonly code: number | null;
  readonly stderr: string;
}

const PRELUDE = join(import.meta.dirname, 'prelude.sh');

/** Has the shell run a script whose programs are this process. */
async function play({ text, folder, env, until }: Script): Promise<Played> {
  const script = `source '${PRELUDE}'\n${text}`;
  const child = spawn('bash', ['--noprofile', '--norc', '-c', script], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const calls: Played['calls'][number][] = [];
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  let told = '';
  const ends = child.stdio[3] as Duplex;
  ends.setEncoding('utf8').on('data', async (chunk: string) => {
    told += chunk;
    const call = readCall(told);
    if (call === undefined) return;
    told = '';
    const command = call.words.join(' ');
    const stop = Object.entries(until).find(([part]) => command.includes(part))?.[1];
    const ended = await answerCall({ ...call, env: { ...env, ...call.env } }, stop);
    calls.push({ command, ...ended });
    ends.write([ended.code, keep(ended.stdout), keep(ended.stderr)].join('\t').concat('\n'));
  });
  const [code] = await once(child, 'close');
  return { calls, code, stderr };
}

/** The path of a new file with a text. */
function keep(text: string): string {
  const path = join(mkdtempSync(join(SCRATCH, 'call-')), 'text');
  writeFileSync(path, text);
  return path;
}

// A thread of the test runner cannot change its folder: a process of its own plays one script after the other.
const SCRATCH = process.env.PLAY_SCRATCH ?? tmpdir();
process.on('message', async (script: Script) => {
  process.send?.(await play(script));
});
process.on('disconnect', () => process.exit());
