import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../specs/schema.ts';
import { boundaryValues } from './boundaries.ts';
import { type Subject, subjects } from './contract.fixture.ts';
import type { Generated } from './generated.ts';
import { coercibleValues, invalidValues } from './invalid-values.ts';
import { hostileValues } from './unusual-values.ts';
import { validValues } from './valid-values.ts';
import { brokenKeywords } from './validator.fixture.ts';

const RUNS = 12;
const SEED = 7;

const GENERATORS: Readonly<Record<string, (schema: Schema) => fc.Arbitrary<Generated> | undefined>> = {
  valid: validValues,
  invalid: invalidValues,
  coercible: coercibleValues,
  hostile: hostileValues,
};

/** What contradicts the claim of a value; undefined if nothing does. @param zone the name of its generator */
function wrongIn({ schema }: Subject, one: Generated, zone = ''): string | undefined {
  const broken = brokenKeywords(schema, one.value).join();
  if (zone === 'valid') return broken === '' ? undefined : `breaks ${broken}`;
  if (one.expect === 'accepted') return broken === '' ? undefined : `is accepted, but breaks ${broken}`;
  if (one.expect === 'refused')
    return broken === one.keyword ? undefined : `breaks "${broken}", not ${one.keyword}`;
  return zone === 'invalid' ? 'is invalid, but need not be refused' : undefined;
}

function reported(subject: Subject, one: Generated, what: string): string {
  return `${subject.name}: ${JSON.stringify(one.value).slice(0, 100)} (${one.keyword}) ${what}`;
}

describe.each(Object.entries(GENERATORS))('%s values of every parameter and field', (zone, generate) => {
  it('are the same for the same seed, and what they claim to be', () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const subject of subjects()) {
      const values = generate(subject.schema);
      if (values === undefined) continue;
      const drawn = fc.sample(values, { numRuns: RUNS, seed: SEED });
      const again = generate(subject.schema) ?? values;
      if (JSON.stringify(fc.sample(again, { numRuns: RUNS, seed: SEED })) !== JSON.stringify(drawn)) {
        wrong.push(`${subject.name} differs`);
      }
      for (const one of drawn) {
        tried += 1;
        const what = wrongIn(subject, one, zone);
        if (what !== undefined) wrong.push(reported(subject, one, what));
      }
    }

    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(500);
  });
});

describe('boundary values of every parameter and field', () => {
  it('are the same each time, and on the side that they claim', () => {
    const wrong: string[] = [];
    for (const subject of subjects()) {
      const values = boundaryValues(subject.schema);
      expect(boundaryValues(subject.schema)).toEqual(values);
      for (const one of values) {
        const what = wrongIn(subject, one);
        if (what !== undefined) wrong.push(reported(subject, one, what));
      }
    }

    expect(wrong).toEqual([]);
  });
});
