import { RE2JS } from 're2js';
import { boundOfPattern } from './compare/bound-of-pattern.ts';

const LONGEST = 500;
const MOST_STEPS = 5_000;

const compiled = new Map<string, RE2JS | undefined>();

/**
 * Whether a text as a whole is what a pattern of a target takes. The pattern runs in an engine whose time is linear in the
 * text. @returns false also where that engine cannot read it, or it is too long to be compiled
 */
export function fitsWhole(pattern: string, text: string): boolean {
  return compile(pattern)?.matches(text) ?? false;
}

/** The same for any part of a text. */
export function fits(pattern: string, text: string): boolean {
  return compile(pattern)?.matcher(text).find() ?? false;
}

/** Whether that engine can read a pattern, within bounds. */
export function isReadable(pattern: string): boolean {
  return compile(pattern) !== undefined;
}

function compile(pattern: string): RE2JS | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern);
  let expression: RE2JS | undefined;
  try {
    const isBounded = pattern.length <= LONGEST && boundOfPattern(pattern) <= MOST_STEPS;
    expression = isBounded ? RE2JS.compile(pattern) : undefined;
  } catch {
    expression = undefined;
  }
  compiled.set(pattern, expression);
  return expression;
}
