/**
 * The part of JSON Schema 2020-12 that the contract uses for parameters and fields, with our annotations:
 * `x-section`, `x-basis`: source of the row where it differs from the operation's;
 * `x-doubtful`: keywords whose difference is only a warning; `x-absent`: keywords that must not be declared;
 * `x-silent`: keywords on which the specification says nothing, though other rows do; `effect`: what the parameter changes;
 * `x-feature`: present only on deployments with that feature; `x-contexts`: contexts in which a response shows it;
 * `x-neutral`: the neutral name of a member whose name a vocabulary has changed;
 * `x-absent-members`: members that are stated to be absent; `x-variants`: variants that are among the declared ones.
 * `x-apart`: fields of which the first that a record has is not written together with it: only one of the two may be kept;
 * `x-published`: further keywords as a site publishes them, compared and never used to make values;
 * `x-names`: the resource whose records its ids name (`users`, `terms` and `templates` where none is described).
 */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly readOnly?: boolean;
  readonly 'x-section'?: string;
  readonly 'x-basis'?: 'stated' | 'implied' | 'doubtful' | 'published';
  readonly 'x-doubtful'?: readonly string[];
  readonly 'x-absent'?: readonly string[];
  readonly 'x-silent'?: readonly string[];
  readonly 'x-feature'?: string;
  readonly 'x-contexts'?: readonly string[];
  readonly 'x-neutral'?: string;
  readonly 'x-absent-members'?: readonly AbsentMember[];
  readonly 'x-variants'?: readonly Schema[];
  readonly 'x-names'?: string;
  readonly 'x-apart'?: readonly string[];
  readonly 'x-published'?: Readonly<Record<string, unknown>>;
}

/** A parameter, or a member of an object, that the specification states to be absent (R40). */
export interface AbsentMember {
  readonly name: string;
  readonly section: string;
  readonly basis: 'stated' | 'implied';
  /** The words that exclude it, for a reader. */
  readonly reason: string;
  /** A value that shows whether it is applied; without one nothing is sent. */
  readonly probe?: unknown;
  /** The ending of a pair of parameters of the target's own with which it comes. */
  readonly unlessBeside?: string;
  readonly 'x-neutral'?: string;
}

/** The types that a schema allows, as a list; empty when it states none. */
export function typesOf(schema: Schema): readonly string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

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
