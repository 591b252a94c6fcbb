import { isObject, type Json, type JsonObject } from '../reference/json.ts';
import type { Contract, Operation, Resource } from '../reference/load-contract.ts';
import type { Alter, Answer, Asked, Behaviour, Call, Handler } from '../reference/site.ts';
import { healthy } from '../reference/standard-behaviour.ts';
import { type Kind, REVISION, type StoredRecord } from '../reference/store.ts';
import { type Mutant, mutant } from './alteration.ts';

export { healthy };

/** Selects operations: one or several by id, or by a predicate. */
type Which = string | readonly string[] | ((operation: Operation) => boolean);

/** Answers a call itself, or calls the next handler. */
type Wrapper = (call: Call, next: Handler) => ReturnType<Handler>;

/** Wraps the handlers of all roles on resources. */
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

/** Wraps the handlers of some operations; a predicate only selects those on resources. */
export function handling(which: Which, turn: Wrapper): Alter {
  return (usual) => {
    if (typeof which === 'function') {
      return {
        roles: wrappedRoles(usual, (call, next) => (which(call.operation) ? turn(call, next) : next(call))),
      };
    }
    const { handlers } = usual;
    const turned = [which].flat().map((id) => {
      const next = handlers[id] ?? healthy;
      return [id, (call: Call) => turn(call, next)] as const;
    });
    return { handlers: { ...handlers, ...Object.fromEntries(turned) } };
  };
}

type TurnAnswer = (answer: Answer, call: Call) => Answer | Promise<Answer>;
type TurnArgs = (args: JsonObject, call: Call) => JsonObject;
type TurnRecord = (record: JsonObject, call: Call) => JsonObject;

/** Changes the answers of some operations. */
function answering(which: Which, turn: TurnAnswer): Alter {
  return handling(which, async (call, next) => turn(await next(call), call));
}

/** A healthy handler with an effect on the record of a call. @param then gets it as it is and as it was */
export function followed(
  kind: string,
  then: (stored: StoredRecord, before: StoredRecord, call: Call) => void,
): Handler {
  return async (call) => {
    const stored = recordOf(call, kind);
    const before = stored && { ...stored };
    const shown = await healthy(call);
    if (stored && before) then(stored, before, call);
    return shown;
  };
}

/** Changes the arguments of some operations. */
export function turningArgs(which: Which, turn: TurnArgs): Alter {
  return handling(which, (call, next) => next({ ...call, args: turn(call.args, call) }));
}

/** Changes the records, or the answer, of some operations. @param turn gets each record of the answer */
export function showing(which: Which, turn: TurnRecord): Alter {
  return answering(which, (answer, call) => withRecords(answer, (record) => turn(record, call)));
}

/** Parses the arguments of an operation. @param read the usual parser */
type Reading = (given: JsonObject, read: (given: JsonObject) => JsonObject, asked: Asked) => JsonObject;

/** Replaces the parser of the arguments of some operations. */
export function reading(which: Which, turn: Reading): Alter {
  return ({ readArguments }) => ({
    readArguments: (parameters, given, asked) => {
      const read = (left: JsonObject): JsonObject => readArguments(parameters, left, asked);
      const { operation } = asked;
      const isMeant = typeof which === 'function' ? which(operation) : [which].flat().includes(operation.id);
      return isMeant ? turn(given, read, asked) : read(given);
    },
  });
}

/** Shows another index. */
export function declaring(turn: Behaviour['declare']): Alter {
  return ({ declare }) => ({
    declare: (index) => {
      declare(index);
      turn(index);
    },
  });
}

/** What a request asks for. */
export interface AskedFor {
  readonly method: string;
  readonly route: string;
  readonly query: URLSearchParams;
  readonly anonymous: boolean;
  /** The login of the caller; empty without credentials. */
  readonly login: string;
}

