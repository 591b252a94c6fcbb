import type { AnswerNotes } from '../../client/observed/document.ts';
import { listed, plural } from '../../engine/text.ts';
import { type Effect, KINDS, type Kind } from '../law.ts';

/** With fewer records or answers, nothing is proven. */
export const FEW = 3;
/** From this number on, what no record without a date of change has kept is no matter of content. */
export const SEVERAL = 5;
/** The form of a list with values that are not records. */
export const OTHERS = 'list of other values';

/** Of a member that every record had, and only some have now. */
export const SOMETIMES = 'sometimes';

/** Of members of an embedded record in whose place there is a refusal now. */
export const REFUSED = 'a refusal';

/** How unmodified records are rendered otherwise, if that is known; `every` of records without a date of change. */
export const RENDERED = {
  order: 'in another order',
  numbers: 'other numbers',
  every: 'another value in each',
} as const;

/** Stands before what the texts of records show that none showed before, and no editor writes. */
export const FAULTY = 'showing ';

/** Subjects by which rules of causes recognise a difference. */
export const SUBJECTS = {
  /** Of a list that refuses some of its requests. */
  someRequests: 'some requests',
  /** Of a record that is twice on one page. */
  onePage: 'one page',
  /** Of members that only those who may edit were shown. */
  ofEditing: 'members of',
  /** Added to the name of a header that only refusals lack. */
  ofRefusals: ' of refusals',
} as const;

/** The same notes before and after. */
export interface Pair<Notes> {
  readonly was: Notes;
  readonly is: Notes;
}

/** The notes on the same requests before and after. */
export type Answers = Pair<AnswerNotes>;

/** The notes with the same key on both sides. */
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

/** Whether answers that nobody could read are JSON now, such as under a form of address that the site did not serve. */
export function isReadableNow({ was, is }: Pair<Pick<AnswerNotes, 'forms'>>): boolean {
  return Object.keys(was.forms).join() === 'unreadable' && is.forms.unreadable === undefined;
}

/** A difference in one place, before differences with one cause are joined. */
export interface Difference {
  readonly kind: Kind;
  readonly effect: Effect;
  /** The effect if several places show it, each in too few answers. */
  readonly together?: Effect | undefined;
  readonly subject: string;
  /** A subject at the same place and of the same kind that already covers it. */
  readonly within?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly evidence?: string | undefined;
  /** For a refusal: path and query of a read that was refused this way; the query alone for a list that refuses some. */
  readonly asked?: string | undefined;
  /** Whether it explains failing checks of the same operation. */
  readonly isRoot?: boolean;
}

/** A difference with the effect of its kind, which is unknown unless enough was seen. */
export function differing(
  kind: Kind,
  subject: string,
  isEvident: boolean,
  rest: Omit<Difference, 'kind' | 'subject' | 'effect'> = {},
): Difference {
  return { kind, subject, effect: (isEvident ? KINDS[kind].effect : undefined) ?? 'unknown', ...rest };
}

/** How many names, or ids of records, a text lists. */
export const MOST_NAMES = 5;

/** Several differences as one about all of them. @param names what they are about */
export function asOne(first: Difference, subject: string, names: readonly string[]): Difference {
  return { ...first, subject, evidence: `${listed(names, MOST_NAMES)}: ${first.evidence ?? ''}` };
}

/** How often something was seen on each side, in words. */
export function evidence(was: string, is: string): string {
  return `${was} before, ${is} after`;
}

type Share = readonly [count: number, of: number];

/** The same for shares: `24 of 26 records before, 0 of 9 records after`. */
export function shares(noun: string, was: Share, is: Share): string {
  return evidence(outOf(...was, noun), outOf(...is, noun));
}

/** A share: `24 of 26 records`. */
export function outOf(count: number, of: number, noun: string): string {
  return `${count} of ${plural(of, noun)}`;
}

/** Several words as one text, each once. */
export function either(words: readonly (string | number)[]): string {
  return [...new Set(words)].map(String).sort().join(' or ');
}

/** Whether a member is inside another: `title.raw` and `tags[]` are inside `title` and `tags`. */
export function isInside(path: string, outer: string): boolean {
  return path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** The outermost member of a path. */
export function outermost(path: string): string {
  return path.replace(/[.[].*$/, '');
}
