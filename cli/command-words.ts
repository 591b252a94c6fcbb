import type { Command, Option } from 'commander';
import { VERDICTS } from '../engine/result.ts';
import { REPORTERS } from '../reports/reporters/registry.ts';
import { namesIn } from '../specs/deployment.ts';

/** An option as a shell completes it. */
export interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** What may follow: nothing, the name of a file, a text that nobody can guess, or words. */
  readonly value: 'none' | 'file' | 'text' | CompletedWords;
}

/** Words that a shell offers. */
export interface CompletedWords {
  readonly words: readonly string[];
  /** Whether a file is taken as well: it is offered where no word fits. */
  readonly files: boolean;
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** Its words, such as `waivers make`. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
  /** The words that its first argument may be; any where that is empty. */
  readonly words: readonly string[];
}

/** Everything that a shell can complete, from the definitions of the commands. */
export function completedCommands(program: Command, before: string = ''): CompletedCommand[] {
  return program.commands.map((command) => {
    const path = `${before}${command.name()}`;
    return {
      path,
      name: command.name(),
      description: command.description(),
      options: command.options.filter(({ hidden }) => !hidden).map(completedOption),
      commands: completedCommands(command, `${path} `),
      words: command.registeredArguments[0]?.argChoices ?? ARGUMENTS[path] ?? [],
    };
  });
}

function completedOption(option: Option): CompletedOption {
  const known = KNOWN[option.name()]?.(option);
  const value =
    option.argChoices !== undefined
      ? { words: option.argChoices, files: false }
      : known !== undefined
        ? { words: known, files: !ONLY_WORDS.has(option.name()) }
        : kindOfValue(option);
  return { flag: option.long ?? option.flags, description: option.description, value };
}

/** Options whose words the definitions do not hold, because others are taken as well. */
const KNOWN: Readonly<Record<string, (option: Option) => readonly string[]>> = {
  deployment: (option) => [...namesIn('deployments'), ...autoOf(option)],
  vocabulary: (option) => [...namesIn('vocabularies'), ...autoOf(option)],
  reporter: () => Object.keys(REPORTERS),
  waivers: () => ['known'],
  contract: () => namesIn('releases'),
};

/** Of those, the ones that take no file. */
const ONLY_WORDS: ReadonlySet<string> = new Set(['contract']);

/** Words that the first argument of a command may be, beside others. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = { explain: VERDICTS };

/** What a site serves is found only by commands that ask one. */
function autoOf({ description }: Option): string[] {
  return /\bauto\b/.test(description) ? ['auto'] : [];
}

function kindOfValue(option: Option): CompletedOption['value'] {
  if (option.isBoolean()) return 'none';
  return ['<file', '<dir', '[file'].some((one) => option.flags.includes(one)) ? 'file' : 'text';
}
