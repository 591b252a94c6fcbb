import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';
import type { ApiRequest } from './api-request.ts';
import type { Operation } from './contract.ts';
import { FILTERS, type Filter, type ListQuery } from './filters.ts';
import type { Handler } from './handler.ts';
import { HANDLERS } from './handlers.ts';
import type { JsonObject } from './json.ts';
import { mediaMatches } from './media-filter.ts';
import { ORDERS, type Order } from './orders.ts';
import { readArguments } from './read-arguments.ts';
import { CONTEXTS, type Context } from './record-contexts.ts';
import { respond } from './respond.ts';
import type { Parameters } from './schema.ts';
import type { StoredRecord } from './store.ts';
import { TERM_FILTERS, type TermFilter } from './term-filters.ts';
import { WRITERS, type Writer } from './writers.ts';

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
  /** By operation id. */
  handlers: Readonly<Record<string, Handler>>;
}

/** The behaviour that the specification and real software have. */
export const STANDARD_BEHAVIOUR: Behaviour = {
  send: (message, response, answer) => respond(message.method, response, answer),
  declare: () => {},
  readArguments,
  filters: FILTERS,
  termFilters: TERM_FILTERS,
  mediaFilter: mediaMatches,
  orders: ORDERS,
  contexts: CONTEXTS,
  writers: WRITERS,
  handlers: HANDLERS,
};
