import type { AbsentMember, Schema } from './schema.ts';

/** The basis of a requirement in the specification, or `published` for the site's own declarations. */
export type Basis = 'stated' | 'implied' | 'doubtful' | 'published';

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
  /** The resource that it works on, and its role there. */
  readonly resource?: string;
  readonly role?: string;
  readonly methods: readonly string[];
  readonly route: string;
  readonly section: string;
  readonly basis: Basis;
  readonly effect: 'reads' | 'writes' | 'alters-site';
  readonly batchable?: boolean;
  /** The kind of each path parameter, or its pattern. */
  readonly captures?: Readonly<Record<string, string | { readonly pattern: string }>>;
  /** The name in `records` of the records in its answer. */
  readonly answer?: string;
  readonly title?: string;
  readonly include?: readonly string[];
  readonly parameters?: ParameterSet;
  readonly note?: string;
}

interface Statuses {
  /** The status of public records, and the default of the list. */
  readonly open: string;
  /** Statuses that a record keeps when they are written. */
  readonly kept: readonly string[];
  /** Statuses that the list can filter by and a record can have. */
  readonly listed: readonly string[];
}

/** One row of `resources`: a kind of records with its collection. */
export interface ResourceRow {
  readonly id: string;
  readonly kind: 'records' | 'uploads' | 'revisions' | 'autosaves';
  readonly section: string;
  /** The resource of their parents; for revisions and autosaves. */
  readonly parent?: string;
  readonly statuses?: Statuses;
  readonly trash?: boolean;
  readonly uniqueSlugs?: boolean;
  readonly protects?: boolean;
  /** The field with the parent of a record, such as `parent`. */
  readonly belongsTo?: string;
  /** Set if the resource was recognised by the shape of published routes. */
  readonly basis?: 'published';
  /** For a published resource: whether a run may have records of its own there. */
  readonly writable?: boolean;
  /** Values of fields, by name, that a new record does not have by default. */
  readonly unusual?: Readonly<Record<string, unknown>>;
}

/** An operation file, built-in or a user's own: the operations of one namespace (`operation-file.schema.json`). */
export interface OperationFile {
  readonly namespace: string;
  readonly id: string;
  readonly section: string;
  readonly root?: Basis;
  /** Whether the namespace refuses what its declarations exclude (R34). */
  readonly strict?: true;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly parameterSets?: Readonly<Record<string, ParameterSet>>;
  /** The published schemas of records. */
  readonly records?: Readonly<Record<string, Schema>>;
  readonly resources?: readonly ResourceRow[];
  readonly operations: readonly OperationRow[];
}

/** Declarations of the site that replace those of a built-in operation file. */
export interface Amendment {
  /** False if the site does not serve the operation; then it has no checks. */
  readonly served?: false;
  readonly methods?: OperationRow['methods'];
  readonly batchable?: boolean;
  readonly captures?: NonNullable<OperationRow['captures']>;
  /** Parameters as the site declares them, instead of those of the file. */
  readonly parameters?: ParameterSet;
  /** Parameters of the file that the site does not declare. */
  readonly without?: readonly string[];
}

export type Amendments = Readonly<Record<string, Amendment>>;
