import { LIES } from './families/lies.ts';
import { REDIRECTS } from './families/redirects.ts';
import { SHAPES } from './families/shapes.ts';
import { TEXTS } from './families/texts.ts';
import { TRANSPORT } from './families/transport.ts';
import { LIARS, WRITING } from './families/writing.ts';
import { family, type HostileServer, runs } from './server.ts';

/** Every hostile server, by family. */
export const CATALOGUE: readonly HostileServer[] = [
  ...TRANSPORT,
  ...REDIRECTS,
  ...SHAPES,
  ...TEXTS,
  ...LIES,
  ...LIARS,
  ...WRITING,
];

/** A healthy site in the same harness, in each mode. */
export const CONTROLS: readonly HostileServer[] = family('control', {
  read: runs.conforms.everywhere('a healthy site', (exchange) => exchange.pass()),
  write: runs.conforms
    .but({ mode: 'write' })
    .everywhere('a healthy site that is written to', (exchange) => exchange.pass()),
});
