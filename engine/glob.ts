import { matchesGlob } from 'node:path/posix';

/** Whatever a glob may say beyond plain text. */
const SIGN = /[*?[\](){}!+@|,\\]/;

/** A glob as the library reads it, and the plain texts that every id has which it selects. */
interface Glob {
  /** Undefined for a plain text. */
  readonly pattern: string | undefined;
  readonly start: string;
  readonly end: string;
  readonly between: readonly string[];
}

const read = new Map<string, Glob>();

/**
 * Whether a glob selects an id. In a glob `*` stays within one part of an id and `**` crosses `/`, also where it is only
 * a piece of a part (`acme.**`). The library takes some microseconds for each pair, and there are millions: its plain
 * parts sort out most.
 */
export function globSelects(glob: string, id: string): boolean {
  let known = read.get(glob);
  if (known === undefined) {
    known = readGlob(glob);
    read.set(glob, known);
  }
  const { pattern, start, end, between } = known;
  if (pattern === undefined) return id === glob;
  return (
    id.startsWith(start) &&
    id.endsWith(end) &&
    between.every((part) => id.includes(part)) &&
    matchesGlob(id, pattern)
  );
}

function readGlob(glob: string): Glob {
  const parts = glob.split(SIGN);
  // To the library two slashes are one.
  if (glob.includes('//')) return { pattern: crossing(glob), start: '', end: '', between: [] };
  if (parts.length === 1) return { pattern: undefined, start: glob, end: glob, between: [] };
  // What stands in braces is one of several.
  const isStars = parts.join('').length + glob.split('*').length - 1 === glob.length;
  return {
    pattern: crossing(glob),
    // `a/**` and `**/b` may stand for nothing at all, and then their slash does too.
    start: (parts[0] ?? '').replace(/\/$/, ''),
    end: (parts.at(-1) ?? '').replace(/^\//, ''),
    between: isStars
      ? parts.map((part) => part.replaceAll(/^\/|\/$/g, '')).filter((part) => part !== '')
      : [],
  };
}

/** The library lets `**` cross only where it is a whole part: elsewhere it is spelled out. */
function crossing(glob: string): string {
  return glob.replaceAll(/(?<=[^/*])\*\*(?!\*)|(?<!\*)\*\*(?=[^/*])/g, '{*,*/**/*}');
}
