import type { Contract, Operation, Resource } from './model.ts';
import type { ResourceKind, ResourceRow } from './operation-file.ts';

/**
 * The resources whose records a run can create by themselves, in the order of the contract. One that is only published is
 * among them where its owner says so: what its shape shows says nothing of how its records behave.
 */
export function collectionsOf({ resources }: Contract): readonly Resource[] {
  return resources.filter(
    (one) =>
      (one.kind === 'records' || one.kind === 'uploads') && (isDescribed(one) || one.writable === true),
  );
}

/** Whether more is known of the records of a resource, or of those that they belong to, than what its routes look like. */
export function isWellKnown({ resources }: Contract, resource: ResourceRow): boolean {
  return isDescribed(resources.find(({ id }) => id === resource.parent) ?? resource);
}

/** Whether the records of a resource are described: as published ones have statuses, they are what those of a post type are. */
export function isDescribed({ basis, writable, statuses }: ResourceRow): boolean {
  return basis !== 'published' || (writable === true && statuses !== undefined);
}

/**
 * The collections in which a run may create records: it must be able to list and to read them, to show that one is its
 * own, and to delete what it made.
 */
export function ownCollections(contract: Contract): readonly Resource[] {
  return collectionsOf(contract).filter(({ operations }) =>
    ['list', 'create', 'read', 'delete'].every((role) => operations[role] !== undefined),
  );
}

/** Those of them whose records are described. */
export function describedCollections(contract: Contract): readonly Resource[] {
  return ownCollections(contract).filter(isDescribed);
}

/** Whether a run may create records of a resource, or the records that its records are children of. */
export function isOwnable(contract: Contract, { id, parent = id }: ResourceRow): boolean {
  return describedCollections(contract).some((one) => one.id === parent);
}

/** The resources of one kind. */
export function ofKind(contract: Contract, kind: ResourceKind): readonly Resource[] {
  return contract.resources.filter((one) => one.kind === kind && isWellKnown(contract, one));
}

/** A resource by its id; undefined where the deployment has no operation that works on it. */
export function findResource({ resources }: Contract, id: string): Resource | undefined {
  return resources.find((one) => one.id === id);
}

/** The operation of a role on a resource; undefined where the deployment has none. */
export function operationFor(contract: Contract, resource: string, role: string): Operation | undefined {
  return findResource(contract, resource)?.operations[role];
}

/** The children of one kind that the records of a resource have; undefined where they have none. */
export function childOf(
  contract: Contract,
  parent: string,
  kind: 'revisions' | 'autosaves',
): Resource | undefined {
  return contract.resources.find((one) => one.parent === parent && one.kind === kind);
}

/** The resource whose records make the best examples of all: the first one that is created from fields. */
export function sampleResource(contract: Contract): Resource | undefined {
  return ofKind(contract, 'records')[0];
}

/** The resource whose records batches are tried on: the first whose records are created, changed and deleted in one. */
export function batchSample(contract: Contract): Resource | undefined {
  return describedCollections(contract).find(
    ({ kind, operations }) =>
      kind === 'records' &&
      ['create', 'update', 'delete'].every((role) => operations[role]?.batchable === true),
  );
}

/** The operation that carries out requests of others; undefined where the deployment has none. */
export function batchOperation({ operations }: Contract): Operation | undefined {
  return operations.find(({ role, resource }) => role === 'batch' && resource === undefined);
}

/** Whether an operation takes each of some parameters, by their neutral names. */
export function takes({ parameters }: Operation, ...names: readonly string[]): boolean {
  return names.every((name) => parameters.some((one) => one.name === name));
}

/** The route of an operation in the words of the target, its path parameters filled with ids in their order. */
export function routeFor({ route }: Operation, ...ids: readonly number[]): string {
  let at = 0;
  return route.wire.replaceAll(/\{\w+\}/g, (pathParameter) => {
    const id = ids[at];
    at += 1;
    return id === undefined ? pathParameter : String(id);
  });
}
