import type { Command, Option } from 'commander';
import { REPORTERS } from '../reports/reporters/registry.ts';
import { namesIn } from '../specs/deployment.ts';

/** An option as a shell completes it. */
export interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** What may follow: nothing, one of some words, the name of a file, or a text that nobody can guess. */
  readonly value: 'none' | 'file' | 'text' | readonly string[];
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
      words: command.registeredArguments[0]?.argChoices ?? [],
    };
  });
}

function completedOption(option: Option): CompletedOption {
  return {
    flag: option.long ?? option.flags,
    description: option.description,
    value: option.argChoices ?? KNOWN[option.name()]?.() ?? kindOfValue(option),
  };
}

/** Options whose words the definitions do not hold, because others are taken as well. */
const KNOWN: Readonly<Record<string, () => readonly string[]>> = {
  deployment: () => [...namesIn('deployments'), 'auto'],
  vocabulary: () => [...namesIn('vocabularies'), 'auto'],
  reporter: () => Object.keys(REPORTERS),
};

function kindOfValue(option: Option): CompletedOption['value'] {
  if (option.isBoolean()) return 'none';
  return ['<file', '<dir', '[file'].some((one) => option.flags.includes(one)) ? 'file' : 'text';
}
