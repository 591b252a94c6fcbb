import { Argument, type Command, type Option } from 'commander';
import { VERDICTS } from '../../engine/result.ts';
import { print } from '../../reports/print.ts';
import { REPORTERS } from '../../reports/reporters/registry.ts';
import { namesIn } from '../../specs/deployment.ts';
import { withOwn } from './help.ts';

/** The shells that there is a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
const DEFAULT = 'run';
const FILES_BASH = 'mapfile -t COMPREPLY < <(compgen -f -- "$current")';

/** Adds the command `completion`. */
export default function defineCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the script that completes these commands in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => {
      print(process.stdout, { bash, zsh, fish }[shell](program), Number.POSITIVE_INFINITY);
    });
}

/** The words of a command, such as `waivers make`; empty for the program. */
function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

/** The lines that find the command on the line. @param words how the shell names the words so far */
function findCommand({ commands }: Command, words: string): string {
  const places = withOwn(commands)
    .map(pathOf)
    .map((path) => (path.includes(' ') ? `'${path}'` : `' ${path}'`));
  return `  for word in ${words}; do
    case "$command $word" in
      ${places.join('|')}) command="\${command:+$command }$word" ;;
    esac
  done`;
}

function valueArms({ commands }: Command, arm: (value: 'file' | 'text' | KnownWords) => string): string {
  const arms = withOwn(commands).flatMap((command) =>
    command.options.flatMap((option) => {
      const value = takenBy(option);
      if (value === 'none') return [];
      const place = `'${pathOf(command)} ${option.long}'`;
      return [`    ${command.name() === DEFAULT ? `${place}|' ${option.long}'` : place}) ${arm(value)} ;;`];
    }),
  );
  return `  case "$command $before" in\n${arms.join('\n')}\n  esac`;
}

function offerArms(
  program: Command,
  [open, close]: readonly [string, string],
  item: (word: string, description: string) => string,
): string {
  const arms = [program, ...withOwn(program.commands)].map((command) => {
    const { options } = command.commands.find((inner) => inner.name() === DEFAULT) ?? command;
    const offers = [
      ...command.commands.map((inner) => item(inner.name(), inner.description())),
      ...argumentWords(command).map((word) => item(word, '')),
      ...options.map(({ long, description }) => item(long ?? '', description)),
    ];
    return `    '${pathOf(command)}') known=${open}${offers.join(' ')}${close} ;;`;
  });
  return `  case "$command" in\n${arms.join('\n')}\n  esac`;
}

