import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { commandLine, main } from '../../../cli/main.ts';
import { messageOf } from '../../../engine/text.ts';
import { ROOT } from '../../../tests/project-files.ts';
import { notRunFor } from './pages.fixture.ts';

interface Call {
  readonly folder: string;
  /** The suite's settings in its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

/** Reads a call from `prelude.sh`: texts that end with NUL, with their number before each list. */
function readCall(sent: string): Call | undefined {
  const fields = sent.split('\0').slice(0, -1);
  const settings = Number(fields[1]);
  const words = Number(fields[2 + settings]);
  if (!(fields.length >= 3 + settings + words)) return undefined;
  const env = fields.slice(2, 2 + settings).map((one): [string, string] => {
    const at = one.indexOf('=');
    return [one.slice(0, at), one.slice(at + 1)];
  });
  return {
    folder: fields[0] ?? '',
    env: Object.fromEntries(env),
    words: fields.slice(3 + settings, 3 + settings + words),
  };
}

/** Programs of the project that list their options with `--help`. */
const HELPFUL: Readonly<Record<string, string>> = {
  bench: 'tools/bench/run-benchmarks.ts',
  hostile: 'prove/hostile.ts',
  mutants: 'prove/mutants.ts',
  wordpress: 'tools/wordpress.ts',
};

/** Runs a command of a document, or checks that its options, files and scripts exist. */
async function answerCall(call: Call, until: string | undefined): Promise<Ended> {
  const { words, folder, env } = call;
  const reason = notRunFor(words);
  const own = reason === undefined || words[0] === 'podman' ? ownArguments(words) : undefined;
  try {
    if (own !== undefined) return await runMain(own, { folder, env, until });
    if (reason === undefined) throw new Error(`nothing is known of this command: ${words.join(' ')}`);
    await checkCall(words, folder);
    return { code: 0, stdout: '', stderr: '' };
  } catch (error) {
    return { code: 125, stdout: '', stderr: messageOf(error) };
  }
}

/** The arguments for the command line of the suite; undefined for another program. */
function ownArguments(words: readonly string[]): readonly string[] | undefined {
  const [program, first] = words;
  const rest = words.slice(1);
  if (program === 'site-conformance') return rest;
  if (program === 'npx' && first === 'site-conformance') return rest.slice(1);
  if (program === 'npm' && first === 'start') return rest[1] === '--' ? rest.slice(2) : rest.slice(1);
  if (program === 'podman' && first === 'run') return rest.slice(rest.indexOf('site-conformance') + 1);
  return undefined;
}

/** @throws Error if a command that is not run names something that does not exist */
async function checkCall(words: readonly string[], folder: string): Promise<void> {
  const [program, action = '', name = ''] = words;
  const missing = words
    .filter((word, at) => /\.(?:json|md|ts)$|^\.ci\//.test(word) && !/^--?o/.test(words[at - 1] ?? ''))
    .filter((word) => !existsSync(join(folder, word)) && !existsSync(join(ROOT, word)));
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`);
  const own = ownArguments(words);
  if (own !== undefined) return parseOnly(own);
  if (program === 'npx' && action === 'vitest') return checkVitest(words);
  if (program !== 'npm' || (action !== 'run' && action !== 'test')) return;
  const script = action === 'test' ? 'test' : name;
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  if (!Object.hasOwn(scripts, script)) throw new Error(`package.json has no script "${script}"`);
  const split = words.indexOf('--');
  const args = split === -1 ? [] : words.slice(split + 1);
  const nested = args.indexOf('--');
  if (nested !== -1) await checkCall(args.splice(nested).slice(1), folder);
  const options = args.filter((arg) => arg.startsWith('--'));
  const file = HELPFUL[script];
  if (options.length === 0) return;
  const help =
    file === undefined
      ? ''
      : execFileSync(process.execPath, [join(ROOT, file), '--help'], { encoding: 'utf8' });
  const unknown = options.filter((option) => !new RegExp(`^ +${option}\\b`, 'm').test(help));
  if (unknown.length > 0) throw new Error(`${script} knows no ${unknown.join(', ')}`);
}

async function parseOnly(args: readonly string[]): Promise<void> {
  const { program } = await commandLine((text) => text);
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) {
    command.action(() => undefined).exitOverride();
  }
  await program.parseAsync([...args], { from: 'user' });
}

function checkVitest(words: readonly string[]): void {
  const project = words[words.indexOf('--project') + 1] ?? '';
  if (!['unit', 'whole', 'browser', 'conformance'].includes(project)) {
    throw new Error(`vitest.config.ts has no project "${project}"`);
  }
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The output that triggers Ctrl-C for a command that does not end by itself. */
  readonly until: string | undefined;
}

/** One operation is enough to see that a run works. */
const NARROW = ['--only', 'posts.list/per_page/**', '--tour', 'none'];
/** Options that select checks themselves. */
const DECIDES = /^--(?:only|certify|replay|rerun)(?:=|$)/;

async function runMain(args: readonly string[], { folder, env, until }: Place): Promise<Ended> {
  const before = { folder: process.cwd(), env: { ...process.env } };
  const texts = { stdout: '', stderr: '' };
  const streams = ['stdout', 'stderr'] as const;
  const writes = streams.map((name) => process[name].write);
  let isDone = false;
  for (const name of streams) {
    process[name].write = (text: string | Uint8Array): boolean => {
      texts[name] += String(text);
      if (until !== undefined && !isDone && texts.stdout.includes(until)) {
        isDone = true;
        setImmediate(() => process.emit('SIGINT'));
      }
      return true;
    };
  }
  try {
    process.chdir(folder);
    Object.assign(process.env, env);
    const code = await main(narrowed(args));
    return { code, ...texts };
  } finally {
    process.chdir(before.folder);
    for (const name of Object.keys(process.env)) if (!(name in before.env)) delete process.env[name];
    Object.assign(process.env, before.env);
    for (const [at, name] of streams.entries()) {
      const write = writes[at];
      if (write !== undefined) process[name].write = write;
    }
  }
}

/** Narrows a run to one operation, unless its arguments select checks, and two sites to few sets of arguments. */
function narrowed(args: readonly string[]): readonly string[] {
  if (args[0] === 'twin' && !args.includes('--examples')) return [...args, '--examples', '1'];
  const isRun =
    args[0] === undefined || args[0] === 'run' || args[0].startsWith('-') || args[0].includes('://');
  return isRun && !args.includes('--help') && !args.some((arg) => DECIDES.test(arg))
    ? [...args, ...NARROW]
    : args;
}

/** A script with its folder. */
export interface Script {
  readonly text: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** For commands with such a text, the output that triggers Ctrl-C. */
  readonly until: Readonly<Record<string, string>>;
}

/** The calls of a script, and the output of the shell. */
export interface Played {
  readonly calls: readonly (Ended & { readonly command: string })[];
  readonly code: number | null;
  readonly stderr: string;
}

const PRELUDE = join(import.meta.dirname, 'prelude.sh');

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
  let sent = '';
  const ends = child.stdio[3] as Duplex;
  ends.setEncoding('utf8').on('data', async (chunk: string) => {
    sent += chunk;
    const call = readCall(sent);
    if (call === undefined) return;
    sent = '';
    const command = call.words.join(' ');
    const stop = Object.entries(until).find(([part]) => command.includes(part))?.[1];
    const ended = await answerCall({ ...call, env: { ...env, ...call.env } }, stop);
    calls.push({ command, ...ended });
    ends.write([ended.code, keep(ended.stdout), keep(ended.stderr)].join('\t').concat('\n'));
  });
  const [code] = await once(child, 'close');
  return { calls, code, stderr };
}

function keep(text: string): string {
  const path = join(mkdtempSync(join(SCRATCH, 'call-')), 'text');
  writeFileSync(path, text);
  return path;
}

// A thread of the test runner cannot change its folder, so a separate process plays the scripts one by one.
const SCRATCH = process.env.PLAY_SCRATCH ?? tmpdir();
process.on('message', async (script: Script) => {
  process.send?.(await play(script));
});
process.on('disconnect', () => process.exit());
