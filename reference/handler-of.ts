import { requireAccount } from './access.ts';
import { answer } from './answer.ts';
import type { Operation } from './contract.ts';
import { readNamespace } from './core-handlers.ts';
import type { Handler, Site } from './site.ts';

/** What answers `operation` on `site`: its own handler, or that of namespace roots, or a plain success. */
export function handlerOf(site: Site, operation: Operation): Handler {
  const own = site.behaviour.handlers[operation.id];
  return own ?? (operation.id.endsWith('.root') ? readNamespace : success);
}

/** A plugin's answer to whoever is logged in. */
/** The arguments come back, so that a client sees which defaults were applied. */
const success: Handler = (call) => {
  requireAccount(call);
  return answer({ success: true, arguments: call.args });
};
