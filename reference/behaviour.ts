import { FILTERS, type Filter, type ListQuery } from './filters.ts';
import type { Handler } from './handler.ts';
import { HANDLERS } from './handlers.ts';
import { mediaMatches } from './media-filter.ts';
import { ORDERS, type Order } from './orders.ts';
import { readArguments } from './read-arguments.ts';
import { CONTEXTS, type Context } from './record-contexts.ts';
import type { StoredRecord } from './store.ts';
import { TERM_FILTERS, type TermFilter } from './term-filters.ts';
import { WRITERS, type Writer } from './writers.ts';

/** The parts of a site that can be exchanged one by one. */
export interface Behaviour {
  /** Checks and converts the arguments of an operation. */
  readArguments: typeof readArguments;
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
  readArguments,
  filters: FILTERS,
  termFilters: TERM_FILTERS,
  mediaFilter: mediaMatches,
  orders: ORDERS,
  contexts: CONTEXTS,
  writers: WRITERS,
  handlers: HANDLERS,
};
