import { shorten, visibleLine } from '../engine/text.ts';

/** Longer than any line of ours; what a target makes longer says nothing more. */
const LONGEST_LINE = 4000;

/** What Azure Pipelines, TeamCity and GitHub Actions (its older form) run wherever it stands in a line of a log. */
const ANYWHERE = /##(?=\w*\[)/g;

/** What GitHub Actions runs at the start of a line, after blanks. */
const AT_START = /^(\s*):(?=:)/;

/**
 * Writes text of one or several lines to standard output or standard error: the one way there. Lines are truncated, and
 * commands to a CI server that a target or a caller put in are spelled so that they show and do nothing. JSON stays the
 * same JSON.
 * @param longest the most characters of a line; unbounded for text that programs read
 */
export function print(stream: NodeJS.WritableStream, text: string, longest: number = LONGEST_LINE): void {
  stream.write(
    text
      .split('\n')
      .map((line) => withoutCommands(shorten(line, longest)))
      .join('\n'),
  );
}

/** Prints one line on standard output; parts of it may come from a target or a caller. */
export function say(line: string): void {
  print(process.stdout, `${visibleLine(line)}\n`);
}

/** Prints such a line on standard error, beside the output of a command. */
export function note(line: string): void {
  print(process.stderr, `${visibleLine(line)}\n`);
}

/** Writes commands to a CI server that are meant as such: whoever made them has disarmed what they hold. */
export function printCommands(stream: NodeJS.WritableStream, text: string): void {
  stream.write(text);
}

/** One line without commands to a CI server: `::` at its start reads `:\u003a`, `##[` and its like `#\u0023[`. */
export function withoutCommands(line: string): string {
  return line.replaceAll(ANYWHERE, '#\\u0023').replace(AT_START, '$1\\u003a');
}
