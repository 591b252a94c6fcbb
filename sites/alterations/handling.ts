import { readArguments } from '../reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../reference/json.ts';
import type { Contract, Operation, Resource } from '../reference/load-contract.ts';
import type { Answer, Asked, Behaviour, Call, Handler } from '../reference/site.ts';
import { healthy, STANDARD_BEHAVIOUR } from '../reference/standard-behaviour.ts';
import { type Kind, REVISION, type StoredRecord } from '../reference/store.ts';
import { type Mutant, mutant } from './alteration.ts';

export { healthy };

/** One operation or several, by id. */
type Ids = string | readonly string[];

/** A site on which some operations are answered otherwise. @param turn answers a call to one of them */
export function handling(ids: Ids, turn: Handler): Partial<Behaviour> {
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

/** A site that changes what it answers to some operations. @param turn gets the answer of a healthy site */
function answering(
  ids: Ids,
  turn: (answer: Answer, call: Call) => Answer | Promise<Answer>,
): Partial<Behaviour> {
  return handling(ids, async (call) => turn(await healthy(call), call));
}

/** A site that takes other arguments for an operation than were sent. */
export function turningArgs(
  ids: Ids,
  turn: (args: JsonObject, call: Call) => JsonObject,
): Partial<Behaviour> {
  return handling(ids, (call) => healthy({ ...call, args: turn(call.args, call) }));
}

type Turn = (record: JsonObject, call: Call) => JsonObject;

/** A site that shows other records, or another answer, than it should. @param turn gets each record of the answer */
export function showing(ids: Ids, turn: Turn): Partial<Behaviour> {
  return answering(ids, (answer, call) => withRecords(answer, (record) => turn(record, call)));
}

/** As `showing`, for those operations on resources that are meant. */
export function showingThose(meant: (operation: Operation) => boolean, turn: Turn): Partial<Behaviour> {
  return handlingThose(meant, async (call) =>
    withRecords(await healthy(call), (record) => turn(record, call)),
  );
}

/** Reads the arguments of one operation. @param read as a healthy site reads them */
type Reading = (given: JsonObject, read: (given: JsonObject) => JsonObject, asked: Asked) => JsonObject;

/** A site that reads the arguments of one operation in a way of its own. */
export function reading(id: string, turn: Reading): Partial<Behaviour> {
  return {
    readArguments: (parameters, given, asked) => {
      const read = (left: JsonObject): JsonObject => readArguments(parameters, left);
      return asked.operation.id === id ? turn(given, read, asked) : read(given);
    },
  };
}

/** A mutant that answers some operations otherwise. */
export function handlerMutant(id: string, title: string, ...how: Parameters<typeof handling>): Mutant {
  return mutant(id, title, handling(...how));
}

/** A mutant that changes what a healthy site answers to some operations. */
export function answerMutant(id: string, title: string, ...how: Parameters<typeof answering>): Mutant {
  return mutant(id, title, answering(...how));
}

/** A mutant that takes other arguments for some operations than were sent. */
export function argsMutant(id: string, title: string, ...how: Parameters<typeof turningArgs>): Mutant {
  return mutant(id, title, turningArgs(...how));
}

/** A mutant that shows other records in what it answers to some operations. */
export function recordMutant(id: string, title: string, ...how: Parameters<typeof showing>): Mutant {
  return mutant(id, title, showing(...how));
}

/** A mutant that reads the arguments of one operation in a way of its own. */
export function readingMutant(id: string, title: string, ...how: Parameters<typeof reading>): Mutant {
  return mutant(id, title, reading(...how));
}

/** A mutant in the index alone. */
export function indexMutant(id: string, title: string, declare: Behaviour['declare']): Mutant {
  return mutant(id, title, { declare });
}

/**
 * A mutant that keeps what nothing should keep, and shows it in the records of some operations.
 * @param sent what a request carries of it; @param show the record with it
 */
export function keepingMutant(
  id: string,
  title: string,
  ids: Ids,
  sent: (given: JsonObject, call: Call) => Json | undefined,
  show: (record: JsonObject, kept: Json) => JsonObject,
): Mutant {
  const sites = new WeakMap<object, Map<Json | undefined, Json>>();
  return recordMutant(id, title, ids, (record, call) => {
    const { query, form, json } = call.request;
    const kept = sites.get(call.site.store) ?? new Map<Json | undefined, Json>();
    sites.set(call.site.store, kept);
    const given = sent({ ...query, ...form, ...json }, call);
    if (given !== undefined) kept.set(record.id, given);
    const value = kept.get(record.id);
    return value === undefined ? record : show(record, value);
  });
}

/** The answer with another list, where it is one. */
export function withList(answer: Answer, turn: (list: Json[]) => Json[]): Answer {
  return Array.isArray(answer.body) ? { ...answer, body: turn(answer.body) } : answer;
}

/** The answer with another object, where it is one. */
export function withObject(answer: Answer, turn: (object: JsonObject) => JsonObject): Answer {
  return isJsonObject(answer.body) ? { ...answer, body: turn(answer.body) } : answer;
}

function withRecords(answer: Answer, turn: (record: JsonObject) => JsonObject): Answer {
  if (Array.isArray(answer.body))
    return withList(answer, (list) => list.map((one) => (isRecord(one) ? turn(one) : one)));
  return withObject(answer, (one) => (isRecord(one) ? turn(one) : one));
}

function isJsonObject(body: Answer['body']): body is JsonObject {
  return Object.getPrototypeOf(body ?? null) === Object.prototype;
}

function isRecord(value: Json): value is JsonObject {
  return isObject(value) && 'id' in value;
}

/** The record that a call is about, by the id in its route. */
export function recordOf({ site, args }: Call, kind?: Kind): StoredRecord | undefined {
  return site.store.get(Number(args.id), kind);
}

/** The record that an answer shows. */
export function shownRecord({ body }: Answer, { site }: Call, kind?: Kind): StoredRecord | undefined {
  return isJsonObject(body) ? site.store.get(Number(body.id), kind) : undefined;
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
