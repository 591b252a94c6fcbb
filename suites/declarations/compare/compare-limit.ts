import type { Difference } from '../../../engine/difference.ts';
import { show } from '../../../engine/show.ts';
import { LIMITS, type LimitKeyword, type Schema } from '../../../specs/schema.ts';
import type { Descriptor } from '../descriptor.ts';

/** Compares a limit; an exclusive bound on an integer is the inclusive one next to it. */
export function compareLimit(
  keyword: LimitKeyword,
  schema: Schema,
  declared: Descriptor,
): Difference | undefined {
  const expected = schema[keyword];
  if (expected === undefined) return undefined;
  const observed = effectiveLimit(keyword, declared);
  if (observed === expected) return undefined;
  if (typeof observed !== 'number') {
    const message = `declares no ${keyword}: nothing promises to refuse what the contract refuses`;
    return { message, expected: show(expected), observed: show(observed) };
  }
  const wider = LIMITS[keyword] === 'below' ? observed < expected : observed > expected;
  return {
    message: wider
      ? `has a wider ${keyword}: values that the contract refuses are allowed, so those who rely on the limit break`
      : `has a narrower ${keyword}: values that the contract allows are refused, so callers that send them break`,
    expected: show(expected),
    observed: show(observed),
  };
}

function effectiveLimit(keyword: LimitKeyword, declared: Descriptor): unknown {
  const value = declared.keyword(keyword);
  const integer = declared.types().includes('integer');
  if (keyword === 'minimum' && integer) return exclusive(value, declared.keyword('exclusiveMinimum'), 1);
  if (keyword === 'maximum' && integer) return exclusive(value, declared.keyword('exclusiveMaximum'), -1);
  return value;
}

/** Both spellings of an exclusive bound: a flag beside the limit, or the limit itself. */
function exclusive(value: unknown, mark: unknown, step: 1 | -1): unknown {
  if (mark === true && typeof value === 'number') return value + step;
  if (typeof mark !== 'number') return value;
  const bound = mark + step;
  if (typeof value !== 'number') return bound;
  return step === 1 ? Math.max(value, bound) : Math.min(value, bound);
}
