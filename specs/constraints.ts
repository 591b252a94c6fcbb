import type { AbsentMember, Schema } from './schema.ts';

/** Keywords that bound a value, and whether they bound it from below or above. */
export const LIMITS = {
  minimum: 'below',
  maximum: 'above',
  minLength: 'below',
  maxLength: 'above',
  minItems: 'below',
  maxItems: 'above',
} as const;

/** A keyword that bounds a value. */
export type LimitKeyword = keyof typeof LIMITS;

/** How to get from a parameter's descriptor to the one that a constraint is about. */
export type Step =
  | { readonly to: 'items' }
  | { readonly to: 'members' }
  /** `neutral` is the name in check ids, where the target has another. */
  | { readonly to: 'property'; readonly name: string; readonly neutral?: string };

/** What can be stated about one descriptor. */
export type ConstraintKind =
  | 'declared'
  | 'required'
  | 'type'
  | 'default'
  | 'default/absent'
  | 'absent'
  | 'contexts'
  | 'variants'
  | 'published'
  | 'enum'
  | 'format'
  | 'pattern'
  | 'uniqueItems'
  | 'additionalProperties'
  | LimitKeyword;

/** One stated constraint of a parameter, at some depth. */
export interface Constraint {
  readonly kind: ConstraintKind;
  readonly steps: readonly Step[];
  /** The schema at that depth. */
  readonly schema: Schema;
  /** Whether it must be required; only for the kind `required`. */
  readonly required?: boolean;
  /** Why nothing is to stand at that place, and whether its object takes no other members; only for the kind `absent`. */
  readonly absent?: AbsentMember & { readonly closed: boolean };
}

const LIMIT_KEYWORDS = Object.keys(LIMITS).filter((name): name is LimitKeyword => name in LIMITS);

/**
 * Every constraint that a parameter's schema states, outermost first. What is not stated yields nothing.
 * @param required whether the parameter is required; undefined where that is silent
 */
export function constraintsOf(schema: Schema, required: boolean | undefined): Constraint[] {
  return at(schema, required, []);
}

function at(schema: Schema, required: boolean | undefined, steps: readonly Step[]): Constraint[] {
  const found: Constraint[] = [{ kind: 'declared', steps, schema }];
  const add = (kind: ConstraintKind): void => {
    found.push({ kind, steps, schema });
  };
  if (required !== undefined) found.push({ kind: 'required', steps, schema, required });
  if (schema.type !== undefined) add('type');
  if ('default' in schema) add('default');
  if (schema['x-absent']?.includes('default') === true) add('default/absent');
  if (schema.enum !== undefined) add('enum');
  if (schema.format !== undefined) add('format');
  if (schema.pattern !== undefined) add('pattern');
  if (schema.uniqueItems === true) add('uniqueItems');
  if (typeof schema.additionalProperties === 'boolean') add('additionalProperties');
  for (const keyword of LIMIT_KEYWORDS) if (schema[keyword] !== undefined) add(keyword);
  if (schema['x-contexts'] !== undefined) add('contexts');
  if (schema['x-variants'] !== undefined) add('variants');
  if (schema['x-published'] !== undefined) add('published');

  if (schema.items !== undefined) found.push(...at(schema.items, undefined, [...steps, { to: 'items' }]));
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const memberRequired = schema.required?.includes(name) === true ? true : undefined;
    const neutral = member['x-neutral'];
    const step: Step = { to: 'property', name, ...(neutral !== undefined && { neutral }) };
    found.push(...at(member, memberRequired, [...steps, step]));
  }
  for (const one of schema['x-absent-members'] ?? []) {
    const { name, section, basis, 'x-neutral': neutral } = one;
    const step: Step = { to: 'property', name, ...(neutral !== undefined && { neutral }) };
    const closed = schema.additionalProperties === false;
    const about = { 'x-section': section, 'x-basis': basis };
    found.push({
      kind: 'absent',
      steps: [...steps, step],
      schema: about,
      absent: { ...one, closed },
    });
  }
  if (typeof schema.additionalProperties === 'object') {
    found.push(...at(schema.additionalProperties, undefined, [...steps, { to: 'members' }]));
  }
  return found;
}

/** The part of a check id that names the place: `items`, `properties/terms`, empty for the parameter itself. */
export function placeOf(steps: readonly Step[]): string {
  return steps
    .map((step) => {
      if (step.to === 'property') return `properties/${step.neutral ?? step.name}`;
      return step.to === 'items' ? 'items' : 'members';
    })
    .join('/');
}

/** The place in the words of a reader, such as `"terms" in categories`. */
export function describePlace(parameter: string, steps: readonly Step[]): string {
  return steps.reduce((inside, step) => {
    if (step.to === 'property') return `"${step.name}" in ${inside}`;
    return step.to === 'items' ? `the items of ${inside}` : `the members of ${inside}`;
  }, parameter);
}
