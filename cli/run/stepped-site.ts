import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redactor } from '../../client/redact.ts';
import { TargetError } from '../../client/target-error.ts';
import { askFor, type Blamed, type SiteReading } from '../../compare/blame/ask.ts';
import type { BlameDocument, ReadingExtent } from '../../compare/blame/document.ts';
import { moveTo, type Steps } from '../../compare/blame/search.ts';
import { readSide } from '../../compare/side.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import type { RunSettings } from '../options.ts';
import { runCommand } from './run-targets.ts';

/** A command of the user, run by the shell. */
export interface NamedCommand {
  readonly name: string;
  readonly command: string;
}

interface BlameSite {
  readonly reset: NamedCommand;
  readonly steps: readonly NamedCommand[];
  readonly timeouts: { readonly command: number; readonly site: number };
  readonly config: RunConfig;
  readonly settings: RunSettings;
  readonly hide: Redactor;
  readonly signal: AbortSignal;
  readonly spent: BlameDocument['spent'];
}

/** A command of the user that failed. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
  readonly step: string;

  constructor(step: string, message: string) {
    super(message);
    this.step = step;
  }
}

const LONGEST_LINE = 200;
const EVERY_MS = 500;

/** A site that commands of the user change. */
export class SteppedSite {
  readonly #site: BlameSite;
  #now: Steps | undefined;

  constructor(site: BlameSite) {
    this.#site = site;
  }

  get has(): readonly string[] | undefined {
    return this.#now?.flatMap((at) => this.#site.steps[at]?.name ?? []);
  }

  /** Applies exactly some steps. @throws CommandFailed; the site is then reset before anything else */
  async go(wanted: Steps, again: boolean = false): Promise<void> {
    const { reset, steps } = moveTo(again ? undefined : this.#now, wanted);
    const from = this.#now ?? [];
    this.#now = undefined;
    const { signal, spent } = this.#site;
    if (reset) {
      spent.resets += 1;
      signal.throwIfAborted();
      await this.#run(this.#site.reset, '--reset');
    }
    for (const at of steps) {
      signal.throwIfAborted();
      const step = this.#site.steps[at];
      if (step === undefined) throw new Error(`there is no step ${at}`);
      spent.steps += 1;
      await this.#run(step, `step "${step.name}"`);
    }
    this.#now = reset ? steps : [...from, ...steps];
  }

  /** Resets the site, also after an interruption. @throws CommandFailed if the reset fails */
  async leave(): Promise<void> {
    this.#now = undefined;
    this.#site.spent.resets += 1;
    await this.#run(this.#site.reset, '--reset');
    this.#now = [];
  }

  async #run({ name, command }: NamedCommand, label: string): Promise<void> {
    const { hide, timeouts } = this.#site;
    const problem = await runShell(command, timeouts.command);
    if (problem !== undefined) throw new CommandFailed(name, hide(`${label} ${problem}`));
  }

  /** Reads the current site, once it answers. @throws TargetError if it does not answer in time */
  async read(extent: ReadingExtent, blamed: readonly Blamed[]): Promise<SiteReading> {
    const { spent, timeouts } = this.#site;
    const deadline = Date.now() + timeouts.site * 1000;
    for (;;) {
      try {
        const reading = await this.#readNow(extent, blamed);
        spent.requests += reading.requests;
        return reading;
      } catch (error) {
        if (!(error instanceof TargetError) || Date.now() >= deadline) throw error;
        spent.requests += 1;
        await sleep(EVERY_MS);
      }
    }
  }

  async #readNow(extent: ReadingExtent, blamed: readonly Blamed[]): Promise<SiteReading> {
    const checks = blamed.flatMap(({ changes }) =>
      changes.filter(({ kind }) => kind.startsWith('check-')).map(({ place }) => place),
    );
    if (extent === 'everything') return this.#runOnly({});
    if (extent === 'routes') return this.#runOnly({ only: [...checks, ...routesOf(blamed)], tour: 'full' });
    const asked = await askFor(blamed, this.#site.config);
    if (checks.length === 0) return asked;
    const run = await this.#runOnly({ only: checks });
    return { ...asked, side: run.side, requests: asked.requests + run.requests };
  }

  async #runOnly(narrowed: Pick<RunSettings, 'only' | 'tour'>): Promise<SiteReading> {
    const { settings, hide, signal } = this.#site;
    using out = temporaryFolder('blame');
    const given = { ...settings, ...narrowed, reporter: [], out: out.path };
    await runCommand(given, hide, { prints: 'nothing', signal });
    signal.throwIfAborted();
    const side = readSide(out.path);
    return { side, requests: side.run?.run.requests ?? 0 };
  }
}

function routesOf(blamed: readonly Blamed[]): string[] {
  const routes = blamed.flatMap(({ changes }) => changes.flatMap(({ calls }) => calls?.route ?? []));
  return [...new Set(routes.map((route) => route.split('/{')[0] ?? route))];
}

/** Runs a command in the shell, in a process group that a Ctrl-C does not end. @returns why it failed */
async function runShell(command: string, seconds: number): Promise<string | undefined> {
  // A file instead of a pipe, because a server that a command starts keeps writing after the command has ended.
  using folder = temporaryFolder('step');
  const printed = join(folder.path, 'output.txt');
  const output = openSync(printed, 'w+');
  try {
    const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', output, output] });
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, seconds * 1000);
    const ended = await new Promise<string | undefined>((resolve) => {
      child.once('error', (error) => resolve(`cannot be run (${error.message})`));
      child.once('exit', (code, signal) => {
        resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`);
      });
    }).finally(() => clearTimeout(timer));
    if (isOver) return `did not end within ${seconds} seconds`;
    if (ended === undefined) return undefined;
    const last = readFileSync(printed, 'utf8').trim().split('\n').at(-1)?.trim() ?? '';
    return last === '' ? ended : `${ended}: ${last.slice(0, LONGEST_LINE)}`;
  } finally {
    closeSync(output);
  }
}
