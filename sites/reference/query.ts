import { isObject, type Json, type JsonObject } from './json.ts';

interface Tree {
  [key: string]: Tree | string;
}

function emptyTree(): Tree {
  return Object.create(null);
}

/**
 * Parses name-value pairs as PHP does: `a[]=1&a[]=2` and `a[0]=1` are lists, `a[b]=1` is an object, the last
 * of two plain equal names wins, blanks and dots in a name become underscores. All values are strings.
 */
export function parsePairs(pairs: Iterable<readonly [string, string]>): JsonObject {
  const root = emptyTree();
  for (const [name, value] of pairs) {
    const open = name.indexOf('[');
    const first = (open > 0 ? name.slice(0, open) : name).replaceAll(/[ .]/g, '_');
    if (first === '') continue;
    const inner = open > 0 ? name.slice(open) : '';
    const steps = [...inner.matchAll(/\[([^\]]*)\]/g)].map(([, step = '']) => step);
    put(root, [first, ...steps], value);
  }
  const parsed = plain(root);
  return isObject(parsed) ? parsed : {};
}

/** As `parsePairs`, from the text of a query or of a form body. */
export function parseQuery(text: string): JsonObject {
  return parsePairs(new URLSearchParams(text));
}

function put(into: Tree, [step = '', ...rest]: string[], value: string): void {
  const key = step === '' ? nextIndex(into) : step;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const known = into[key];
  const child = typeof known === 'object' ? known : emptyTree();
  into[key] = child;
  put(child, rest, value);
}

function nextIndex(tree: Tree): string {
  const indexes = Object.keys(tree).filter((key) => /^\d+$/.test(key));
  return String(indexes.length === 0 ? 0 : Math.max(...indexes.map(Number)) + 1);
}

function plain(tree: Tree | string, depth = 0): Json {
  if (typeof tree === 'string') return tree;
  const entries = Object.entries(tree);
  const isList = depth > 0 && entries.every(([key], position) => key === String(position));
  if (isList) return entries.map(([, member]) => plain(member, depth + 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, plain(member, depth + 1)]));
}