/** Changes all answers. */
export function sending(turn: (shown: Answer, asked: AskedFor) => Answer | Promise<Answer>): Alter {
  return ({ send }) => ({
    send: async (message, response, shown) => {
      const { url = '/', method = 'GET', headers } = message;
      const query = new URL(url, 'http://127.0.0.1').searchParams;
      const route = query.get('rest_route') ?? '';
      const { authorization = '' } = headers;
      const [login = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
      const asked = { method, route, query, anonymous: authorization === '', login };
      return send(message, response, await turn(shown, asked));
    },
  });
}

/** Makes a mutant. @param how the rest of its id after the common part, and @param title the rest of its title */
type Making<Turn> = (how: string, title: string, turn: Turn) => Mutant;

/** Makes mutants of some operations, by the part of their behaviour that is altered. */
interface MutantsIn {
  readonly handler: Making<Wrapper>;
  readonly answer: Making<TurnAnswer>;
  readonly args: Making<TurnArgs>;
  /** The records in answers. */
  readonly record: Making<TurnRecord>;
  /** The parser of arguments. */
  readonly reading: Making<Reading>;
}

/**
 * Mutants of some operations.
 * @param about the beginning of their ids, and @param subject of their titles; default: the id of the operation
 */
export function mutantsIn(which: string, about?: string, subject?: string): MutantsIn;
export function mutantsIn(which: Which, about: string, subject: string): MutantsIn;
export function mutantsIn(which: Which, about = String(which), subject = String(which)): MutantsIn {
  const by =
    <Turn>(alter: (which: Which, turn: Turn) => Alter): Making<Turn> =>
    (how, title, turn) =>
      mutant(`${about}${how.startsWith('~') ? '' : '/'}${how}`, `${subject} ${title}`, alter(which, turn));
  return {
    handler: by(handling),
    answer: by(answering),
    args: by(turningArgs),
    record: by(showing),
    reading: by(reading),
  };
}

/** A mutant that only changes the index. */
export function indexMutant(id: string, title: string, turn: Behaviour['declare']): Mutant {
  return mutant(id, title, declaring(turn));
}

/** Changes one argument where it is sent or has a default. */
export function argument(name: string, turn: (value: Json, call: Call) => Json): TurnArgs {
  return (args, call) => {
    const value = args[name];
    return value === undefined ? args : { ...args, [name]: turn(value, call) };
  };
}

/** Changes texts; other values stay. */
export function ofText(turn: (text: string) => Json): (value: Json) => Json {
  return (value) => (typeof value === 'string' ? turn(value) : value);
}

/** Changes lists; other values stay. */
export function ofList(turn: (list: Json[]) => Json): (value: Json) => Json {
  return (value) => (Array.isArray(value) ? turn(value) : value);
}

/**
 * A mutant that stores something that must not be stored, and shows it in the records of some operations.
 * @param sent reads it from a request; @param show adds it to the record
 */
export function keepingMutant(
  id: string,
  title: string,
  ids: readonly string[],
  sent: (given: JsonObject, call: Call) => Json | undefined,
  show: (record: JsonObject, kept: Json) => JsonObject,
): Mutant {
  const sites = new WeakMap<object, Map<Json | undefined, Json>>();
  const behaviour = showing(ids, (record, call) => {
    const { query, form, json } = call.request;
    const kept = sites.get(call.site.store) ?? new Map<Json | undefined, Json>();
    sites.set(call.site.store, kept);
    const given = sent({ ...query, ...form, ...json }, call);
    if (given !== undefined) kept.set(record.id, given);
    const value = kept.get(record.id);
    return value === undefined ? record : show(record, value);
  });
  return mutant(id, title, behaviour);
}

/** The answer with a changed list, if it is a list. */
export function withList(answer: Answer, turn: (list: Json[]) => Json[]): Answer {
  return Array.isArray(answer.body) ? { ...answer, body: turn(answer.body) } : answer;
}

/** The answer with a changed object, if it is an object. */
export function withObject(answer: Answer, turn: (object: JsonObject) => JsonObject): Answer {
  return isJsonObject(answer.body) ? { ...answer, body: turn(answer.body) } : answer;
}

/** The answer with changed records, in a list or a single one. */
export function withRecords(answer: Answer, turn: (record: JsonObject) => JsonObject): Answer {
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

/** Whether the caller sent an argument, in any part of the request. */
export function isGiven({ request }: Call, name: string): boolean {
  return [request.query, request.form, request.json ?? {}].some((layer) => Object.hasOwn(layer, name));
}

/** `args` without the argument `name`. */
export function without(args: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = args;
  return rest;
}

/** The kind of the stored records of an operation; undefined if it is not about records. */
export function kindOf({ resource }: Operation): Kind | undefined {
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
