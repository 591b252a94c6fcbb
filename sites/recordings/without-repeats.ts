import { keyOf, type RecordedExchange } from './exchange.ts';

/** Exchanges without those that say of a request what the one before it said already; the order is kept. */
export function withoutRepeats(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  const all = Map.groupBy(exchanges, keyOf);
  const dropped = new Set<RecordedExchange>();
  // The last answer is given again and again: only what leads up to it has to be there.
  for (const answers of all.values()) {
    for (let at = answers.length - 1; at > 0; at -= 1) {
      const [one, last] = [answers[at - 1], answers[at]];
      if (one === undefined || last === undefined || JSON.stringify(one) !== JSON.stringify(last)) break;
      dropped.add(last);
    }
  }
  return exchanges.filter((one) => !dropped.has(one));
}
