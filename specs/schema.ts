/**
 * The part of JSON Schema 2020-12 that the contract uses, with our annotations:
 * - `x-section`, `x-basis`: the source, if it differs from that of the operation
 * - `x-doubtful`: keywords whose differences only warn
 * - `x-registered`: plugins register further members of its enum, for all resources at once
 * - `x-absent`: keywords that must not be declared
 * - `x-silent`: keywords on which the specification says nothing here, although it does elsewhere
 * - `effect`: what the parameter changes
 * - `x-feature`: only for deployments with that feature
 * - `x-contexts`: contexts in which a response shows it
 * - `x-neutral`: the neutral name of a member that a vocabulary has renamed
 * - `x-absent-members`: members that are stated to be absent
 * - `x-variants`: variants that must be among the declared ones
 * - `x-apart`: fields of which a record can keep only one
 * - `x-published`: further published keywords, compared but never used to make values
 * - `x-examples`: values that the specification names as valid
 * - `x-names`: the resource whose records its ids name (`users`, `terms` and `templates` if none is described)
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
  readonly 'x-registered'?: true;
  readonly 'x-absent'?: readonly string[];
  readonly 'x-silent'?: readonly string[];
  readonly 'x-feature'?: string;
  readonly 'x-contexts'?: readonly string[];
  readonly 'x-neutral'?: string;
  readonly 'x-absent-members'?: readonly AbsentMember[];
  readonly 'x-variants'?: readonly Schema[];
  readonly 'x-examples'?: readonly unknown[];
  readonly 'x-names'?: string;
  readonly 'x-apart'?: readonly string[];
  readonly 'x-published'?: Readonly<Record<string, unknown>>;
}

/** A parameter, or a member of an object, that the specification excludes (R40). */
export interface AbsentMember {
  readonly name: string;
  readonly section: string;
  readonly basis: 'stated' | 'implied';
  /** The words that exclude it, for reports. */
  readonly reason: string;
  /** A value that shows whether it is applied; without one nothing is sent. */
  readonly probe?: unknown;
  /** The ending of a pair of the target's own parameters. Within such a pair it is allowed. */
  readonly unlessBeside?: string;
  readonly 'x-neutral'?: string;
}

/** The members of an object that are stated, or stated to be absent. */
export function namedMembers(schema: Schema): ReadonlySet<string> {
  const absent = schema['x-absent-members'] ?? [];
  return new Set([...Object.keys(schema.properties ?? {}), ...absent.map(({ name }) => name)]);
}

/** The types of a schema as a list; empty if it states none. */
export function typesOf(schema: Schema): readonly string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** The types of JSON Schema. An integer is also a number. */
export const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** The formats of which values can be made. */
export const FORMATS: ReadonlySet<string> = new Set(['date-time', 'uri']);

/** The type of a JSON value. Whole numbers are integers. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The keywords about values of one type. Those about numbers are about integers too. */
const KEYWORDS_OF: Readonly<Record<string, string>> = {
  string: 'minLength maxLength pattern format',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  array: 'items minItems maxItems uniqueItems',
  object: 'properties additionalProperties required minProperties maxProperties',
};

const TYPE_OF = new Map(
  Object.entries(KEYWORDS_OF).flatMap(([type, keywords]) => keywords.split(' ').map((one) => [one, type])),
);

/** The type that a keyword is about; undefined if it is about all. */
export function typeOfKeyword(keyword: string): string | undefined {
  return TYPE_OF.get(keyword);
}

/** Whether a keyword is about values of a type. */
export function isAbout(keyword: string, type: string): boolean {
  const about = TYPE_OF.get(keyword);
  return about === undefined || about === (type === 'integer' ? 'number' : type);
}

/** Keywords for a lower and an upper limit. */
export const RANGES = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

/** Keywords for limits, and which side they limit. */
export const LIMITS = {
  minimum: 'below',
  maximum: 'above',
  minLength: 'below',
  maxLength: 'above',
  minItems: 'below',
  maxItems: 'above',
} as const;

export type LimitKeyword = keyof typeof LIMITS;

/** The keywords for limits. */
export const LIMIT_KEYWORDS: readonly LimitKeyword[] = RANGES.flat();

