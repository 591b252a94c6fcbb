import { join, relative, resolve, sep } from 'node:path';
import { isLoopback, showBase } from '../../client/address.ts';
import { shellQuote } from '../../client/curl-line.ts';
import type { JournalHead, Reached } from '../../client/journal.ts';
import { PROFILES } from '../../engine/fuzz-options.ts';
import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';
import { present } from '../../engine/text.ts';
import { isBuiltIn } from '../../specs/deployment.ts';
import { DEFAULTS, type RunConfig } from '../../suites/run-config.ts';

const ROOT: string = join(import.meta.dirname, '..', '..');

/** A shell command of ours, without secrets: the password is in its variable, header values in `SECRET`. */
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

/** The options for reaching the same target, besides its address and user. */
export function reachedOf({
  insecure = false,
  headers,
  user,
  passwordFrom,
}: Pick<RunConfig, 'insecure' | 'headers' | 'user' | 'passwordFrom'>): Reached {
  return { insecure, headers: Object.keys(headers), ...(user !== undefined && { passwordFrom }) };
}

function program(): string[] {
  if (ROOT.split(sep).includes('node_modules')) return ['npx', 'site-conformance'];
  const here = process.env.INIT_CWD ?? process.cwd();
  return relative(ROOT, here) === '' ? ['npm', 'start', '--'] : programAnywhere(ROOT);
}

/** The program as started from any folder: a checkout through npm, which provides the right Node. */
export function programAnywhere(root: string): string[] {
  return root.split(sep).includes('node_modules')
    ? ['node', join(root, 'cli/site-conformance.js')]
    : ['npm', '--prefix', root, 'start', '--'];
}

/** The command that removes the leftovers of a run, by its journal below a folder for reports. */
export function cleanLine(
  { run, target, reached = {} }: Pick<JournalHead, 'run' | 'target' | 'reached'>,
  out: string,
): string {
  const args = ['clean', '--run', run, '--out', resolve(out), ...confirmation(new URL(target))];
  return commandLine(args, reached);
}

/** The command that repeats one check of a run. */
export function repeatLine(target: RunConfig, id: string): string {
  const { seed, fuzz } = target;
  const examples = fuzz.examples === PROFILES.standard ? [] : ['--examples', String(fuzz.examples)];
  const args = [...runOf(target), '--seed', String(seed), ...examples, '--only', id];
  return commandLine(args, reachedOf(target));
}

/** The command that replays a finding by its id; without one, the command up to the id. */
export function replayLine(target: RunConfig, id?: string): string {
  const place = target.out === DEFAULTS.out ? [] : ['--out', resolve(target.out)];
  const args = [...runOf(target), ...place, '--replay', ...(id === undefined ? [] : [id])];
  return commandLine(args, reachedOf(target));
}

/** The command that reruns only the failures, from any folder; @param results the path of the results */
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

/** A built-in name, or an absolute path. */
export function lasting(nameOrPath: string): string {
  return isBuiltIn(nameOrPath) ? nameOrPath : resolve(nameOrPath);
}

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
