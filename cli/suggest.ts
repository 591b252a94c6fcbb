import { join, relative, resolve, sep } from 'node:path';
import { isLoopback, readBase } from '../client/address.ts';
import { shellQuote } from '../client/curl-line.ts';
import type { JournalHead, Reached } from '../client/journal.ts';
import { PROFILES } from '../engine/fuzz-options.ts';
import { PASSWORD_VARIABLE } from '../engine/run-options.ts';
import { DEFAULT_OUT, type ResolvedTarget } from './resolve-targets.ts';

const ROOT: string = join(import.meta.dirname, '..');

/**
 * One line for a shell that runs a command of ours from where the caller is. No secret is in it: the password comes from the
 * variable that the run read, and the value of a header from `SECRET`, as in the lines of curl.
 */
function commandLine([command = '', ...args]: readonly string[], reached: Reached): string {
  const { insecure = false, headers = [], passwordFrom = PASSWORD_VARIABLE } = reached;
  return [
    ...(passwordFrom === PASSWORD_VARIABLE ? [] : [`${PASSWORD_VARIABLE}="$${passwordFrom}"`]),
    ...[...program(), command].map(shellQuote),
    ...headers.map((name) => `--header ${shellQuote(`${name}: `)}"$SECRET"`),
    ...(insecure ? ['--insecure'] : []),
    ...args.map(shellQuote),
  ].join(' ');
}

/** What a command that goes to the same target must be told beside its address and user. */
export function reachedOf({
  insecure,
  headers,
  user,
  passwordFrom,
}: Pick<ResolvedTarget, 'insecure' | 'headers' | 'user' | 'passwordFrom'>): Reached {
  return { insecure, headers: Object.keys(headers), ...(user !== undefined && { passwordFrom }) };
}

/** A checkout is run through npm, which brings the right Node; an installed package has a name. */
function program(): string[] {
  if (ROOT.split(sep).includes('node_modules')) return ['npx', 'site-conformance'];
  const here = process.env.INIT_CWD ?? process.cwd();
  return relative(ROOT, here) === '' ? ['npm', 'start', '--'] : ['npm', '--prefix', ROOT, 'start', '--'];
}

/** The command that removes what a run has left, by its journal below a folder for reports. */
export function cleanLine(
  { run, target, reached = {} }: Pick<JournalHead, 'run' | 'target' | 'reached'>,
  out: string,
): string {
  return commandLine(['clean', '--run', run, '--out', resolve(out), ...confirmation(target)], reached);
}

/** The command that runs one check again as a run did. */
export function repeatLine(target: ResolvedTarget, id: string): string {
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

/** The command that judges again what a run found, by the id of the finding; without one, all of the command but the id. */
export function replayLine(target: ResolvedTarget, id?: string): string {
  const { out } = target;
  const place = out === DEFAULT_OUT ? [] : ['--out', out];
  const args = [...runOf(target), ...place, '--replay', ...(id === undefined ? [] : [id])];
  return commandLine(args, reachedOf(target));
}

/** The beginning of both: the same target, in the same way. */
function runOf({ target: url, deployment, vocabulary, mode, user, hints, checks }: ResolvedTarget): string[] {
  return [
    'run',
    ...(url === undefined ? [] : ['--target', url]),
    ...['--deployment', deployment],
    ...(vocabulary === 'neutral' ? [] : ['--vocabulary', vocabulary]),
    ...['--mode', mode],
    ...(user === undefined || url === undefined ? [] : ['--user', user]),
    ...(url === undefined || mode === 'read' ? [] : confirmation(url)),
    ...(hints === undefined ? [] : ['--hints', hints]),
    ...checks.flatMap((path) => ['--checks', path]),
  ];
}

function confirmation(url: string): string[] {
  const base = readBase(url);
  return isLoopback(base) ? [] : ['--confirm-host', base.hostname];
}
