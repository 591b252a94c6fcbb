import { boundaryValues } from '../../generators/boundaries.ts';
import { type ConstraintKind, constraintsOf, type Schema } from '../../specs/schema.ts';

/** Keywords that say which values are valid; the others say something about the declaration. */
const ABOUT_VALUES: ReadonlySet<ConstraintKind> = new Set<ConstraintKind>([
  'type',
  'enum',
  'format',
  'pattern',
  'uniqueItems',
  'additionalProperties',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/**
 * The keywords of a schema at any depth, with whether it has a value at the edge of each that is accepted, or refused, for
 * sure.
 * @param side which of the two is wanted
 */
export function edgeKeywords(schema: Schema, side: 'accepted' | 'refused'): ReadonlyMap<string, boolean> {
  const sure = new Set(
    boundaryValues(schema)
      .filter(({ expect }) => expect === side)
      .map(({ keyword = 'type' }) => keyword),
  );
  const stated = constraintsOf(schema, undefined)
    .filter(({ kind, schema: own }) => ABOUT_VALUES.has(kind) && !(kind === 'type' && isNarrowed(own)))
    .map(({ kind }) => kind);
  return new Map([...new Set<string>([...stated, ...sure])].map((keyword) => [keyword, sure.has(keyword)]));
}

/** Whether other keywords say of each value what its type would. */
function isNarrowed({ enum: members, format, pattern }: Schema): boolean {
  return members !== undefined || format !== undefined || pattern !== undefined;
}
