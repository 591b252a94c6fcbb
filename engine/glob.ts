import { Minimatch, type MinimatchOptions } from 'minimatch';

/** As `matchesGlob` of Node reads globs, which is there without a warning from Node 24.8 on only; the same on every system. */
const READING: MinimatchOptions = {
  windowsPathsNoEscape: true,
  nonegate: true,
  nocomment: true,
  optimizationLevel: 2,
  platform: 'linux',
};

/** Whatever a glob may say beyond plain text. */
const SIGN = /[*?[\](){}!+@|,\\]/;

type Selects = (id: string) => boolean;

const known = new Map<string, Selects>();

/**
 * What a glob selects. In a glob `*` stays within one part of an id and `**` crosses `/`, also where it is only a piece of
 * a part (`acme.**`). The library takes some microseconds for each id, and there are millions of pairs: the plain parts
 * of the glob sort out most.
 */
export function selectorOf(glob: string): Selects {
  const selects = known.get(glob) ?? readGlob(glob);
  known.set(glob, selects);
  return selects;
}

function readGlob(glob: string): Selects {
  const pattern = new Minimatch(crossing(glob), READING);
  // To the library two slashes are one.
  if (glob.includes('//')) return (id) => pattern.match(id);
  const parts = glob.split(SIGN);
  if (parts.length === 1) return (id) => id === glob;
  // `a/**` and `**/b` may stand for nothing at all, and then their slash does too.
  const start = (parts[0] ?? '').replace(/\/$/, '');
  const end = (parts.at(-1) ?? '').replace(/^\//, '');
  // What stands in braces is one of several.
  const isStars = parts.join('').length + glob.split('*').length - 1 === glob.length;
  const plain = isStars ? parts.map((part) => part.replaceAll(/^\/|\/$/g, '')) : [];
  const between = plain.filter((part) => part !== '');
  return (id) =>
    id.startsWith(start) &&
    id.endsWith(end) &&
    between.every((part) => id.includes(part)) &&
    pattern.match(id);
}

/** The library lets `**` cross only where it is a whole part: elsewhere it is spelled out. */
function crossing(glob: string): string {
  return glob.replaceAll(/(?<=[^/*])\*\*(?!\*)|(?<!\*)\*\*(?=[^/*])/g, '{*,*/**/*}');
}