/** A step from a parameter's descriptor to the descriptor of a constraint. */
export type Step =
  | { readonly to: 'items' }
  | { readonly to: 'members' }
  /** `neutral` is the name in check ids, if the target has another one. */
  | { readonly to: 'property'; readonly name: string; readonly neutral?: string };

/** What can be stated about a descriptor. */
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
  readonly schema: Schema;
  readonly required?: boolean;
  /** What is excluded, and whether the object allows no other members; only for `absent`. */
  readonly absent?: AbsentMember & { readonly closed: boolean };
}

/** The constraints that keywords of a schema state, in their order. */
const STATED: readonly (readonly [ConstraintKind, (schema: Schema) => boolean])[] = [
  ['type', ({ type }) => type !== undefined],
  ['default', (schema) => 'default' in schema],
  ['default/absent', (schema) => schema['x-absent']?.includes('default') === true],
  ...(['enum', 'format', 'pattern'] as const).map((kind) => states(kind, kind)),
  ['uniqueItems', ({ uniqueItems }) => uniqueItems === true],
  ['additionalProperties', (schema) => typeof schema.additionalProperties === 'boolean'],
  ...LIMIT_KEYWORDS.map((kind) => states(kind, kind)),
  states('contexts', 'x-contexts'),
  states('variants', 'x-variants'),
  states('published', 'x-published'),
];

function states(kind: ConstraintKind, keyword: keyof Schema) {
  return [kind, (schema: Schema) => schema[keyword] !== undefined] as const;
}

/** The constraints of a parameter's schema, the outermost first. @param required undefined if nothing is stated */
export function constraintsOf(schema: Schema, required: boolean | undefined): Constraint[] {
  return at(schema, required, []);
}

function at(schema: Schema, required: boolean | undefined, steps: readonly Step[]): Constraint[] {
  const found: Constraint[] = [{ kind: 'declared', steps, schema }];
  if (required !== undefined) found.push({ kind: 'required', steps, schema, required });
  for (const [kind, isStated] of STATED) if (isStated(schema)) found.push({ kind, steps, schema });

  if (schema.items !== undefined) found.push(...at(schema.items, undefined, [...steps, { to: 'items' }]));
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    // Where some members of an object are marked as required, the others are optional (R9, R28).
    const memberRequired = schema.required?.includes(name);
    found.push(...at(member, memberRequired, [...steps, propertyStep(name, member)]));
  }
  for (const one of schema['x-absent-members'] ?? []) {
    const { name, section, basis } = one;
    const about = { 'x-section': section, 'x-basis': basis };
    const absent = { ...one, closed: schema.additionalProperties === false };
    found.push({ kind: 'absent', steps: [...steps, propertyStep(name, one)], schema: about, absent });
  }
  if (typeof schema.additionalProperties === 'object') {
    found.push(...at(schema.additionalProperties, undefined, [...steps, { to: 'members' }]));
  }
  return found;
}

function propertyStep(name: string, { 'x-neutral': neutral }: Pick<Schema, 'x-neutral'>): Step {
  return { to: 'property', name, ...(neutral !== undefined && { neutral }) };
}

/** The part of a check id for the place: `items`, `properties/terms`, empty for the parameter itself. */
export function placeOf(steps: readonly Step[]): string {
  return steps
    .map((step) => {
      if (step.to === 'property') return `properties/${step.neutral ?? step.name}`;
      return step.to === 'items' ? 'items' : 'members';
    })
    .join('/');
}

/** The place for people, such as `"terms" in categories`. */
export function describePlace(parameter: string, steps: readonly Step[]): string {
  return steps.reduce((inside, step) => {
    if (step.to === 'property') return `"${step.name}" in ${inside}`;
    return step.to === 'items' ? `the items of ${inside}` : `the members of ${inside}`;
  }, parameter);
}

/** Whether other keywords already decide everything that the type would. */
export function isNarrowed({ enum: members, format, pattern }: Schema): boolean {
  return members !== undefined || format !== undefined || pattern !== undefined;
}

/** Whether a text of any content is a value. */
export function takesAnyText(schema: Schema): boolean {
  return typesOf(schema).includes('string') && !isNarrowed(schema);
}
