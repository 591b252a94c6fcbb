import type { Waived } from '../../engine/result.ts';
import { isAskedAgain, isBeyond, isFoundOnly } from '../searched.ts';
import type { KeptNight, Letter } from './roll.ts';

/** What a check did on a night, beside the night before. */
export type Turn = 'new' | 'found' | 'unwaived' | 'fixed' | 'vanished' | 'untold';

/** A failure that has not been mended. */
export interface Failure {
  /** The position of the night on which it began. */
  readonly since: number;
  readonly fromStart: boolean;
  /** Whether it began with sets of arguments that were not asked before. */
  readonly found: boolean;
  /** On how many nights it was told. */
  readonly nights: number;
  /** The last of them. */
  readonly last: number;
  /** Why it is accepted, where a waiver covered it then. */
  readonly waived: Waived | undefined;
}

/** A check from the first night of a series to the last. */
export interface Followed {
  readonly failure: Failure | undefined;
  readonly letters: readonly Letter[];
}

/** Letters of nights on which a check was told. */
const GOOD: ReadonlySet<Letter> = new Set(['p', 'w']);
const BAD: ReadonlySet<Letter> = new Set(['f', 'a']);

/**
 * Follows one check from night to night, by the rules of a baseline (`compare/baseline.ts`) but for one: what counts is how
 * it was last told, not how it was the night before. A night that could not tell it, or did not ask it, changes nothing; nor
 * does one that passed it without asking the sets of arguments that had failed.
 * @param check its number; @param told hears what the check did on which night
 */
export function follow(
  nights: readonly KeptNight[],
  check: number,
  told: (night: number, turn: Turn) => void,
): Followed {
  let failure: Failure | undefined;
  let before: Letter = ' ';
  let lastTold: KeptNight | undefined;
  const letters = nights.map((night, at): Letter => {
    const asked = night.searched(check);
    const then = lastTold?.searched(check);
    const isUnasked = failure !== undefined && GOOD.has(night.letter(check)) && !isAskedAgain(then, asked);
    const letter = isUnasked ? '.' : night.letter(check);
    if (BAD.has(letter)) {
      const found = failure?.found ?? (at > 0 && (isFoundOnly(then, asked) || isBeyond(asked)));
      if (letter === 'f' && failure === undefined && at > 0) told(at, found ? 'found' : 'new');
      if (letter === 'f' && failure?.waived !== undefined) told(at, 'unwaived');
      failure = {
        since: failure?.since ?? at,
        fromStart: failure?.fromStart ?? at === 0,
        found,
        nights: (failure?.nights ?? 0) + 1,
        last: at,
        waived: night.waived.get(check),
      };
    } else if (failure !== undefined && GOOD.has(letter)) {
      told(at, 'fixed');
      failure = undefined;
    } else if (failure !== undefined && letter === ' ' && night.head.complete) {
      told(at, 'vanished');
      failure = undefined;
    } else if ((letter === 'i' || letter === 'u' || letter === 'e') && isTold(before)) {
      told(at, 'untold');
    }
    before = letter;
    if (isTold(letter)) lastTold = night;
    return letter;
  });
  return { failure, letters };
}

function isTold(letter: Letter): boolean {
  return GOOD.has(letter) || BAD.has(letter);
}

/** How restless a check is: how often it began to fail, how often its verdict turned, and how often a run said so. */
export interface Rest {
  readonly episodes: number;
  readonly turns: number;
  readonly told: number;
}

/** Counts the turns between failed and not failed; nights that could not tell are passed over. */
export function restOf(letters: readonly Letter[]): Rest {
  const seen = letters.filter(isTold).map((letter) => BAD.has(letter));
  const isTurn = (failed: boolean, at: number): boolean => at > 0 && seen[at - 1] !== failed;
  return {
    episodes: seen.filter((failed, at) => failed && (at === 0 || isTurn(failed, at))).length,
    turns: seen.filter(isTurn).length,
    told: letters.filter((letter) => letter === 'u').length,
  };
}

/**
 * Whether a check is unstable: it failed, passed and failed again, or a run said so. One that began to fail and was mended
 * is not: that is what a change looks like.
 */
export function isUnstable({ episodes, told }: Rest): boolean {
  return episodes > 1 || told > 0;
}
