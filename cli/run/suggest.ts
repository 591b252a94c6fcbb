import { join, relative, resolve, sep } from 'node:path';
import { isLoopback, showBase } from '../../client/address.ts';
import { shellQuote } from '../../client/curl-line.ts';
import type { JournalHead, Reached } from '../../client/journal.ts';
import { PROFILES } from '../../engine/fuzz-options.ts';
import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';
import { present } from '../../engine/text.ts';
import { isBuiltIn } from '../../specs/deployment.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import { DEFAULT_OUT } from './configure.ts';

const ROOT: string = join(import.meta.dirname, '..', '..');

/**
 * One line for a shell that runs a command of ours from where the caller is. No secret is in it: the password comes from the
 * variable that the run read, and the value of a header from `SECRET`, as in the lines of curl.
 */
function commandLine(
  [command = '', ...args]: readonly string[],
  reached: Reached,
  words: readonly string[] = program(),
): string {
  const { insecure = false, headers = [], passwordFrom = PASSWORD_VARIABLE } = reached;
  return present([
    passwordFrom !== PASSWORD_VARIABLE && `${PASSWORD_VARIABLE}="$${passwordFrom}"`,
    ...[...words, command].map(shellQuote),
    ...headers.map((name) => `--header ${shellQuote(`${name}: `)}"$SECRET"`),
    insecure && '--insecure',
    ...args.map(shellQuote),
  ]).join(' ');
}

/** What a command that goes to the same target must be given beside its address and user. */
export function reachedOf({
  insecure,
  headers,
  user,
  passwordFrom,
}: Pick<RunConfig, 'insecure' | 'headers' | 'user' | 'passwordFrom'>): Reached {
  return {
    insecure: insecure === true,
    headers: Object.keys(headers),
    ...(user !== undefined && { passwordFrom }),
  };
}

const here = (): string => process.env.INIT_CWD ?? process.cwd();

/** The program as a caller starts it from where they are. */
function program(): string[] {
  if (ROOT.split(sep).includes('node_modules')) return ['npx', 'site-conformance'];
  return relative(ROOT, here()) === '' ? ['npm', 'start', '--'] : programAnywhere(ROOT);
}

/**
 * The program from any folder: a checkout is run through npm, which brings the right Node, an installed package by its file.
 * @param root where its code lies
 */
export function programAnywhere(root: string): string[] {
  return root.split(sep).includes('node_modules')
    ? ['node', join(root, 'cli/site-conformance.js')]
    : ['npm', '--prefix', root, 'start', '--'];
}

/** The command that removes what a run has left, by its journal below a folder for reports. */
export function cleanLine(
  { run, target, reached = {} }: Pick<JournalHead, 'run' | 'target' | 'reached'>,
  out: string,
): string {
  return commandLine(
    ['clean', '--run', run, '--out', resolve(out), ...confirmation(new URL(target))],
    reached,
  );
}

/** The command that runs one check again as a run did. */
export function repeatLine(target: RunConfig, id: string): string {
  const { seed, fuzz } = target;
  return commandLine(
    [
      ...runOf(target),
      ...['--seed', String(seed)],
      ...(fuzz.examples === PROFILES.standard ? [] : ['--examples', String(fuzz.examples)]),
      ...['--only', id],
    ],
    reachedOf(target),
  );
}

/** The command that checks again what a run found, by the id of the finding; without one, all of the command but the id. */
export function replayLine(target: RunConfig, id?: string): string {
  const args = [...runOf(target), ...placeOf(target), '--replay', ...(id === undefined ? [] : [id])];
  return commandLine(args, reachedOf(target));
}

/** The command that runs only what failed again, from any folder; @param results where the results of the run are */
export function againLine(target: RunConfig, results: string): string {
  const { seed, waivers, rate } = target;
  const args = present([
    ...runOf(target),
    waivers.length > 0 && ['--waivers', ...waivers.map(lasting)],
    rate !== undefined && ['--rate', String(rate)],
    ...['--seed', String(seed), '--out', resolve(target.out), '--rerun', resolve(results)],
  ]);
  return commandLine(args, reachedOf(target), programAnywhere(ROOT));
}

function placeOf({ out }: RunConfig): string[] {
  return out === DEFAULT_OUT ? [] : ['--out', resolve(out)];
}

/** A name that is built in, or the path of a file from wherever the next command is started. */
export function lasting(nameOrPath: string): string {
  return isBuiltIn(nameOrPath) ? nameOrPath : resolve(nameOrPath);
}

/** The beginning of both: the same target, in the same way. */
function runOf({ embedded, base, ...config }: RunConfig): string[] {
  const { deployment, vocabulary, mode, user, hints, checks, asClient = [] } = config;
  return present([
    'run',
    !embedded && ['--target', showBase(base)],
    ...['--deployment', lasting(deployment)],
    vocabulary !== 'neutral' && ['--vocabulary', lasting(vocabulary)],
    ...['--mode', mode],
    user !== undefined && !embedded && ['--user', user],
    !embedded && mode !== 'read' && confirmation(base),
    hints !== undefined && ['--hints', resolve(hints)],
    ...checks.flatMap((path) => ['--checks', resolve(path)]),
    ...asClient.flatMap((path) => ['--as-client', resolve(path)]),
  ]);
}

function confirmation(base: URL): string[] {
  return isLoopback(base) ? [] : ['--confirm-host', base.hostname];
}
