/** A reader takes in some 25 lines of 80 characters. */
const SCREENFUL = 2000;

/** A command whose answer fits a screen: of a longer one the end, because the status stands there. */
export function screenful(line: string): string {
  return `${line} | tail -c ${SCREENFUL}`;
}
