import type { Basis, ResourceRow } from './operation-file.ts';
import type { Schema } from './schema.ts';

/** The contexts in which records are shown (§2). */
export const CONTEXTS = ['view', 'embed', 'edit'] as const;

/** A context of responses. */
export type Context = (typeof CONTEXTS)[number];

/** A parameter of an operation, every reference resolved. `required` is undefined where the specification is silent. */
export interface Parameter {
  /** The neutral name, as in check ids. */
  readonly name: string;
  /** The name that the target uses, after the vocabulary. */
  readonly wire: string;
  readonly schema: Schema;
  readonly required: boolean | undefined;
  readonly in: 'path' | 'query' | 'body';
  readonly section: string;
  readonly basis: Basis;
}

/** A parameter that the specification states to be absent (R40). */
export interface AbsentParameter {
  /** The neutral name, as in check ids. */
  readonly name: string;
  /** The name that the target would use. */
  readonly wire: string;
  readonly section: string;
  readonly basis: Basis;
  /** The words that exclude it, for a reader. */
  readonly reason: string;
  /** A value that no record of a list has; undefined where none is known. */
  readonly probe: unknown;
  /** The ending of a pair of parameters of the target's own, `genre` and `genre_exclude`, with which it comes. */
  readonly unlessBeside: string | undefined;
}

/** A path parameter of a route; `kind` is undefined where nothing states which text it takes. */
export interface PathParameter {
  readonly name: string;
  readonly kind: PathParameterKind | undefined;
}

/**
 * What a kind of path parameter accepts (`specs/path-parameter-kinds.json`): a pattern, and samples that decide when
 * spellings differ.
 */
export interface PathParameterKind {
  readonly pattern: string;
  readonly accepts: readonly string[];
  readonly refuses: readonly string[];
}

/** A route of the contract. */
export interface Route {
  /** Neutral, with path parameters as `{name}`. */
  readonly path: string;
  /** In the words of the target, with path parameters as `{name}`. */
  readonly wire: string;
  /** The neutral namespace; empty for the index and the batch route. */
  readonly namespace: string;
  readonly pathParameters: readonly PathParameter[];
  readonly section: string;
  readonly basis: Basis;
}

/** What a site publishes of the records that an operation answers. */
interface PublishedRecord {
  /** Its name in the operation file. */
  readonly name: string;
  readonly schema: Schema;
}

/** A method, or several with one meaning, on a route. */
export interface Operation {
  /** Begins with its area, as an operation file writes it: `posts.list`. */
  readonly id: string;
  /** What reports group its checks under, such as `posts`. */
  readonly area: string;
  /** The resource that it works on, and what it does with it; undefined for what works on no records. */
  readonly resource: ResourceRow | undefined;
  readonly role: string | undefined;
  readonly methods: readonly string[];
  readonly route: Route;
  readonly section: string;
  readonly basis: Basis;
  readonly effect: 'reads' | 'writes' | 'alters-site';
  /** Whether its namespace refuses what its declarations exclude; elsewhere that warns (R34). */
  readonly strict: boolean;
  readonly batchable: boolean;
  readonly parameters: readonly Parameter[];
  readonly absent: readonly AbsentParameter[];
  /** Only where the site publishes it. */
  readonly answer?: PublishedRecord;
}

/** A kind of records with its collection: posts, the revisions of posts, or the books of a user's own plugin. */
export interface Resource extends ResourceRow {
  /** Its operations by their roles: `list`, `create`, `read`, `update`, `delete`, and words of its own. */
  readonly operations: Readonly<Partial<Record<string, Operation>>>;
  /** The resources of its children, such as its revisions. */
  readonly children: readonly string[];
}

/** A namespace of the deployment. */
export interface Namespace {
  readonly name: string;
  readonly wire: string;
  readonly id: string;
  readonly basis: Basis;
}

/** A namespace that a built-in operation file describes, and the deployment leaves out. */
interface KnownElsewhere {
  readonly name: string;
  readonly wire: string;
  /** The name of the operation file, as a deployment file takes it. */
  readonly file: string;
}

/** Everything that is asked of one deployment, in the words of one vocabulary. Frozen. */
export interface Contract {
  readonly deployment: string;
  /** Only where the site is held to what it publishes. */
  readonly binding?: true;
  readonly vocabulary: string;
  /** `sha256:` over the resolved contract, so that two runs can say whether they checked the same. */
  readonly digest: string;
  readonly namespaces: readonly Namespace[];
  readonly routes: readonly Route[];
  readonly operations: readonly Operation[];
  /** In the order of their files; those without any operation are left out. */
  readonly resources: readonly Resource[];
  /** What the contract could ask of a site as well, were it part of the deployment. */
  readonly elsewhere: readonly KnownElsewhere[];
}
