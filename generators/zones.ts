/**
 * Where a value stands to its schema. `coercible` values are read as valid by some software and refused by other;
 * `hostile` ones are sent to see whether the software survives them.
 */
export type Zone = 'valid' | 'invalid' | 'boundary' | 'coercible' | 'hostile';

/** What must come of an argument; `unasserted` where neither the contract nor the interface decides it for sure. */
export type Expectation = 'accepted' | 'refused' | 'unasserted';

/** One generated value. */
export interface Generated {
  readonly value: unknown;
  readonly zone: Zone;
  /** The keyword that an invalid value breaks, or that a boundary is of. */
  readonly keyword?: string;
  /** Where the keyword stands in the schema, as in check ids: `items`, `properties/terms`; empty for the schema itself. */
  readonly place?: string;
  /** What is special about the value, for a reader. */
  readonly why: string;
  readonly expect: Expectation;
}
