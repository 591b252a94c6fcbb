/** A part of a route pattern: plain text, or a named path parameter with its expression. */
export type RoutePart =
  | { readonly text: string }
  | { readonly pathParameter: string; readonly pattern: string };

const OPENING = '(?P<';

/** Splits a route pattern of an index into text and path parameters (§1). The expressions are never run. */
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

/** A route with its path parameters as `{name}`. */
export function plainRoute(text: string): string {
  return parseRoutePattern(text)
    .map((part) => ('text' in part ? part.text.replaceAll(OPENING, '{') : `{${part.pathParameter}}`))
    .join('');
}

/** Why the key of a route is not a pattern as in §1, by its brackets; undefined if it is one. */
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

/** The position of the bracket that closes the group that starts at `from`; -1 if there is none. */
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

/** A route with `{}` for each path parameter, because nobody sends their names; patterns are left out too. */
export function shapeOf(route: string): string {
  return plainRoute(route).replaceAll(/\{[^{}]*\}/g, '{}');
}

/** No namespace has more parts. */
const MOST_PARTS = 10;

/** The longest of some namespaces that a route is under; undefined if it is under none. */
export function namespaceAbove(route: string, namespaces: ReadonlySet<string>): string | undefined {
  const parts = route.split('/', 1 + MOST_PARTS).slice(1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/')).findLast((name) => namespaces.has(name));
}
