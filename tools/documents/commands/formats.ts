import { lexer } from 'marked';
import { isJson } from '../../../client/json.ts';

/** A format of machines that a command prints: how it is asked for, and whether a reader of it takes a text. */
interface Format {
  readonly name: string;
  readonly asked: RegExp;
  readonly takes: (text: string) => boolean;
}

const FORMATS: readonly Format[] = [
  { name: 'JSON', asked: / (?:--json\b|json=-)/, takes: isJson },
  {
    name: 'Markdown',
    asked: / (?:--markdown\b|markdown=-)/,
    takes: (text) => lexer(text)[0]?.type === 'heading',
  },
  {
    name: 'commands to GitHub',
    asked: / --reporter[= ]github(?!=[^-])/,
    takes: (text) =>
      text
        .trimEnd()
        .split('\n')
        .every((line) => line === '' || line.startsWith('::')),
  },
];

/** The format of machines that a command is asked to print; undefined where people read it. */
export function printedFormat(command: string): Format | undefined {
  return FORMATS.find(({ asked }) => asked.test(command));
}

/** Whether a line of commands has npm run the program, whose own lines come first, and a program read what is printed. */
export function isUnclean(line: string): boolean {
  const [, command = ''] = /npm (?:--prefix \S+ )?start\b(.*)/.exec(line) ?? [];
  return printedFormat(command) !== undefined || /\s(?:\||>>?)\s/.test(command);
}
