import { requireAccount } from './access.ts';
import { answer } from './answer.ts';
import type { Operation } from './contract.ts';
import { readNamespace } from './core-handlers.ts';
import type { Handler, Site } from './site.ts';

/**
 * What answers `operation` on `site`: the handler of its id, or that of its role on its resource, or that of namespace
 * roots, or a plain success.
 */
export function handlerOf(site: Site, operation: Operation): Handler {
  return site.behaviour.handlers[operation.id] ?? roleHandler(site, operation) ?? rootOrSuccess(operation);
}

function roleHandler({ behaviour }: Site, { resource, role }: Operation): Handler | undefined {
  return resource && role !== undefined ? behaviour.roles[resource.kind][role] : undefined;
}

function rootOrSuccess({ id }: Operation): Handler {
  return id.endsWith('.root') ? readNamespace : success;
}

/** A plugin's answer to whoever is logged in. The arguments come back, so that a client sees which defaults were applied. */
const success: Handler = (call) => {
  requireAccount(call);
  return answer({ success: true, arguments: call.args });
};
