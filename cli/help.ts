import { type Command, Help, type Option } from 'commander';
import { plural } from '../reports/text.ts';
import { examplesOf } from './command-examples.ts';
import { isRare } from './options.ts';

/** Examples that the help of a command with rare options has room for. */
const FEW_EXAMPLES = 2;

/** Whether a help is asked for that leaves nothing out. */
export function wantsAll(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => arg === '--help' || arg === '-h');
  return at !== -1 && args[at + 1] === 'all';
}

/**
 * Gives each command its help: its options in groups, the rare ones only where everything is asked for, then examples.
 * @param all whether nothing is left out
 */
export function addHelp(program: Command, all: boolean): void {
  for (const command of [program, ...withOwn(program.commands)]) {
    command.configureHelp({
      optionDescription: describe,
      subcommandTerm: (one) => one.name(),
      // What a help leaves out is suggested all the same for what is misspelt.
      formatHelp: (one, helper) => new Help().formatHelp(one, isShort(one, all) ? shortened(helper) : helper),
    });
    command.addHelpText('after', () => moreOf(command, program.name(), all));
  }
}

function withOwn(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [command, ...withOwn(command.commands)]);
}

/** Whether a help leaves out what few need. */
function isShort(command: Command, all: boolean): boolean {
  return !all && command.options.some(isRare);
}

/** A help without the rare options; how to see them is said below the others. */
function shortened(helper: Help): Help {
  return Object.assign(helper, {
    visibleOptions: (command: Command) =>
      command.options.filter((option) => !option.hidden && !isRare(option)),
    visibleArguments: () => [],
  });
}

/** What an option takes stands in words, as in the documents. */
function describe({ description, argChoices, defaultValue, mandatory }: Option): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
  const usual = defaultValue === undefined ? '' : ` (${String(defaultValue)} unless given)`;
  return `${description}${choices}${usual}${mandatory && usual === '' ? ' (required)' : ''}`;
}

function moreOf(command: Command, program: string, all: boolean): string {
  const left = all ? 0 : command.options.filter(isRare).length;
  const known = examplesOf(command);
  const examples = left === 0 ? known : known.slice(0, FEW_EXAMPLES);
  return [
    ...(command.parent === null ? ['', `Options of a command: ${program} run --help`] : []),
    ...(left === 0 ? [] : ['', `${plural(left, 'more option')}: ${program} ${command.name()} --help all`]),
    ...(examples.length === 0 ? [] : ['', 'Examples:']),
    ...examples.map(({ line, what }) => `  # ${what}\n  ${line}`),
  ].join('\n');
}
