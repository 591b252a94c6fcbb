import type { Json, JsonObject } from '../reference/json.ts';
import type { Contract, Operation, Resource } from '../reference/load-contract.ts';
import type { Answer, Behaviour, Call, Handler } from '../reference/site.ts';
import { healthy, STANDARD_BEHAVIOUR } from '../reference/standard-behaviour.ts';
import { type Kind, REVISION } from '../reference/store.ts';

export { healthy };

/** A site on which some operations are answered otherwise. @param turn answers a call to one of them */
export function handling(ids: string | readonly string[], turn: Handler): Partial<Behaviour> {
  const turned = [ids].flat().map((id) => [id, turn] as const);
  return { handlers: { ...STANDARD_BEHAVIOUR.handlers, ...Object.fromEntries(turned) } };
}

/** Answers a call, itself or by the next handler. */
export type Wrapper = (call: Call, next: Handler) => ReturnType<Handler>;

/** The handlers of all roles on resources, with something that stands before each of them. */
export function wrappedRoles({ roles }: Pick<Behaviour, 'roles'>, turn: Wrapper): Behaviour['roles'] {
  const wrapped = (of: Readonly<Record<string, Handler>>): Record<string, Handler> =>
    Object.fromEntries(Object.entries(of).map(([role, next]) => [role, (call: Call) => turn(call, next)]));
  return {
    records: wrapped(roles.records),
    uploads: wrapped(roles.uploads),
    revisions: wrapped(roles.revisions),
    autosaves: wrapped(roles.autosaves),
  };
}

/** A site on which those operations on resources are answered otherwise that are meant. */
export function handlingThose(meant: (operation: Operation) => boolean, turn: Handler): Partial<Behaviour> {
  return {
    roles: wrappedRoles(STANDARD_BEHAVIOUR, (call, next) =>
      meant(call.operation) ? turn(call) : next(call),
    ),
  };
}

/** A site that takes other arguments for an operation than were sent. */
export function turningArgs(
  ids: string | readonly string[],
  turn: (args: JsonObject, call: Call) => JsonObject,
): Partial<Behaviour> {
  return handling(ids, (call) => healthy({ ...call, args: turn(call.args, call) }));
}

/** A site that shows other records, or another answer, than it should. @param turn gets each record of the answer */
export function showing(
  ids: string | readonly string[],
  turn: (record: JsonObject, call: Call) => JsonObject,
): Partial<Behaviour> {
  return handling(ids, (call) => shown(call, turn));
}

/** As `showing`, for those operations on resources that are meant. */
export function showingThose(
  meant: (operation: Operation) => boolean,
  turn: (record: JsonObject, call: Call) => JsonObject,
): Partial<Behaviour> {
  return handlingThose(meant, (call) => shown(call, turn));
}

async function shown(call: Call, turn: (record: JsonObject, call: Call) => JsonObject): Promise<Answer> {
  const answer = await healthy(call);
  return { ...answer, body: eachRecord(answer.body, (record) => turn(record, call)) };
}

function eachRecord(body: Answer['body'], turn: (record: JsonObject) => JsonObject): Answer['body'] {
  if (Array.isArray(body)) return body.map((one) => (isRecord(one) ? turn(one) : one));
  return isJsonObject(body) && isRecord(body) ? turn(body) : body;
}

function isJsonObject(body: Answer['body']): body is JsonObject {
  return Object.getPrototypeOf(body ?? null) === Object.prototype;
}

function isRecord(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'id' in value;
}

/** Whether the caller sent an argument, wherever in the request. */
export function isGiven({ request }: Call, name: string): boolean {
  return [request.query, request.form, request.json ?? {}].some((layer) => Object.hasOwn(layer, name));
}

/** `args` without the argument `name`. */
export function without(args: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = args;
  return rest;
}

/** The kind of the stored records that an operation is about; undefined for an operation on no records. */
export function kindOf({ resource }: Operation): Kind | undefined {
  return resource?.parent ? REVISION : resource?.id;
}

/** The resources of a deployment whose records are written by themselves, and not as children of others. */
export function ownResources({ resources }: Contract): Resource[] {
  return resources.filter(({ parent, operations }) => !parent && Object.keys(operations).length > 0);
}

/** The id of the operation that plays a role on a resource. */
export function idOf({ id, operations }: Resource, role: string): string {
  return operations[role]?.id ?? `${id}.${role}`;
}

/** Whether an operation creates or changes records that are no children of others. */
export function isOwnWrite({ resource, role }: Operation): boolean {
  return resource !== undefined && !resource.parent && (role === 'create' || role === 'update');
}

/** Whether an operation lists records in pages; autosaves are few, and listed all at once. */
export function isList({ resource, role }: Operation): boolean {
  return resource !== undefined && resource.kind !== 'autosaves' && role === 'list';
}

/** Whether an operation answers records, all or one, that are no children of others: as its role says, but deletions. */
export function showsOwn({ resource, role }: Operation): boolean {
  return resource !== undefined && !resource.parent && SHOWING.includes(role ?? '');
}

const SHOWING = ['list', 'read', 'create', 'update'];

/** Whether an operation writes fields that may come as a form: that of an upload is a file. */
export function takesForms(operation: Operation): boolean {
  const { resource, role } = operation;
  if (resource?.kind === 'autosaves') return role === 'create';
  return isOwnWrite(operation) && !(resource?.kind === 'uploads' && role === 'create');
}

/** The first parts of the ids of checks that prove an operation, where those are not its own id. */
export function topicOf({
  id,
  resource,
  role,
}: Pick<Operation, 'id' | 'resource' | 'role'>): string | undefined {
  if (id === 'batch.run') return 'batch';
  if (resource?.kind !== 'uploads') return undefined;
  if (role === 'post-process') return `${resource.id}/post-process`;
  return role === 'edit' ? `${resource.id}/flip` : undefined;
}
