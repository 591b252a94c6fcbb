import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from './accounts.ts';
import type { Answer } from './answer.ts';
import type { ApiRequest } from './api-request.ts';
import type { Contract, Operation, ResourceKind } from './contract.ts';
import type { Json, JsonObject } from './json.ts';
import type { Context } from './record-contexts.ts';
import type { Parameters } from './schema.ts';
import type { Store, StoredRecord } from './store.ts';

/** One running reference deployment: all that its routes work on. */
export interface Site {
  contract: Contract;
  accounts: readonly Account[];
  store: Store;
  behaviour: Behaviour;
  /** The present, in milliseconds since 1970. */
  now: () => number;
  /** Address without a trailing slash. */
  url: string;
  title: string;
  tagline: string;
}

/** A request that has been matched to its operation and whose arguments are valid. */
export interface Call {
  site: Site;
  operation: Operation;
  request: ApiRequest;
  /** Arguments in their declared types, defaults filled in. */
  args: JsonObject;
}

/** Answers a call: permission first, then meaning. Throws a `Refusal` to refuse. */
export type Handler = (call: Call) => Answer | Promise<Answer>;

/** What a filter knows besides the record and its own value. */
export interface ListQuery {
  /** All arguments of the list, valid and in their types. */
  args: Record<string, Json>;
  /** Whether the caller is logged in. */
  known: boolean;
}

/** Whether `record` stays in the list when its parameter has `value`. */
export type Filter = (record: StoredRecord, value: Json, query: ListQuery) => boolean;

/** Compares two records in ascending order. */
export type Comparison = (one: StoredRecord, other: StoredRecord) => number;

/** A comparison for a list, and whether `order=desc` turns it round. */
export interface Order {
  compare: (query: ListQuery) => Comparison;
  turns: boolean;
}

/** Whether `record` satisfies one term parameter; `undefined` for a value that filters nothing. */
export type TermFilter = (value: Json, store: Store) => ((record: StoredRecord) => boolean) | undefined;

/** Writes the value of one parameter into a record. */
export type Writer = (record: StoredRecord, value: Json, site: Site) => void;

/** What arguments are read for. */
export interface Asked {
  operation: Operation;
  request: ApiRequest;
}

/** Writes an answer to a request that came by HTTP. */
export type Send = (
  message: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
) => void | Promise<void>;

/** The parts of a site that can be exchanged one by one. */
export interface Behaviour {
  /** Sends what has been answered. */
  send: Send;
  /** Changes the index before it is shown; a healthy site shows what it does. */
  declare: (index: JsonObject) => void;
  /** Checks and converts the arguments of an operation. */
  readArguments: (parameters: Parameters, given: JsonObject, asked: Asked) => JsonObject;
  /** By parameter name; a parameter without an entry filters nothing. */
  filters: Readonly<Record<string, Filter>>;
  termFilters: Readonly<Record<string, TermFilter>>;
  mediaFilter: (record: StoredRecord, query: ListQuery) => boolean;
  /** By value of `orderby`. */
  orders: Readonly<Record<string, Order>>;
  /** Contexts by member of a record, nested ones as `title.raw`. */
  contexts: Readonly<Record<string, readonly Context[]>>;
  /** By writable field. */
  writers: Readonly<Record<string, Writer>>;
  /** By operation id; these come first. */
  handlers: Readonly<Record<string, Handler>>;
  /** By kind of resource and role of the operation on it. */
  roles: Readonly<Record<ResourceKind, Readonly<Record<string, Handler>>>>;
}
