import type { Finding } from './check.ts';
import { inconclusive } from './findings.ts';

/** What a search that was cut short can tell: nothing. @param cut how far it came */
export function outOfTime(cut: string): Finding {
  return inconclusive(`the site is too slow for the whole search: ${cut}`);
}
