import { TRANSPORT } from './families/transport.ts';
import type { HostileServer } from './hostile-server.ts';

/** Every hostile server, by family. */
export const CATALOGUE: readonly HostileServer[] = [...TRANSPORT];
