import type { AbsentMember, Schema } from './schema.ts';

/** What a row rests on. */
export type Basis = 'stated' | 'implied' | 'doubtful';

/** A named set of parameters, as JSON Schema members. */
export interface ParameterSet {
  readonly section?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly 'x-absent-members'?: readonly AbsentMember[];
}

/** One row of an operation file: a method (or several with one meaning) on a route. */
export interface OperationRow {
  readonly id: string;
  readonly methods: readonly string[];
  readonly route: string;
  readonly section: string;
  readonly basis: Basis;
  readonly effect: 'reads' | 'writes' | 'alters-site';
  readonly batchable?: boolean;
  readonly captures?: Readonly<Record<string, string>>;
  readonly include?: readonly string[];
  readonly parameters?: ParameterSet;
  readonly note?: string;
}

/** A file of `specs/operations`, or a user's own: the operations of one namespace (`operation-file.schema.json`). */
export interface OperationFile {
  readonly namespace: string;
  readonly id: string;
  readonly section: string;
  readonly root?: Basis;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly parameterSets?: Readonly<Record<string, ParameterSet>>;
  readonly operations: readonly OperationRow[];
}
