import fc from 'fast-check';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { NO_MEMBER, type Violation, violation } from './violation.ts';

const FARTHEST = 1000;

/** The ways to break a schema of numbers. @param empty whether an empty text is no number for sure */
export function numberViolations(schema: Schema, empty: boolean): Violation[] {
  const { minimum, maximum } = schema;
  const found = [violation('type', noNumbers(schema, empty), 'abc', 'no whole number')];
  if (minimum !== undefined) {
    const nearest = Math.ceil(minimum) - 1;
    const values = fc.nat(FARTHEST).map((n) => nearest - n);
    found.push(violation('minimum', values, nearest, `less than the minimum ${minimum}`));
  }
  if (maximum !== undefined) {
    const nearest = Math.floor(maximum) + 1;
    const values = fc.nat(FARTHEST).map((n) => nearest + n);
    found.push(violation('maximum', values, nearest, `more than the maximum ${maximum}`));
  }
  return found;
}

function noNumbers(schema: Schema, empty: boolean): fc.Arbitrary<unknown> {
  const words: fc.Arbitrary<unknown>[] = [fc.constantFrom('abc', '1abc'), NO_MEMBER];
  if (empty) words.push(fc.constant(''));
  if (!typesOf(schema).includes('integer')) return fc.oneof(...words);
  const low = Math.ceil(schema.minimum ?? 1);
  const high = Math.floor(schema.maximum ?? low + FARTHEST);
  if (low < high) {
    const halves = fc.integer({ min: low, max: high - 1 }).map((n) => n + 0.5);
    words.push(
      halves,
      halves.map((n) => String(n)),
    );
  }
  if (empty) words.push(fc.constantFrom<unknown>(true, 'true'));
  return fc.oneof(
    ...words,
    fc.nat(FARTHEST).map((n) => [n]),
  );
}
