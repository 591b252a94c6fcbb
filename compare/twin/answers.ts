import { isObject, type JsonObject } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { loadObservedNames } from '../../specs/texts.ts';
import type { Effect } from '../law.ts';
import { idOf, type Pairs } from './records.ts';

/** The difference between two answers to one request for a list. */
export interface ListDifference {
  readonly kind: 'list-answer' | 'list-records' | 'list-order' | 'list-totals';
  readonly effect: Effect;
  readonly evidence: string;
}

const MOST_IDS = 6;

/** The gravest difference between two answers of a list, without what depends on records of only one site. */
export function differenceOf(was: Observation, is: Observation, pairs: Pairs): ListDifference | undefined {
  if (was.answer !== is.answer) return otherAnswer(was, is);
  const [then, now] = [recordsIn(was), recordsIn(is)];
  if (was.answer !== 'accepted' || then === undefined || now === undefined) return undefined;
  const left = then.map((one) => pairs.before.get(idOf(one) ?? ''));
  const right = now.map((one) => pairs.after.get(idOf(one) ?? ''));
  const isEqual = pairs.isEqual && ![...left, ...right].includes(undefined);
  const [total, totalNow] = [totalOf(was), totalOf(is)];
  const isWhole = total === then.length && totalNow === now.length;
  if (!(isEqual || isWhole)) return undefined;
  const [before, after] = [left, right].map((ids) =>
    ids.filter((id) => id !== undefined && pairs.steady.has(id)),
  );
  const evidence = `${shown(before)} before, ${shown(after)} after`;
  // Records with equal sort keys may fall on another page.
  const isSure = isWhole || (total !== undefined && totalNow !== undefined && total !== totalNow);
  if (before?.toSorted().join() !== after?.toSorted().join())
    return { kind: 'list-records', effect: isSure ? 'incomparable' : 'unknown', evidence };
  if (pairs.sameIds && before?.join() !== after?.join())
    return { kind: 'list-order', effect: 'unknown', evidence };
  if (!isEqual || total === undefined || totalNow === undefined || total === totalNow) return undefined;
  return { kind: 'list-totals', effect: 'incomparable', evidence: `${total} before, ${totalNow} after` };
}

/** Whether a site answered one request for a list the same way twice. */
export function isRepeated(one: Observation, other: Observation): boolean {
  const said = (answer: Observation): string =>
    JSON.stringify([answer.answer, totalOf(answer), recordsIn(answer)?.map(idOf)]);
  return said(one) === said(other);
}

/** A difference between accepting and not accepting. Two kinds of refusals are compared elsewhere. */
export function otherAnswer(was: Observation, is: Observation): ListDifference | undefined {
  if (was.answer === is.answer || was.tooLarge === true || is.tooLarge === true) return undefined;
  if (was.answer !== 'accepted' && is.answer !== 'accepted') return undefined;
  return {
    kind: 'list-answer',
    effect: was.answer === 'accepted' ? 'narrows' : 'widens',
    evidence: `status ${was.status} before, ${is.status} after`,
  };
}

/** The records of an answer; undefined if it is not a list. */
export function recordsIn({ json }: Observation): JsonObject[] | undefined {
  return Array.isArray(json) ? json.filter(isObject) : undefined;
}

function totalOf({ headers }: Observation): number | undefined {
  const text = headers[loadObservedNames().totals.records];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function shown(ids: readonly (string | undefined)[] = []): string {
  if (ids.length === 0) return 'none';
  return ids.slice(0, MOST_IDS).join(', ') + (ids.length > MOST_IDS ? ', …' : '');
}
