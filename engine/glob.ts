import { Minimatch, type MinimatchOptions } from 'minimatch';
import { memoized } from '../specs/memoized.ts';

/** Reads globs like Node's `matchesGlob`, on every system. Node's own warns before version 24.8. */
const READING: MinimatchOptions = {
  windowsPathsNoEscape: true,
  nonegate: true,
  nocomment: true,
  optimizationLevel: 2,
  platform: 'linux',
};

/** Characters that make a text a glob. */
const SIGN = /[*?[\](){}!+@|,\\]/;

type Selects = (id: string) => boolean;

/**
 * Makes a function that tells whether a glob selects an id. `*` stays within one part of an id; `**` crosses `/`, even
 * as a piece of a part (`acme.**`). The library takes microseconds for each id, and there are millions of pairs, so
 * plain parts are compared first.
 */
export const selectorOf: (glob: string) => Selects = memoized(readGlob);

function readGlob(glob: string): Selects {
  // In the library, `**` crosses `/` only as a whole part, so other places are spelled out.
  const spelled = glob.replaceAll(/(?<=[^/*])\*\*(?!\*)|(?<!\*)\*\*(?=[^/*])/g, '{*,*/**/*}');
  const pattern = new Minimatch(spelled, READING);
  // The library treats two slashes as one.
  if (glob.includes('//')) return (id) => pattern.match(id);
  const parts = glob.split(SIGN);
  if (parts.length === 1) return (id) => id === glob;
  // `a/**` and `*b` may match nothing, and then their slash too.
  const start = (parts[0] ?? '').replace(/\/$/, '');
  const end = (parts.at(-1) ?? '').replace(/^\//, '');
  // Braces stand for alternatives.
  const isStars = parts.join('').length + glob.split('*').length - 1 === glob.length;
  const plain = isStars ? parts.map((part) => part.replaceAll(/^\/|\/$/g, '')) : [];
  const between = plain.filter((part) => part !== '');
  return (id) =>
    id.startsWith(start) &&
    id.endsWith(end) &&
    between.every((part) => id.includes(part)) &&
    pattern.match(id);
}
