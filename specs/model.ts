import type { Basis, OperationRow, ResourceRow } from './operation-file.ts';
import type { AbsentMember, Schema } from './schema.ts';

/** The contexts in which records are shown (§2). */
export const CONTEXTS = ['view', 'embed', 'edit'] as const;

export type Context = (typeof CONTEXTS)[number];

/** A parameter of an operation, with references resolved. `required` is undefined if the specification is silent. */
export interface Parameter {
  /** The neutral name, as in check ids. */
  readonly name: string;
  /** The target's name, according to the vocabulary. */
  readonly wire: string;
  readonly schema: Schema;
  readonly required: boolean | undefined;
  readonly in: 'path' | 'query' | 'body';
  readonly section: string;
  readonly basis: Basis;
}

/** A parameter that the specification excludes (R40), by its neutral name. */
export interface AbsentParameter extends Omit<AbsentMember, 'x-neutral' | 'unlessBeside'> {
  /** The name that the target would use. */
  readonly wire: string;
  readonly unlessBeside: string | undefined;
}

/** What a path parameter accepts (`specs/path-parameter-kinds.json`), with samples where spellings differ. */
export interface PathParameterKind {
  readonly pattern: string;
  readonly accepts: readonly string[];
  readonly refuses: readonly string[];
}

export interface Route {
  /** The neutral path with `{name}` for path parameters. */
  readonly path: string;
  /** The path in the words of the target with `{name}` for path parameters. */
  readonly wire: string;
  /** The neutral namespace; empty for the index and the batch route. */
  readonly namespace: string;
  /** The path parameters; `kind` is undefined if nothing states their text. */
  readonly pathParameters: readonly { readonly name: string; readonly kind: PathParameterKind | undefined }[];
  readonly section: string;
  readonly basis: Basis;
}

/** A method, or several with one meaning, on a route. Its id is that of the operation file, such as `posts.list`. */
export interface Operation extends Pick<OperationRow, 'id' | 'methods' | 'section' | 'basis' | 'effect'> {
  /** The resource that it works on, and its role there; undefined if it works on no records. */
  readonly resource: ResourceRow | undefined;
  readonly role: string | undefined;
  readonly route: Route;
  /** Whether its namespace refuses what its declarations exclude; otherwise a violation only warns (R34). */
  readonly strict: boolean;
  readonly batchable: boolean;
  readonly parameters: readonly Parameter[];
  readonly absent: readonly AbsentParameter[];
  /** The records in its answer, if the site publishes their schema. */
  readonly answer?: { readonly name: string; readonly schema: Schema };
}

/** A kind of records with its collection: posts, the revisions of posts, or the books of a user's plugin. */
export interface Resource extends ResourceRow {
  /** Its operations by role: `list`, `create`, `read`, `update`, `delete`, and others. */
  readonly operations: Readonly<Partial<Record<string, Operation>>>;
  /** The resources of its children, such as its revisions. */
  readonly children: readonly string[];
}

export interface Namespace {
  readonly name: string;
  readonly wire: string;
  readonly id: string;
  readonly basis: Basis;
}

/** All requirements of one deployment in the words of one vocabulary. Frozen. */
export interface Contract {
  readonly deployment: string;
  /** Set if contradictions of what the site publishes are failures. */
  readonly binding?: true;
  readonly vocabulary: string;
  /** `sha256:` of the resolved contract, to see whether two runs checked the same. */
  readonly digest: string;
  readonly namespaces: readonly Namespace[];
  readonly routes: readonly Route[];
  readonly operations: readonly Operation[];
  /** In the order of their files, without those that have no operation. */
  readonly resources: readonly Resource[];
  /** Namespaces that the deployment leaves out, each with the name of its built-in operation file. */
  readonly elsewhere: readonly { readonly name: string; readonly wire: string; readonly file: string }[];
}
