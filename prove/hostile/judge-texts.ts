import type { Ran } from './run-watched.ts';

const LONGEST_LINE = 4000;
const MOST_PRINTED = 5_000_000;

/** What a line may not hold, by what it would do. */
const ATTACKS: Readonly<Record<string, RegExp>> = {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  'a control character': /[\0-\x08\x0b-\x1f\x7f-\x9f]/,
  'a change of direction': /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/,
  'a line separator': /[\u2028\u2029]/,
  'a command for a CI service': /##(?:vso)?\[|^\s*::/,
};

/** What was printed that a terminal or the log of a CI service would act on, or that nobody could read. */
export function judgeTexts({ stdout, stderr }: Pick<Ran, 'stdout' | 'stderr'>): string[] {
  return Object.entries({ 'standard output': stdout, 'standard error': stderr }).flatMap(([place, bytes]) => {
    const text = bytes.toString('utf8');
    const lines = text.split('\n');
    const found = Object.entries(ATTACKS).filter(([, attack]) => lines.some((line) => attack.test(line)));
    return [
      ...found.map(([what]) => `${what} in ${place}`),
      ...(lines.some(({ length }) => length > LONGEST_LINE) ? [`an endless line in ${place}`] : []),
      ...(bytes.length > MOST_PRINTED ? [`${bytes.length} bytes in ${place}`] : []),
    ];
  });
}
