import { integer, isObject, type Json, type JsonObject, mapped } from '../reference/json.ts';
import type { Operation, Resource } from '../reference/load-contract.ts';
import {
  type Alter,
  type Answer,
  type Asked,
  type Behaviour,
  type Call,
  type Filter,
  type Handler,
  Text,
} from '../reference/site.ts';
import { healthy } from '../reference/standard-behaviour.ts';
import type { StoredRecord } from '../reference/store.ts';
import { type Mutant, mutant } from './alteration.ts';
import { type IsMeant, idOf, recordOf } from './selecting.ts';

export { healthy };

/** Selects operations: one or several by id, or by a predicate. */
type Which = string | readonly string[] | ((operation: Operation) => boolean);

type Wrapper = (call: Call, next: Handler) => ReturnType<Handler>;

/** Wraps the handlers of some operations; a predicate only selects those on resources. */
export function handling(which: Which, turn: Wrapper): Alter {
  return ({ roles: { records, uploads, revisions, autosaves }, handlers }) => {
    if (typeof which === 'function') {
      const some = (of: Readonly<Record<string, Handler>>): Record<string, Handler> =>
        mapped(of, (next) => (call: Call) => (which(call.operation) ? turn(call, next) : next(call)));
      const children = { revisions: some(revisions), autosaves: some(autosaves) };
      return { roles: { records: some(records), uploads: some(uploads), ...children } };
    }
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
type Follow = (stored: StoredRecord, before: StoredRecord, call: Call) => void;

const ofAnswer =
  (turn: TurnAnswer): Wrapper =>
  async (call, next) =>
    turn(await next(call), call);
const ofArgs =
  (turn: TurnArgs): Wrapper =>
  (call, next) =>
    next({ ...call, args: turn(call.args, call) });
const ofRecord = (turn: TurnRecord): Wrapper =>
  ofAnswer((answer, call) => withRecords(answer, (record) => turn(record, call)));

/** Does more to the record of a call. @param then gets it as it is and as it was */
const ofFollow =
  (then: Follow): Wrapper =>
  async (call, next) => {
    const stored = recordOf(call, call.operation.resource?.id);
    const before = stored && { ...stored };
    const shown = await next(call);
    if (stored && before) then(stored, before, call);
    return shown;
  };

/** Repeats the first answer of a site to calls of one key. */
const ofMemory = (keyOf: (call: Call) => unknown): Wrapper => {
  const memories = new WeakMap<object, Map<string, Answer>>();
  return async (call, next) => {
    const memory = memories.get(call.site.store) ?? new Map<string, Answer>();
    memories.set(call.site.store, memory);
    const key = JSON.stringify(keyOf(call));
    const shown = memory.get(key) ?? (await next(call));
    memory.set(key, shown);
    return shown;
  };
};

/** Changes the arguments of some operations. */
export function turningArgs(which: Which, turn: TurnArgs): Alter {
  return handling(which, ofArgs(turn));
}

/** Changes the records, or the answer, of some operations. @param turn gets each record of the answer */
export function showing(which: Which, turn: TurnRecord): Alter {
  return handling(which, ofRecord(turn));
}

/** Does more to the records that calls name. @param then gets a record as it is and as it was */
export function following(which: Which, then: Follow): Alter {
  return handling(which, ofFollow(then));
}

/** Parses the arguments of an operation. @param read the usual parser */
export type Reading = (
  given: JsonObject,
  read: (given: JsonObject) => JsonObject,
  asked: Asked,
) => JsonObject;

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

/** Replaces a filter of lists, if the site has it. */
export function filteringBy(name: string, turn: (filter: Filter) => Filter): Alter {
  return ({ filters }) => {
    const { [name]: filter } = filters;
    return filter === undefined ? {} : { filters: { ...filters, [name]: turn(filter) } };
  };
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
  /** Whether a browser asks if a script of another origin may send the request. */
  readonly preflight: boolean;
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
      const preflight = method === 'OPTIONS' && headers.origin !== undefined;
      const asked = { method, route, query, anonymous: authorization === '', preflight, login };
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
  /** The record that the route names, after the call. */
  readonly follow: Making<Follow>;
  /** The record that the answer shows. */
  readonly made: Making<(stored: StoredRecord, call: Call) => void>;
  /** Answers from a memory, by what is part of its key. */
  readonly remembering: Making<(call: Call) => unknown>;
  /** Calls that make the server fail. */
  readonly failing: Making<IsMeant>;
  /** One argument, where it is sent or has a default. */
  value(name: string): Making<TurnValue>;
  /** The same for a list; other values stay. */
  list(name: string): Making<(list: Json[]) => Json>;
  readonly reading: Making<Reading>;
  /** Arguments whose parser fails. */
  readonly choking: Making<(given: JsonObject, asked: Asked) => boolean>;
  /** The same for some calls, apart from what parses arguments. */
  where(...isMeant: readonly IsMeant[]): Omit<MutantsIn, 'reading' | 'choking'>;
}

/**
 * Mutants of some operations.
 * @param about the beginning of their ids, and @param subject of their titles; default: the id of the operation
 */
export function mutantsIn(which: string, about?: string, subject?: string): MutantsIn;
export function mutantsIn(which: Which, about: string, subject: string): MutantsIn;
export function mutantsIn(which: Which, about = String(which), subject = String(which)): MutantsIn {
  const made = (how: string, title: string, behaviour: Alter): Mutant =>
    mutant(`${about}${how.startsWith('~') ? '' : '/'}${how}`, `${subject} ${title}`, behaviour);
  const parse: MutantsIn['reading'] = (how, title, turn) => made(how, title, reading(which, turn));
  const makers = (meant: readonly IsMeant[]): Omit<MutantsIn, 'reading' | 'choking'> => {
    const by =
      <Turn>(wrap: (turn: Turn) => Wrapper): Making<Turn> =>
      (how, title, turn) => {
        const wrapper = wrap(turn);
        const some: Wrapper = (call, next) =>
          meant.every((holds) => holds(call)) ? wrapper(call, next) : next(call);
        return made(how, title, handling(which, some));
      };
    return {
      handler: by((turn) => turn),
      answer: by(ofAnswer),
      args: by(ofArgs),
      record: by(ofRecord),
      follow: by(ofFollow),
      made: by((then) =>
        ofAnswer((shown, call) => {
          const stored = shownRecord(shown, call, call.operation.resource?.id);
          if (stored) then(stored, call);
          return shown;
        }),
      ),
      failing: by((isFatal) => (call, next) => {
        if (isFatal(call)) throw new Error('a call that nobody thought of');
        return next(call);
      }),
      remembering: by(ofMemory),
      value: (name) => by((turn) => ofArgs(argument(name, turn))),
      list: (name) => by((turn) => ofArgs(argument(name, ofList(turn)))),
      where: (...also) => makers([...meant, ...also]),
    };
  };
  const choking: MutantsIn['choking'] = (how, title, isFatal) =>
    parse(how, title, (given, read, asked) => {
      if (isFatal(given, asked)) throw new Error('arguments that nobody thought of');
      return read(given);
    });
  return { ...makers([]), reading: parse, choking };
}

/** Mutants of the operation with a role on a resource, as `mutantsIn` makes them. */
export function mutantsOn(resource: Resource, role: string, about?: string, subject?: string): MutantsIn {
  return mutantsIn(idOf(resource, role), about, subject);
}

/** A mutant that only changes the index. */
export function indexMutant(id: string, title: string, turn: Behaviour['declare']): Mutant {
  return mutant(id, title, declaring(turn));
}

export type TurnValue = (value: Json, call: Call) => Json;

/** Changes one argument where it is sent or has a default. */
function argument(name: string, turn: TurnValue): TurnArgs {
  return (args, call) => {
    const value = args[name];
    return value === undefined ? args : { ...args, [name]: turn(value, call) };
  };
}

/** Changes texts; other values stay. */
export function ofText(turn: (text: string) => Json): (value: Json) => Json {
  return (value) => (typeof value === 'string' ? turn(value) : value);
}

/** Changes what fits in texts. */
export function replacing(pattern: RegExp, by: string): (value: Json) => Json {
  return ofText((text) => text.replace(pattern, by));
}

/** Leaves out the offset that a date names. */
export const NO_OFFSET: (value: Json) => Json = replacing(/[+-]\d\d:\d\d$/, '');

/** Changes a value, or the text that an object wraps. */
export function inText(turn: (value: Json) => Json): (value: Json) => Json {
  return (value) =>
    isObject(value) && value.raw !== undefined ? { ...value, raw: turn(value.raw) } : turn(value);
}

/** Changes lists; other values stay. */
export function ofList(turn: (list: Json[]) => Json): (value: Json) => Json {
  return (value) => (Array.isArray(value) ? turn(value) : value);
}

/** Cuts lists behind so many items. */
export function atMost(count: number): (value: Json) => Json {
  return ofList((list) => list.slice(0, count));
}

/** Lists no more records than so many on a page. */
export function cappedAt(most: number): (args: JsonObject) => JsonObject {
  return (args) => ({ ...args, per_page: Math.min(integer(args.per_page, 10), most) });
}

/** Writes a date of a record with a blank in place of the T of ISO 8601. */
export function blankFor(name: string): (record: JsonObject) => JsonObject {
  return (record) =>
    name in record ? { ...record, [name]: String(record[name]).replace('T', ' ') } : record;
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
  const { body } = answer;
  return body instanceof Text || !isObject(body) ? answer : { ...answer, body: turn(body) };
}

/** The answer with changed records, in a list or a single one. */
export function withRecords(answer: Answer, turn: (record: JsonObject) => JsonObject): Answer {
  if (Array.isArray(answer.body))
    return withList(answer, (list) => list.map((one) => (isRecord(one) ? turn(one) : one)));
  return withObject(answer, (one) => (isRecord(one) ? turn(one) : one));
}

function isRecord(value: Json): value is JsonObject {
  return isObject(value) && 'id' in value;
}

/** The record that an answer shows. */
export function shownRecord({ body }: Answer, call: Call, kind?: string): StoredRecord | undefined {
  return body instanceof Text ? undefined : storedAs(body, call, kind);
}

/** The stored record of one that is shown. */
export function storedAs(shown: Json, { site }: Pick<Call, 'site'>, kind?: string): StoredRecord | undefined {
  return isObject(shown) ? site.store.get(Number(shown.id), kind) : undefined;
}

/** The other of the two words for comments and pings. */
export function otherWord(word: string): string {
  return word === 'open' ? 'closed' : 'open';
}

/** Leaves a member out. @param path as for `without` */
export function dropping(path: string): (object: JsonObject) => JsonObject {
  return (object) => without(object, path);
}

/** Sets members. */
export function setting(members: JsonObject): (object: JsonObject) => JsonObject {
  return (object) => ({ ...object, ...members });
}

/** An object without a member, or without one of a member: `meta/note`. */
export function without(object: JsonObject, path: string): JsonObject {
  const [name = '', inner] = path.split('/');
  const { [name]: value, ...rest } = object;
  if (inner === undefined) return rest;
  return value !== undefined && isObject(value) ? { ...object, [name]: without(value, inner) } : object;
}
