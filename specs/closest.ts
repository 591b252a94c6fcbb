import { distance } from 'fastest-levenshtein';

/** The known word nearest to a misspelt one; undefined when none is near. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, away: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.away - b.away);
  const best = ranked[0];
  return best !== undefined && best.away <= Math.max(2, Math.floor(word.length / 3))
    ? best.candidate
    : undefined;
}
