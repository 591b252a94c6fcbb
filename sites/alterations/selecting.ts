import type { Json } from '../reference/json.ts';
import type { Contract, Operation, Resource } from '../reference/load-contract.ts';
import type { ResourceKind } from '../reference/schema.ts';
import type { Call } from '../reference/site.ts';
import { REVISION, type StoredRecord } from '../reference/store.ts';

export type IsMeant = (call: Call) => boolean;

/** The operations of some roles on resources of one kind. */
export function on(kind: ResourceKind, ...roles: readonly string[]): (operation: Operation) => boolean {
  return ({ resource, role = '' }) => resource?.kind === kind && roles.includes(role);
}

/** All operations. */
export const anywhere = (): boolean => true;

/** Calls by a method. */
export function byMethod(method: string): IsMeant {
  return ({ request }) => request.method === method;
}

/** Calls with a value of an argument, sent or by default. */
export function asks(name: string, value: Json): IsMeant {
  return ({ args }) => args[name] === value;
}

/** Calls in a context. */
export function inContext(context: string): IsMeant {
  return asks('context', context);
}

/** Calls about a record that has a status. */
export function ofStatus(status: string | undefined): IsMeant {
  return (call) => recordOf(call)?.status === status;
}

/** Calls that send an argument. */
export function sends(name: string): IsMeant {
  return (call) => isGiven(call, name);
}

/** Calls that do not send an argument. */
export function lacks(name: string): IsMeant {
  return (call) => !isGiven(call, name);
}

/** Calls without credentials. */
export const isAnonymous: IsMeant = ({ request }) => request.account === undefined;

/** Calls with credentials. */
export const isUser: IsMeant = ({ request }) => request.account !== undefined;

/** The record that a call is about, by the id in its route. */
export function recordOf({ site, args }: Call, kind?: string): StoredRecord | undefined {
  return site.store.get(Number(args.id), kind);
}

/** Whether the caller sent an argument, in any part of the request. */
export function isGiven({ request }: Call, name: string): boolean {
  return [request.query, request.form, request.json ?? {}].some((layer) => Object.hasOwn(layer, name));
}

/** The kind of the stored records of an operation; undefined if it is not about records. */
export function kindOf({ resource }: Operation): string | undefined {
  return resource?.parent ? REVISION : resource?.id;
}

/** The resources of a deployment whose records are not children of others. */
export function ownResources({ resources }: Contract): Resource[] {
  return resources.filter(({ parent, operations }) => !parent && Object.keys(operations).length > 0);
}

/** The id of the operation with a role on a resource. */
export function idOf({ id, operations }: Resource, role: string): string {
  return operations[role]?.id ?? `${id}.${role}`;
}

/** Whether an operation creates or changes records that are not children of others. */
export function isOwnWrite({ resource, role }: Operation): boolean {
  return resource !== undefined && !resource.parent && (role === 'create' || role === 'update');
}

/** Whether an operation lists records in pages; autosaves are listed all at once. */
export function isList({ resource, role }: Operation): boolean {
  return resource !== undefined && resource.kind !== 'autosaves' && role === 'list';
}

/** Whether an operation answers with one or more records that are not children of others, apart from deletions. */
export function showsOwn({ resource, role }: Operation): boolean {
  return resource !== undefined && !resource.parent && SHOWING.includes(role ?? '');
}

const SHOWING = ['list', 'read', 'create', 'update'];

/** Whether an operation accepts its fields as a form; uploads take a file. */
export function takesForms(operation: Operation): boolean {
  const { resource, role } = operation;
  if (resource?.kind === 'autosaves') return role === 'create';
  return isOwnWrite(operation) && !(resource?.kind === 'uploads' && role === 'create');
}

/** The prefix of the ids of checks of an operation, if it differs from its own id. */
export function topicOf({ id, resource, role }: Operation): string | undefined {
  if (id === 'batch.run') return 'batch';
  if (resource?.kind !== 'uploads') return undefined;
  if (role === 'post-process') return `${resource.id}/post-process`;
  return role === 'edit' ? `${resource.id}/flip` : undefined;
}
