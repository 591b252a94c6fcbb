import type { Argument, Command, Option } from 'commander';
import { examplesOf } from './command-examples.ts';

/**
 * The commands as a page of Markdown: of each its description, how it is called, its arguments, options and examples.
 * @param program the program that has them
 */
export function renderCommands(program: Command): string {
  return program.commands.map((command) => renderCommand(command, program.name(), '##')).join('\n\n');
}

function renderCommand(command: Command, before: string, heading: string): string {
  const words = `${before} ${command.name()}`;
  const options = command.options.filter(({ hidden }) => !hidden);
  const groups = Map.groupBy(options, ({ helpGroupHeading = '' }) => helpGroupHeading);
  const taken = command.registeredArguments.map((one) => itemOf(argumentOf(one), one.description));
  const examples = examplesOf(command).map(({ line, what }) => `# ${what}\n${line}`);
  const parts = [
    `${heading} \`${words}\``,
    `${capital(command.description())}.`,
    `\`\`\`text\n${words} ${command.usage()}\n\`\`\``,
    ...(taken.length === 0 ? [] : [taken.join('\n')]),
    ...[...groups].flatMap(([heading, own]) => [
      ...(heading === '' ? [] : [heading]),
      own.map((one) => itemOf(one.flags, describeOption(one))).join('\n'),
    ]),
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``]),
    ...command.commands.map((one) => renderCommand(one, words, `${heading}#`)),
  ];
  return parts.join('\n\n');
}

function itemOf(name: string, text: string): string {
  return `- \`${name}\`: ${text}`;
}

function argumentOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function describeOption({ description, argChoices, defaultValue, mandatory }: Option): string {
  return [
    // A star alone would be markup.
    description.replaceAll(/(?<!\S)(\*+)(?!\S)/g, '`$1`'),
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
    ...(defaultValue === undefined ? [] : [`\`${String(defaultValue)}\` unless given`]),
    ...(mandatory && defaultValue === undefined ? ['must be given'] : []),
  ].join('; ');
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
