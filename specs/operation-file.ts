import type { AbsentMember, Schema } from './schema.ts';

/** What a requirement rests on in the specification, or `published`: what the site says of itself. */
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
  /** The resource that it works on, and what it does with it. */
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
  /** The name in `records` of what it answers. */
  readonly answer?: string;
  readonly title?: string;
  readonly include?: readonly string[];
  readonly parameters?: ParameterSet;
  readonly note?: string;
}

/** How the records of a resource come to be. */
export type ResourceKind = 'records' | 'uploads' | 'revisions' | 'autosaves';

/** Words of the field `status` of a resource. */
interface Statuses {
  /** What a record that everybody may see has, and the default of the list. */
  readonly open: string;
  /** Those that a record keeps when they are written. */
  readonly kept: readonly string[];
  /** Those that the list can filter by and a record can have. */
  readonly listed: readonly string[];
}

/** One row of `resources`: a kind of records with its collection. */
export interface ResourceRow {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly section: string;
  /** The resource whose records these are children of; of revisions and autosaves. */
  readonly parent?: string;
  /** Of records and uploads. */
  readonly statuses?: Statuses;
  readonly trash?: boolean;
  readonly uniqueSlugs?: boolean;
  readonly protects?: boolean;
  /** The field by which a record names the one that it belongs to, such as `parent`. */
  readonly belongsTo?: string;
  /** Recognised by the shape of what a site publishes. */
  readonly basis?: 'published';
  /** Of a published resource: whether a run may have records of its own there. */
  readonly writable?: boolean;
  /** Values of fields, by their names, that a new record does not have by itself. */
  readonly unusual?: Readonly<Record<string, unknown>>;
}

/** A file of `specs/operations`, or a user's own: the operations of one namespace (`operation-file.schema.json`). */
export interface OperationFile {
  readonly namespace: string;
  readonly id: string;
  readonly section: string;
  readonly root?: Basis;
  /** Whether the namespace refuses what its declarations exclude (R34). */
  readonly strict?: true;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly parameterSets?: Readonly<Record<string, ParameterSet>>;
  /** The schemas of records as a site publishes them. */
  readonly records?: Readonly<Record<string, Schema>>;
  readonly resources?: readonly ResourceRow[];
  readonly operations: readonly OperationRow[];
}
