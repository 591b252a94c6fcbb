import type { Shard } from './share.ts';

const SHARES = 12;
const DAY = 86_400_000;

/** The share of what takes a run each that whole tests try: another one each day, or all where everything is asked for. */
export const TODAY: Shard =
  process.env.SITE_CONFORMANCE_WHOLE === undefined
    ? { index: (Math.floor(Date.now() / DAY) % SHARES) + 1, count: SHARES }
    : { index: 1, count: 1 };
