import type { Contract, Operation, Parameter, Resource, Route } from './model.ts';
import type { ResourceRow } from './operation-file.ts';

/** The resources whose records a run can create on their own. Of published ones, the owner must say so. */
export function collectionsOf({ resources }: Contract): readonly Resource[] {
  return resources.filter(
    (one) =>
      (one.kind === 'records' || one.kind === 'uploads') && (isDescribed(one) || one.writable === true),
  );
}

/** Whether more is known about the records of a resource, or their parents, than the shape of its routes. */
export function isWellKnown({ resources }: Contract, resource: ResourceRow): boolean {
  return isDescribed(resources.find(({ id }) => id === resource.parent) ?? resource);
}

/** Whether the records of a resource are described. Published ones with statuses behave like those of a post type. */
export function isDescribed({ basis, writable, statuses }: ResourceRow): boolean {
  return basis !== 'published' || (writable === true && statuses !== undefined);
}

/** The collections in which a run may create records, because it can list, read and delete them. */
export function ownCollections(contract: Contract): readonly Resource[] {
  return collectionsOf(contract).filter(({ operations }) =>
    ['list', 'create', 'read', 'delete'].every((role) => operations[role] !== undefined),
  );
}

/** The collections in which a run may create records, and whose records are described. */
export function describedCollections(contract: Contract): readonly Resource[] {
  return ownCollections(contract).filter(isDescribed);
}

/** Whether a run may create records of a resource, or of its parent. */
export function isOwnable(contract: Contract, { id, parent = id }: ResourceRow): boolean {
  return describedCollections(contract).some((one) => one.id === parent);
}

/** The collection of the records that an operation is about, or to which its revisions and autosaves belong. */
export function collectionOf({ resource }: Operation): string | undefined {
  return resource?.parent ?? resource?.id;
}

/** The resources of one kind. */
export function ofKind(contract: Contract, kind: Resource['kind']): readonly Resource[] {
  return contract.resources.filter((one) => one.kind === kind && isWellKnown(contract, one));
}

/** The resource with this id; undefined if no operation of the deployment works on it. */
export function findResource({ resources }: Contract, id: string): Resource | undefined {
  return resources.find((one) => one.id === id);
}

/** The operation for a role on a resource; undefined if the deployment has none. */
export function operationFor(contract: Contract, resource: string, role: string): Operation | undefined {
  return findResource(contract, resource)?.operations[role];
}

/** The children of one kind of a resource; undefined if there are none. */
export function childOf(
  contract: Contract,
  parent: string,
  kind: 'revisions' | 'autosaves',
): Resource | undefined {
  return contract.resources.find((one) => one.parent === parent && one.kind === kind);
}

/** The best resource for examples: the first one whose records are created from fields. */
export function sampleResource(contract: Contract): Resource | undefined {
  return ofKind(contract, 'records')[0];
}

/** The resource for tests of batches: the first one that a batch can create, change and delete. */
export function batchSample(contract: Contract): Resource | undefined {
  return describedCollections(contract).find(
    ({ kind, operations }) =>
      kind === 'records' &&
      ['create', 'update', 'delete'].every((role) => operations[role]?.batchable === true),
  );
}

/** The operation that runs other requests; undefined if the deployment has none. */
export function batchOperation({ operations }: Contract): Operation | undefined {
  return operations.find(({ role, resource }) => role === 'batch' && resource === undefined);
}

/** A parameter of an operation by its neutral name; undefined if the operation has none of that name. */
export function parameterNamed({ parameters }: Operation, name: string): Parameter | undefined {
  return parameters.find((one) => one.name === name);
}

/** What leaving out a parameter means, as the contract states it. */
export function defaultOf(operation: Operation, name: string): unknown {
  return parameterNamed(operation, name)?.schema.default;
}

/** What a target calls a parameter of an operation; the neutral name if the operation has none of that name. */
export function wireOf(operation: Operation, name: string): string {
  return parameterNamed(operation, name)?.wire ?? name;
}

/** Whether an operation has all of these parameters, by neutral name. */
export function takes({ parameters }: Operation, ...names: readonly string[]): boolean {
  return names.every((name) => parameters.some((one) => one.name === name));
}

/** A route as an index lists it: with the pattern of each path parameter, or any text without a slash. */
export function routeKey({ wire, pathParameters }: Route): string {
  const kinds = new Map(pathParameters.map(({ name, kind }) => [name, kind?.pattern ?? '[^/]+']));
  return wire.replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?P<${name}>${kinds.get(name)})`);
}

/** The route of an operation in the words of the target, with path parameters replaced by ids in order. */
export function routeFor({ route }: Operation, ...ids: readonly number[]): string {
  const left = [...ids];
  return route.wire.replaceAll(/\{\w+\}/g, (pathParameter) => String(left.shift() ?? pathParameter));
}
