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
  /** A value that shows whether it is heeded; without one nothing is sent. */
  readonly probe?: unknown;
  readonly 'x-neutral'?: string;
}

/** The types that a schema allows, as a list; empty when it states none. */
export function typesOf(schema: Schema): readonly string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}
