import { shorten, visibleLine } from '../engine/text.ts';

/** Longer than any line of ours; a target may make lines longer. */
const LONGEST_LINE = 4000;

/** Text that Azure Pipelines, TeamCity and GitHub Actions (its older form) run anywhere in a line. */
const ANYWHERE = /##(?=\w*\[)/g;

/** Text that GitHub Actions runs at the start of a line, after blanks. */
const AT_START = /^(\s*):(?=:)/;

/**
 * Writes text to standard output or standard error; nothing else does. Lines are cut, and commands to a CI server from
 * a target or a caller become visible text. JSON stays the same JSON.
 * @param longest characters of a line; unlimited for text that programs read
 */
export function print(stream: NodeJS.WritableStream, text: string, longest: number = LONGEST_LINE): void {
  stream.write(
    text
      .split('\n')
      .map((line) => withoutCommands(shorten(line, longest)))
      .join('\n'),
  );
}

/** Prints one line on standard output. It may contain text of a target or a caller. */
export function say(line: string): void {
  print(process.stdout, `${visibleLine(line)}\n`);
}

/** Prints such a line on standard error. */
export function note(line: string): void {
  print(process.stderr, `${visibleLine(line)}\n`);
}

/** Prints intended commands to a CI server. Their author has escaped their content. */
export function printCommands(stream: NodeJS.WritableStream, text: string): void {
  stream.write(text);
}

/** One line without commands to a CI server: `::` at its start becomes `:\u003a`, and `##[` becomes `#\u0023[`. */
export function withoutCommands(line: string): string {
  return line.replaceAll(ANYWHERE, '#\\u0023').replace(AT_START, '$1\\u003a');
}
