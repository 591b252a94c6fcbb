import type { Step } from '../specs/constraints.ts';
import type { Schema } from '../specs/schema.ts';
import { goodObject, goodValue } from './good-value.ts';

/** A member name for objects whose members are not named. */
const ANY_MEMBER = 'sample';

/**
 * Puts a value into the place of a parameter that the steps lead to; everything around it is good.
 * @param schema of the parameter; @param steps from the parameter to the place; @param leaf what stands there
 */
export function embedValue(schema: Schema, steps: readonly Step[], leaf: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return leaf;
  if (step.to === 'items') {
    const inner = embedValue(schema.items ?? {}, rest, leaf);
    const others = Array.from({ length: Math.max(0, (schema.minItems ?? 0) - 1) }, () =>
      goodValue(schema.items ?? {}),
    );
    return [inner, ...others];
  }
  if (step.to === 'members') {
    const members = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    return { ...goodObject(schema), [ANY_MEMBER]: embedValue(members, rest, leaf) };
  }
  return { ...goodObject(schema), [step.name]: embedValue(schema.properties?.[step.name] ?? {}, rest, leaf) };
}

/** The object around a member, without that member. */
export function withoutMember(schema: Schema, steps: readonly Step[]): unknown {
  const last = steps.at(-1);
  if (last?.to !== 'property') return undefined;
  const path = steps.slice(0, -1);
  const { [last.name]: _, ...rest } = goodObject(schemaAt(schema, path));
  return embedValue(schema, path, rest);
}

/** The schema at a place. */
export function schemaAt(schema: Schema, steps: readonly Step[]): Schema {
  return steps.reduce<Schema>((at, step) => {
    if (step.to === 'items') return at.items ?? {};
    if (step.to === 'members')
      return typeof at.additionalProperties === 'object' ? at.additionalProperties : {};
    return at.properties?.[step.name] ?? {};
  }, schema);
}
