import type { Shard } from '../compare/fleet/document.ts';

const SHARES = 12;
const DAY = 86_400_000;

/** The share of long tests that runs today, another one each day; all of them in a whole run. */
export const TODAY: Shard =
  process.env.SITE_CONFORMANCE_WHOLE === undefined
    ? { index: (Math.floor(Date.now() / DAY) % SHARES) + 1, of: SHARES }
    : { index: 1, of: 1 };
