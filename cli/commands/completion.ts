import type { Command, Option } from 'commander';
import { VERDICTS } from '../../engine/result.ts';
import { REPORTERS } from '../../reports/reporters/registry.ts';
import { namesIn } from '../../specs/deployment.ts';

/** The shells that there is a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** How each shell names the words before the one that is completed. */
const WORDS_BASH = `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`;
const FILES_BASH = 'mapfile -t COMPREPLY < <(compgen -f -- "$current")';
const WORDS_ZSH = `"\${(@)words[2,CURRENT-1]}"`;

/** The script that completes the commands in a shell. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  return { bash, zsh, fish }[shell](commands);
}

function withOwn(commands: readonly CompletedCommand[]): CompletedCommand[] {
  return commands.flatMap((command) => [command, ...withOwn(command.commands)]);
}

/** The lines that find the command on the line. @param words how the shell names the words so far */
function findCommand(commands: readonly CompletedCommand[], words: string): string {
  const places = withOwn(commands).map(({ path }) => (path.includes(' ') ? `'${path}'` : `' ${path}'`));
  return `  for word in ${words}; do
    case "$command $word" in
      ${places.join('|')}) command="\${command:+$command }$word" ;;
    esac
  done`;
}

/** The case arms that complete the value of an option or an argument. */
function valueArms(
  commands: readonly CompletedCommand[],
  arm: (value: Exclude<CompletedOption['value'], 'none'>) => string,
): string {
  const arms = withOwn(commands).flatMap(({ path, name, options }) =>
    options.flatMap(({ flag, value }) => {
      if (value === 'none') return [];
      // The default command.
      const places = name === 'run' ? [`'${path} ${flag}'`, `' ${flag}'`] : [`'${path} ${flag}'`];
      return [`    ${places.join('|')}) ${arm(value)} ;;`];
    }),
  );
  return `  case "$command $before" in\n${arms.join('\n')}\n  esac`;
}

/** What a command offers next: the commands below it, the words of its argument, and its options. */
function offersOf({ commands, words, options }: Pick<CompletedCommand, 'commands' | 'words' | 'options'>): {
  readonly word: string;
  readonly description: string;
}[] {
  return [
    ...commands.map(({ name, description }) => ({ word: name, description })),
    ...words.map((word) => ({ word, description: '' })),
    ...options.map(({ flag, description }) => ({ word: flag, description })),
  ];
}

/** The case arms with the offers of each command. */
function offerArms(
  commands: readonly CompletedCommand[],
  written: (offers: ReturnType<typeof offersOf>) => string,
): string {
  // The default command.
  const options = commands.find(({ name }) => name === 'run')?.options ?? [];
  const all = [{ path: '', commands, words: [], options }, ...withOwn(commands)];
  const arms = all.map((one) => `    '${one.path}') known=${written(offersOf(one))} ;;`);
  return `  case "$command" in\n${arms.join('\n')}\n  esac`;
}

