import type { Contract, Resource } from './contract.ts';
import type { Call, Site } from './site.ts';
import type { Kind } from './store.ts';

/**
 * The resource that the operation of a call works on.
 * @throws Error when it works on none.
 */
export function resourceOf({ operation }: Call): Resource {
  if (!operation.resource) throw new Error(`${operation.id} works on no resource`);
  return operation.resource;
}

/**
 * The resource whose records have the children that the operation of a call works on.
 * @throws Error when it works on no children.
 */
export function parentOf(call: Call): Resource {
  const { id, parent } = resourceOf(call);
  if (!parent) throw new Error(`${id} has no parent`);
  return parent;
}

/** The resource of the records of a kind; undefined for revisions, and for what the site does not publish. */
export function resourceOfKind({ contract }: { contract: Contract }, kind: Kind): Resource | undefined {
  return contract.resources.find(({ id }) => id === kind);
}

/** Whether records of a kind come from files. */
export function isUpload(site: Site, kind: Kind): boolean {
  return resourceOfKind(site, kind)?.kind === 'uploads';
}

/** Whether records of a resource stand in a tree, each below another one. */
export function isTree({ fields }: Resource): boolean {
  return 'parent' in fields;
}

/** The names of the path parameters of a call in the order of its route: the parent comes before its child. */
export function pathParameters({ operation }: Call): { first: string; last: string } {
  const names = Object.keys(operation.pathParameters);
  return { first: names[0] ?? 'id', last: names.at(-1) ?? 'id' };
}
