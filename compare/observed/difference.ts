import type { Effect, Kind } from '../law.ts';

/** So few records or answers show nothing by themselves. */
export const FEW = 3;
/** The form of a list with values that are no records, beside these or in their place. */
export const OTHERS = 'list of other values';

/** Two notes of the same, before and after. */
export interface Pair<Notes> {
  readonly was: Notes;
  readonly is: Notes;
}

/** What both sides noted under one key. */
export function pairsOf<Notes>(
  was: readonly Notes[],
  is: readonly Notes[],
  key: (one: Notes) => string,
): Pair<Notes>[] {
  const now = new Map(is.map((one) => [key(one), one]));
  return was.flatMap((one) => {
    const other = now.get(key(one));
    return other === undefined ? [] : [{ was: one, is: other }];
  });
}

/** A difference of one place, before those that are one change are joined. */
export interface Difference {
  readonly kind: Kind;
  readonly effect: Effect;
  /** The effect where several places show the same, each too seldom. */
  readonly together?: Effect;
  readonly subject: string;
  /** The subject that says it already, where it is of the same place and kind. */
  readonly within?: string;
  readonly before?: string;
  readonly after?: string;
  readonly evidence?: string;
  /** Of a refusal: path and query of a read that was refused so. */
  readonly asked?: string;
  /** Whether checks of the same operation that fail now depend on it. */
  readonly isRoot?: true;
}

/** How often a thing was seen on each side, in words. */
export function evidence(was: string, is: string): string {
  return `${was} before, ${is} after`;
}

/** A count of what there were so many of: `24 of 26 records`. */
export function share(count: number, of: number, noun: string): string {
  return `${count} of ${of} ${noun}${of === 1 ? '' : 's'}`;
}

/** Several words as one text. */
export function either(words: readonly string[]): string {
  return words.toSorted().join(' or ');
}

/** Whether a path of a member leads into what is at another: `title.raw` and `tags[]` into `title` and `tags`. */
export function isInside(path: string, outer: string): boolean {
  return path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** The outermost member that a path leads through. */
export function outermost(path: string): string {
  return path.replace(/[.[].*$/, '');
}
