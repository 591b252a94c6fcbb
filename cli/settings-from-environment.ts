import { Command, CommanderError, type Option } from 'commander';
import { PASSWORD_VARIABLE } from '../engine/run-options.ts';
import { closest } from '../specs/validators.ts';
import { inOwnWords } from './explain.ts';
import { addRunOptions, addSelectionOptions } from './options.ts';
import type { Settings } from './run-config.ts';
import { UsageError } from './usage-error.ts';

const PREFIX = 'SITE_CONFORMANCE_';

/** Options whose values may hold blanks. */
const BY_LINES: ReadonlySet<string> = new Set(['header', 'waivers', 'checks']);

/** Variables with that prefix that are no options of a run. */
const OTHERS: readonly string[] = [PASSWORD_VARIABLE, `${PREFIX}CACHE`];

/**
 * Reads variables as arguments of `run`: SITE_CONFORMANCE_CONFIRM_HOST as --confirm-host, and so on. An empty variable
 * counts as absent. Globs are separated by white space, headers and
 * files by line breaks; a switch is `true` or `false`.
 * @throws UsageError for a variable that is no option
 */
export function argumentsFromEnvironment(env: NodeJS.ProcessEnv): string[] {
  const options = new Map(runCommand().options.map((option) => [variableOf(option), option]));
  return Object.entries(env).flatMap(([name, value]) => {
    if (!name.startsWith(PREFIX) || OTHERS.includes(name) || value === undefined || value === '') return [];
    const option = options.get(name);
    if (['replay', 'results', 'rerun'].includes(option?.name() ?? '')) {
      throw new UsageError(
        `${name}: what repeats an earlier run is for the command line (npm start -- run --replay ID, --rerun FILE)`,
      );
    }
    if (option === undefined) throw unknown(name, [...options.keys(), ...OTHERS]);
    return argumentsOf(option, name, value);
  });
}

/** Reads such arguments as the command line does. @throws UsageError for a value that the option does not take */
export function readSettings(args: readonly string[]): Settings & { readonly config?: string } {
  try {
    return runCommand()
      .parse([...args], { from: 'user' })
      .opts();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(`in the environment: ${inOwnWords(error.message)}`);
  }
}

function runCommand(): Command {
  return addRunOptions(addSelectionOptions(new Command()))
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
}

/** The variable for an option: `--dry-run` would be SITE_CONFORMANCE_DRY_RUN. */
function variableOf(option: Option): string {
  return PREFIX + option.name().toUpperCase().replaceAll('-', '_');
}

function argumentsOf(option: Option, variable: string, value: string): string[] {
  const flag = `--${option.name()}`;
  if (option.isBoolean()) {
    if (value !== 'true' && value !== 'false') throw new UsageError(`${variable} is true or false`);
    return value === 'true' ? [flag] : [];
  }
  if (!option.variadic) return [`${flag}=${value}`];
  const parts = value.split(BY_LINES.has(option.name()) ? /\r?\n/ : /\s+/).filter((part) => part !== '');
  return parts.map((part) => `${flag}=${part}`);
}

/** A misspelt name would check something else than was meant. */
function unknown(name: string, known: readonly string[]): UsageError {
  const near = closest(name, known);
  return new UsageError(
    `the environment has ${name}, which is no option of a run${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
}
