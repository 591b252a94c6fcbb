import type { Command } from 'commander';
import { schemeHint } from '../../client/address.ts';
import { suggestion, UsageError } from '../../specs/validators.ts';

interface Given {
  readonly target?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
}

/** Whether a word is an address rather than a command. */
export function isAddress(word: string | undefined): boolean {
  return word?.includes('://') === true;
}

/**
 * Validates the first word as a command, because the default command would take it as an argument.
 * @throws UsageError for any other word, with the likely command or address
 */
export function guardCommand(word: string | undefined, commands: readonly string[]): void {
  if (word === undefined || word.startsWith('-') || word === 'help' || commands.includes(word)) return;
  const hint = suggestion(word, commands, schemeHint(word));
  throw new UsageError(
    `unknown command "${word}": expected one of ${commands.join(', ')}, or an address${hint}`,
  );
}

/**
 * The options of a run with the site that was given as a word.
 * @param sites the words that are not options
 * @throws CommanderError if it is not clear which site is meant
 */
export function withSite<T extends Given>(command: Command, sites: readonly string[], given: T): T {
  const swallowed = [...(given.only ?? []), ...(given.skip ?? [])].find(isAddress);
  if (swallowed !== undefined) {
    command.error(
      `error: "${swallowed}" stands among the globs of --only or --skip: name the site before them, or with --target`,
    );
  }
  const [site, ...more] = given.target === undefined ? sites : [given.target, ...sites];
  if (more.length > 0) {
    command.error(
      `error: one run checks one site, and "${more[0]}" is another: name several under "targets" of site-conformance.config.json, and use --all-targets or --targets NAME`,
    );
  }
  return site === undefined ? given : { ...given, target: site };
}
