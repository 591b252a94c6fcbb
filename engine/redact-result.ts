import { type Redactor, redactJson } from '../client/redact.ts';
import type { Counterexample } from './fuzz-options.ts';
import type { CheckResult } from './result.ts';

/** A result with secrets masked: names of members that a target sends are not masked before. */
export function redactResult(result: CheckResult, redact: Redactor): CheckResult {
  return {
    ...result,
    ...(result.replay !== undefined && {
      replay: { sets: result.replay.sets.map((set) => redactSet(set, redact)) },
    }),
    ...(result.message !== undefined && { message: redact(result.message) }),
    ...(result.expected !== undefined && { expected: redact(result.expected) }),
    ...(result.observed !== undefined && { observed: redact(result.observed) }),
    ...(result.reproduce !== undefined && { reproduce: result.reproduce.map(redact) }),
  };
}

/** A set in which a secret is masked is another one than was judged. */
function redactSet(set: Counterexample, redact: Redactor): Counterexample {
  const { args, message, expected, observed, reproduce } = set;
  const shown = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, redactJson(value, redact)]),
  );
  return {
    ...set,
    args: shown,
    ...(JSON.stringify(shown) !== JSON.stringify(args) && { masked: true }),
    message: redact(message),
    ...(expected !== undefined && { expected: redact(expected) }),
    ...(observed !== undefined && { observed: redact(observed) }),
    ...(reproduce !== undefined && { reproduce: reproduce.map(redact) }),
  };
}
