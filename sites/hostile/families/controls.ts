import { CONFORMS, family, type HostileServer } from '../hostile-server.ts';

/** A healthy site in the same harness, in each mode. */
export const CONTROLS: readonly HostileServer[] = family('control', {
  read: { title: 'a healthy site', expected: CONFORMS, handler: () => (exchange) => exchange.pass() },
  write: {
    title: 'a healthy site that is written to',
    mode: 'write',
    expected: CONFORMS,
    handler: () => (exchange) => exchange.pass(),
  },
});
