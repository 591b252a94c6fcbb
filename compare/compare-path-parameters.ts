import { RE2JS } from 're2js';
import { boundOfPattern } from '../suites/declarations/patterns.ts';
import { type Change, change } from './change.ts';
import type { Effect } from './law.ts';
import type { SurfaceRoute } from './surface.ts';

/** Longer patterns, and those that compile to more steps, are not looked into. */
const LONGEST = 500;
const MOST_STEPS = 5_000;
/** Texts of the kinds that stand in routes. One that only one of two patterns takes proves that they differ. */
const SAMPLES: readonly string[] = [
  ...['', '0', '1', '7', '42', '123456', '-1', '1.5', '1e3', '01'],
  ...['a', 'abc', 'ABC', 'post', 'a-b', 'a_b', 'a.b', 'a b', 'a/b', 'a//b', '/a', 'a/', 'a-1', 'A1', '1a'],
  ...['é', '%20', 'a%2Fb', 'a:b', 'a,b', 'a@b.example', 'a--b', '_a', '-a', 'a+b', 'block//name', '~', '*'],
  ...[
    'a'.repeat(100),
    '9'.repeat(40),
    'f47ac10b-58cc-4372-a567-0e02b2c3d479',
    'abcdef0123456789abcdef0123456789',
  ],
];

/** The changes of two routes that differ in their path parameters alone: names and patterns. */
export function comparePathParameters(before: SurfaceRoute, after: SurfaceRoute): Change[] {
  const [was, is] = [parametersOf(before), parametersOf(after)];
  return was.flatMap((one, at) => {
    const other = is[at];
    if (other === undefined || (one.name === other.name && one.pattern === other.pattern)) return [];
    return [
      change({
        id: `index/routes/${before.key}/path/${one.name}`,
        kind: 'path-parameter',
        owner: before.namespace,
        place: `the route ${before.key}`,
        subject: `path parameter ${one.name}`,
        isText: true,
        effect: effectOfPatterns(one.pattern, other.pattern),
        before: `(?P<${one.name}>${one.pattern})`,
        after: `(?P<${other.name}>${other.pattern})`,
      }),
    ];
  });
}

/**
 * What another pattern does to the texts that fit it. A sample proves that texts went; that none did cannot be proven so,
 * and is unknown unless the two are the same but for brackets around a single class.
 */
export function effectOfPatterns(before: string, after: string): Effect {
  if (plain(before) === plain(after)) return 'none';
  const [was, is] = [matcherOf(before), matcherOf(after)];
  if (was === undefined || is === undefined) return 'unknown';
  const lost = SAMPLES.some((text) => was(text) && !is(text));
  const gained = SAMPLES.some((text) => !was(text) && is(text));
  if (lost) return gained ? 'incomparable' : 'narrows';
  return 'unknown';
}

/** `[\d]` is `\d`. */
function plain(pattern: string): string {
  return pattern.replaceAll(/\[(\\[dws])\]/g, '$1');
}

/** The pattern of a target as a test of whole texts, in an engine whose time is linear; undefined where it is not run. */
function matcherOf(pattern: string): ((text: string) => boolean) | undefined {
  if (pattern.length > LONGEST || boundOfPattern(pattern) > MOST_STEPS) return undefined;
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matches(text);
  } catch {
    return undefined;
  }
}

function parametersOf({ route }: SurfaceRoute): { name: string; pattern: string }[] {
  return route.parts.flatMap((part) =>
    'pathParameter' in part ? [{ name: part.pathParameter, pattern: part.pattern }] : [],
  );
}
