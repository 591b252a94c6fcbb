import { LIES } from './families/lies.ts';
import { REDIRECTS } from './families/redirects.ts';
import { SECRETS } from './families/secrets.ts';
import { SETTLING } from './families/settling.ts';
import { SHAPES } from './families/shapes.ts';
import { SIZES } from './families/sizes.ts';
import { STAGING } from './families/staging.ts';
import { PATTERNS, TEXTS } from './families/texts.ts';
import { THROTTLING } from './families/throttling.ts';
import { TRANSPORT } from './families/transport.ts';
import { LIARS, WRITING } from './families/writing.ts';
import { family, type HostileServer } from './server.ts';
import { conforms } from './turns.ts';

/** Every hostile server, by family. */
export const CATALOGUE: readonly HostileServer[] = [
  ...TRANSPORT,
  ...REDIRECTS,
  ...SIZES,
  ...SHAPES,
  ...PATTERNS,
  ...SECRETS,
  ...TEXTS,
  ...THROTTLING,
  ...LIES,
  ...LIARS,
  ...WRITING,
  ...SETTLING,
  ...STAGING,
];

/** A healthy site in the same harness, in each mode. */
export const CONTROLS: readonly HostileServer[] = family('control', {
  read: conforms.everywhere('a healthy site', (exchange) => exchange.pass()),
  write: conforms
    .but({ mode: 'write' })
    .everywhere('a healthy site that is written to', (exchange) => exchange.pass()),
});
