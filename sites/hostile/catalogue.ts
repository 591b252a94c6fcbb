import { LIES } from './families/lies.ts';
import { PATTERNS } from './families/patterns.ts';
import { REDIRECTS } from './families/redirects.ts';
import { SECRETS } from './families/secrets.ts';
import { SETTLING } from './families/settling.ts';
import { SHAPES } from './families/shapes.ts';
import { SIZES } from './families/sizes.ts';
import { STAGING } from './families/staging.ts';
import { TEXTS } from './families/texts.ts';
import { THROTTLING } from './families/throttling.ts';
import { TRANSPORT } from './families/transport.ts';
import { WRITING } from './families/writing.ts';
import type { HostileServer } from './hostile-server.ts';

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
  ...WRITING,
  ...SETTLING,
  ...STAGING,
];