function bash(commands: readonly CompletedCommand[]): string {
  return `# Completion of site-conformance for bash: source <(site-conformance completion bash)
_site_conformance() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command='' word known
${findCommand(commands, WORDS_BASH)}
${valueArms(commands, (value) => {
  if (value === 'text') return 'COMPREPLY=(); return';
  if (value === 'file') return `${FILES_BASH}; return`;
  const words = `mapfile -t COMPREPLY < <(compgen -W '${value.words.join(' ')}' -- "$current")`;
  return value.files
    ? `${words}; [[ \${#COMPREPLY[@]} -gt 0 ]] || ${FILES_BASH}; return`
    : `${words}; return`;
})}
${offerArms(commands, (offers) => `'${offers.map(({ word }) => word).join(' ')}'`)}
  mapfile -t COMPREPLY < <(compgen -W "$known" -- "$current")
  if [[ \${#COMPREPLY[@]} -eq 0 && $current != -* ]]; then ${FILES_BASH}; fi
}
complete -o filenames -F _site_conformance site-conformance
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  return `#compdef site-conformance
# Completion of site-conformance for zsh: site-conformance completion zsh > "\${fpath[1]}/_site-conformance"
_site_conformance() {
  local before="\${words[CURRENT-1]}" command='' word
  local -a known
${findCommand(commands, WORDS_ZSH)}
${valueArms(commands, (value) => {
  if (value === 'text') return '_message value; return';
  if (value === 'file') return '_files; return';
  return `compadd -- ${value.words.join(' ')}${value.files ? ' || _files' : ''}; return`;
})}
${offerArms(commands, (offers) => `(${offers.map(zshItem).join(' ')})`)}
  _describe word known || [[ $PREFIX == -* ]] || _files
}
if [[ "\${funcstack[1]}" == _site[-_]conformance ]]; then _site_conformance "$@"; else compdef _site_conformance site-conformance; fi
`;
}

function zshItem({ word, description }: ReturnType<typeof offersOf>[number]): string {
  const words = description.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
  return `'${(words === '' ? word : `${word}:${words}`).replaceAll("'", `'\\''`)}'`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = [
    '# Completion of site-conformance for fish:',
    '# site-conformance completion fish > ~/.config/fish/completions/site-conformance.fish',
  ];
  const all = commands.map(({ name }) => name).join(' ');
  const none = `'not __fish_seen_subcommand_from ${all}'`;
  for (const { name, description } of commands) {
    lines.push(`complete -c site-conformance -n ${none} -f -a ${name} -d ${fishQuote(description)}`);
  }
  for (const command of commands) {
    const here = `__fish_seen_subcommand_from ${command.name}`;
    // The default command.
    const place = command.name === 'run' ? `${here}; or not __fish_seen_subcommand_from ${all}` : here;
    const own = command.commands.map(({ name }) => name).join(' ');
    if (command.words.length > 0)
      lines.push(`complete -c site-conformance -n '${here}' -f -a '${command.words.join(' ')}'`);
    for (const one of command.options) lines.push(fishOption(`'${place}'`, one));
    for (const below of command.commands) {
      const before = `'${here}; and not __fish_seen_subcommand_from ${own}'`;
      lines.push(
        `complete -c site-conformance -n ${before} -f -a ${below.name} -d ${fishQuote(below.description)}`,
      );
      const inside = `'${here}; and __fish_seen_subcommand_from ${below.name}'`;
      for (const one of below.options) lines.push(fishOption(inside, one));
    }
  }
  return `${lines.join('\n')}\n`;
}

function fishOption(place: string, { flag, description, value }: CompletedOption): string {
  const values = { none: '', file: ' -r -F', text: ' -x' };
  // Keeps the order: words before files.
  const files = typeof value !== 'string' && value.files ? ' (__fish_complete_path (commandline -ct))' : '';
  const takes = typeof value === 'string' ? values[value] : ` -x -k -a '${value.words.join(' ')}${files}'`;
  return `complete -c site-conformance -n ${place} -l ${flag.replace(/^--/, '')}${takes} -d ${fishQuote(description)}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** Its value: none, a file name, free text, or words. */
  readonly value: 'none' | 'file' | 'text' | CompletedWords;
}

interface CompletedWords {
  readonly words: readonly string[];
  /** Whether a file is accepted too; files are offered if no word fits. */
  readonly files: boolean;
}

interface CompletedCommand {
  /** Its words, such as `waivers make`. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
  /** The possible words of its first argument; empty for any. */
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

/** Options that accept other words too, so that their definitions do not list them. */
const KNOWN: Readonly<Record<string, (option: Option) => readonly string[]>> = {
  deployment: (option) => [...namesIn('deployments'), ...autoOf(option)],
  vocabulary: (option) => [...namesIn('vocabularies'), ...autoOf(option)],
  reporter: () => Object.keys(REPORTERS),
  waivers: () => ['known'],
  contract: () => namesIn('releases'),
};

const ONLY_WORDS: ReadonlySet<string> = new Set(['contract']);

/** Known words for the first argument of a command, besides others. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = { explain: VERDICTS };

/** Offers `auto` if the option mentions it: only commands that send requests to a site accept it. */
function autoOf({ description }: Option): string[] {
  return /\bauto\b/.test(description) ? ['auto'] : [];
}

function kindOfValue(option: Option): CompletedOption['value'] {
  if (option.isBoolean()) return 'none';
  return ['<file', '<dir', '[file'].some((one) => option.flags.includes(one)) ? 'file' : 'text';
}
