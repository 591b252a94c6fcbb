import { FILTERS } from './filters.ts';
import { handlerOf } from './handler-of.ts';
import { HANDLERS, ROLES } from './handlers.ts';
import { mediaMatches } from './media-filter.ts';
import { ORDERS } from './orders.ts';
import { readArguments } from './read-arguments.ts';
import { CONTEXTS } from './record-contexts.ts';
import { respond } from './respond.ts';
import type { Behaviour, Handler } from './site.ts';
import { TERM_FILTERS } from './term-filters.ts';
import { WRITERS } from './writers.ts';

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
  roles: ROLES,
};

/** Answers a call as a healthy site does. */
export const healthy: Handler = (call) =>
  handlerOf({ ...call.site, behaviour: STANDARD_BEHAVIOUR }, call.operation)(call);
