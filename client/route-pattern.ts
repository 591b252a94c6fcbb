/** A piece of a route pattern: plain text, or a named path parameter with the text of its expression. */
export type RoutePart =
  | { readonly text: string }
  | { readonly pathParameter: string; readonly pattern: string };

const OPENING = '(?P<';

/**
 * Splits a route pattern of an index (`/a/(?P<id>[\d]+)/b`) into text and path parameters (§1). The expressions of the
 * target are data: they are cut out by counting brackets, never run.
 */
export function parseRoutePattern(key: string): RoutePart[] {
  const parts: RoutePart[] = [];
  let at = 0;
  while (at < key.length) {
    const open = key.indexOf(OPENING, at);
    if (open === -1) break;
    const nameEnd = key.indexOf('>', open);
    const close = nameEnd === -1 ? -1 : closingBracket(key, nameEnd + 1);
    if (close === -1) break;
    if (open > at) parts.push({ text: key.slice(at, open) });
    parts.push({
      pathParameter: key.slice(open + OPENING.length, nameEnd),
      pattern: key.slice(nameEnd + 1, close),
    });
    at = close + 1;
  }
  if (at < key.length || parts.length === 0) parts.push({ text: key.slice(at) });
  return parts;
}

/** A text with every path parameter as `{name}`, as people write routes. */
export function plainRoute(text: string): string {
  return parseRoutePattern(text)
    .map((part) => ('text' in part ? part.text.replaceAll(OPENING, '{') : `{${part.pathParameter}}`))
    .join('');
}

/** Why the key of a route is no pattern as §1 has them, by its brackets alone; undefined when nothing is wrong with it. */
export function patternFault(key: string): string | undefined {
  if (!key.startsWith('/')) return 'it does not begin with /';
  const parts = parseRoutePattern(key);
  const names = parts.flatMap((part) => ('pathParameter' in part ? [part.pathParameter] : []));
  const text = parts.map((part) => ('text' in part ? part.text : '')).join('');
  if (text.includes(OPENING)) return 'a path parameter is never closed';
  if (closingBracket(text, 0) !== -1) return 'a bracket closes that was never opened';
  if (names.some((name) => !/^\w+$/.test(name))) return 'a path parameter has no name';
  return new Set(names).size === names.length ? undefined : 'two path parameters share a name';
}

/** The position of the bracket that closes the group whose inside starts at `from`; -1 when nothing does. */
function closingBracket(text: string, from: number): number {
  let depth = 1;
  let inClass = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** What two routes that differ at most in their path parameters have in common: the text, with `{}` for each of these. */
export function skeletonOf(parts: readonly RoutePart[]): string {
  return parts.map((part) => ('text' in part ? part.text : '{}')).join('');
}

/** The same of a route as people write it, `/posts/{id}`: nobody sends the names of path parameters. */
export function shapeOf(route: string): string {
  return route.replaceAll(/\{[^{}]*\}/g, '{}');
}
