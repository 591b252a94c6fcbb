import type { Command } from 'commander';
import { schemeHint } from '../../client/address.ts';
import { suggestion, UsageError } from '../../specs/validators.ts';

/** The options of a run that may hold the address of a site. */
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
 * A first word that is no option is a command; without this the default command would take it for an argument.
 * @throws UsageError for any other, with the command or the address that may be meant
 */
export function guardCommand(word: string | undefined, commands: readonly string[]): void {
  if (word === undefined || word.startsWith('-') || word === 'help' || commands.includes(word)) return;
  const hint = suggestion(word, commands, schemeHint(word));
  throw new UsageError(
    `unknown command "${word}": expected one of ${commands.join(', ')}, or an address${hint}`,
  );
}

/**
 * The options of a run with the site that stands as a word of its own.
 * @param sites the words that are no options
 * @throws CommanderError where it is not clear which site is meant
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