function bash(program: Command): string {
  return `# Completion of site-conformance for bash: source <(site-conformance completion bash)
_site_conformance() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command='' word known
${findCommand(program, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
${valueArms(program, (value) => {
  if (value === 'text') return 'COMPREPLY=(); return';
  if (value === 'file') return `${FILES_BASH}; return`;
  const words = `mapfile -t COMPREPLY < <(compgen -W '${value.words.join(' ')}' -- "$current")`;
  return value.files
    ? `${words}; [[ \${#COMPREPLY[@]} -gt 0 ]] || ${FILES_BASH}; return`
    : `${words}; return`;
})}
${offerArms(program, ["'", "'"], (word) => word)}
  mapfile -t COMPREPLY < <(compgen -W "$known" -- "$current")
  if [[ \${#COMPREPLY[@]} -eq 0 && $current != -* ]]; then ${FILES_BASH}; fi
}
complete -o filenames -F _site_conformance site-conformance
`;
}

function zsh(program: Command): string {
  return `#compdef site-conformance
# Completion of site-conformance for zsh: site-conformance completion zsh > "\${fpath[1]}/_site-conformance"
_site_conformance() {
  local before="\${words[CURRENT-1]}" command='' word
  local -a known
${findCommand(program, `"\${(@)words[2,CURRENT-1]}"`)}
${valueArms(program, (value) => {
  if (value === 'text') return '_message value; return';
  if (value === 'file') return '_files; return';
  return `compadd -- ${value.words.join(' ')}${value.files ? ' || _files' : ''}; return`;
})}
${offerArms(program, ['(', ')'], zshItem)}
  _describe word known || [[ $PREFIX == -* ]] || _files
}
if [[ "\${funcstack[1]}" == _site[-_]conformance ]]; then _site_conformance "$@"; else compdef _site_conformance site-conformance; fi
`;
}

function zshItem(word: string, description: string): string {
  const words = description.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
  return `'${(words === '' ? word : `${word}:${words}`).replaceAll("'", `'\\''`)}'`;
}

function fish({ commands }: Command): string {
  const all = commands.map((command) => command.name()).join(' ');
  const complete = (place: string, what: string): string =>
    `complete -c site-conformance -n ${place.includes(' ') ? `'${place}'` : place} ${what}\n`;
  const offer = (place: string, command: Command): string =>
    complete(place, `-f -a ${command.name()} -d ${fishQuote(command.description())}`);
  const lines = commands.flatMap((command) => {
    const here = `__fish_seen_subcommand_from ${command.name()}`;
    const place = command.name() === DEFAULT ? `${here}; or not __fish_seen_subcommand_from ${all}` : here;
    const own = command.commands.map((inner) => inner.name()).join(' ');
    const words = argumentWords(command);
    return [
      ...(words.length === 0 ? [] : [complete(here, `-f -a '${words.join(' ')}'`)]),
      ...command.options.map((option) => complete(place, fishOption(option))),
      ...command.commands.flatMap((below) => [
        offer(`${here}; and not __fish_seen_subcommand_from ${own}`, below),
        ...below.options.map((option) =>
          complete(`${here}; and __fish_seen_subcommand_from ${below.name()}`, fishOption(option)),
        ),
      ]),
    ];
  });
  return `# Completion of site-conformance for fish:
# site-conformance completion fish > ~/.config/fish/completions/site-conformance.fish
${commands.map((command) => offer(`not __fish_seen_subcommand_from ${all}`, command)).join('')}${lines.join('')}`;
}

function fishOption(option: Option): string {
  const value = takenBy(option);
  const values = { none: '', file: ' -r -F', text: ' -x' };
  // Keeps the order: words before files.
  const files = typeof value !== 'string' && value.files ? ' (__fish_complete_path (commandline -ct))' : '';
  const takes = typeof value === 'string' ? values[value] : ` -x -k -a '${value.words.join(' ')}${files}'`;
  return `-l ${option.long?.slice(2)}${takes} -d ${fishQuote(option.description)}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Options that accept other words too, so that their definitions do not list them. */
const KNOWN: Readonly<Record<string, (option: Option) => readonly string[]>> = {
  deployment: (option) => [...namesIn('deployments'), ...autoOf(option)],
  vocabulary: (option) => [...namesIn('vocabularies'), ...autoOf(option)],
  reporter: () => Object.keys(REPORTERS),
  waivers: () => ['known'],
  contract: () => namesIn('releases'),
};

/** Offers `auto` if the option mentions it: only commands that send requests to a site accept it. */
function autoOf({ description }: Option): string[] {
  return /\bauto\b/.test(description) ? ['auto'] : [];
}

/** The known words for the first argument of a command; `explain` accepts others too. */
function argumentWords(command: Command): readonly string[] {
  return command.registeredArguments[0]?.argChoices ?? (command.name() === 'explain' ? VERDICTS : []);
}

interface KnownWords {
  readonly words: readonly string[];
  /** Whether a file is accepted too; files are offered if no word fits. */
  readonly files: boolean;
}

function takenBy(option: Option): 'none' | 'file' | 'text' | KnownWords {
  const words = option.argChoices ?? KNOWN[option.name()]?.(option);
  if (words !== undefined) {
    return { words, files: option.argChoices === undefined && option.name() !== 'contract' };
  }
  if (option.isBoolean()) return 'none';
  return ['<file', '<dir', '[file'].some((one) => option.flags.includes(one)) ? 'file' : 'text';
}
