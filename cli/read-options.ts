import { Command, CommanderError, Option } from 'commander';
import { defined } from '../client/json.ts';
import type { Redactor } from '../client/redact.ts';
import { PASSWORD_VARIABLE } from '../engine/run-options.ts';
import { closest, UsageError } from '../specs/validators.ts';
import { aboveZero, OPTIONS, type RunSettings, wholeNumber } from './options.ts';
import { inOwnWords } from './shell/errors.ts';

/** The context of a command, besides its arguments. */
export interface CommandContext {
  readonly hide: Redactor;
  ends(code: number): void;
}

/** The settings that decide who sends requests, how, and to which site. */
export const ASKED_WITH = [
  'config',
  'user',
  'deployment',
  'vocabulary',
  'header',
  'insecure',
  'timeout',
  'rate',
  'concurrency',
] as const;

/** The given options among these names. */
export function given<Options extends object, Name extends keyof Options>(
  options: Options,
  names: readonly Name[],
): Partial<Pick<Options, Name>>;
export function given(options: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return defined(Object.fromEntries(names.map((name) => [name, options[name]])));
}

type Name = keyof typeof OPTIONS;
type Part = (typeof OPTIONS)[Name]['part'];

const RARE = new WeakSet<Option>();

/** Whether only `--help all` shows an option. */
export function isRare(option: Option): boolean {
  return RARE.has(option);
}

/** Adds the options of a run that some commands have, in their groups. */
export function addOptions(command: Command, parts: readonly Part[]): Command {
  for (const name of namesOf(parts)) addOption(command, name);
  return command;
}

/** Adds one option of a run, in its group. */
export function addOption(command: Command, name: Name): void {
  const { group, rare } = OPTIONS[name];
  const option = optionFor(name);
  if (rare === true) RARE.add(option);
  command.optionsGroup(`${group}:`).addOption(option);
}

function namesOf(parts: readonly Part[]): Name[] {
  return Object.keys(OPTIONS)
    .filter((name): name is Name => Object.hasOwn(OPTIONS, name))
    .filter((name) => parts.includes(OPTIONS[name].part) && OPTIONS[name].fileOnly !== true);
}

/** One option of a run, for a command that has no groups. */
export function optionFor(name: Name): Option {
  const { takes, help, schema = {}, choices, read } = OPTIONS[name];
  const option = new Option(`${flagOf(name)}${takes === '' ? '' : ` ${takes}`}`, help);
  const known = choices ?? choicesOf(schema);
  if (known !== undefined) option.choices([...known]);
  else if (read !== undefined) option.argParser<unknown>(read);
  else if (schema.type === 'integer')
    option.argParser(wholeNumber(Number(schema.minimum), Number(schema.maximum)));
  else if (schema.type === 'number') option.argParser(aboveZero);
  return option;
}

function choicesOf({ enum: own, items }: Readonly<Record<string, unknown>>): string[] | undefined {
  if (Array.isArray(own)) return own;
  return typeof items === 'object' && items !== null && 'enum' in items && Array.isArray(items.enum)
    ? items.enum
    : undefined;
}

/** The flag for an option: `dryRun` would be `--dry-run`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)}`;
}

const PREFIX = 'SITE_CONFORMANCE_';

/** Variables with that prefix that are not options of a run. */
const OTHERS: readonly string[] = [PASSWORD_VARIABLE, `${PREFIX}CACHE`];

/**
 * Converts variables to arguments of `run`: SITE_CONFORMANCE_CONFIRM_HOST to --confirm-host, and so on. Globs are
 * separated by white space, headers and files by line breaks; a switch is `true` or `false`.
 * @throws UsageError for a variable that is not an option
 */
export function argumentsFromEnvironment(env: NodeJS.ProcessEnv): string[] {
  const names = new Map(
    namesOf(['shared', 'run']).map((name) => [
      PREFIX + flagOf(name).slice(2).toUpperCase().replaceAll('-', '_'),
      name,
    ]),
  );
  return Object.entries(env).flatMap(([variable, value]) => {
    if (!variable.startsWith(PREFIX) || OTHERS.includes(variable) || value === undefined || value === '')
      return [];
    const name = names.get(variable);
    if (name === undefined) throw unknown(variable, [...names.keys(), ...OTHERS]);
    return argumentsOf(name, variable, value);
  });
}

/** Parses such arguments like the command line. @throws UsageError for an invalid value */
export function readSettings(args: readonly string[]): RunSettings {
  try {
    return addOptions(new Command(), ['shared', 'run'])
      .exitOverride()
      .configureOutput({ outputError: () => undefined })
      .parse([...args], { from: 'user' })
      .opts();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(`in the environment: ${inOwnWords(error.message)}`);
  }
}

function argumentsOf(name: Name, variable: string, value: string): string[] {
  const [flag, { takes, byLines }] = [flagOf(name), OPTIONS[name]];
  if (takes === '') {
    if (value !== 'true' && value !== 'false') throw new UsageError(`${variable} is true or false`);
    return value === 'true' ? [flag] : [];
  }
  if (!takes.includes('...')) return [`${flag}=${value}`];
  const parts = value.split(byLines === true ? /\r?\n/ : /\s+/).filter((part) => part !== '');
  return parts.map((part) => `${flag}=${part}`);
}

/** An error for an unknown name, because ignoring it would check something else. */
function unknown(name: string, known: readonly string[]): UsageError {
  const near = closest(name, known);
  return new UsageError(
    `the environment has ${name}, which is no option of a run${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
}
