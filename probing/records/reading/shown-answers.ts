import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import type { Asked, Caller, Session } from '../../../engine/session.ts';
import type { Pair } from '../../../generators/wire-forms.ts';
import type { Operation } from '../../../specs/model.ts';
import { type SiteRecord, toRecords } from './record.ts';

/** An answer with records that some check was given, whatever it asked for. */
export interface ShownAnswer {
  readonly route: string;
  readonly query: readonly Pair[];
  readonly as: Caller;
  /** The context that it was asked for; undefined where the query does not say it plainly. */
  readonly context: string | undefined;
  /** What it shows as it came: the items of a list, or the one record. */
  readonly items: readonly unknown[];
  readonly records: readonly SiteRecord[];
  readonly curl: string;
}

const CALLERS: readonly Caller[] = ['user', 'anonymous'];

/**
 * What the run was answered so far where it asked an operation that shows records, and remembers: every page, filter, order,
 * context and caller. Looking at it costs no request.
 */
export function shownBy(session: Session, operation: Operation): ShownAnswer[] {
  const isMeant = (route: string): boolean => isOf(operation, route);
  return CALLERS.flatMap((as) =>
    session.remembered(isMeant, as).flatMap((asked) => shownIn(operation, asked, as) ?? []),
  );
}

function isOf({ route: { wire } }: Operation, route: string): boolean {
  const [own, other] = [wire.split('/'), route.split('/')];
  return (
    own.length === other.length &&
    own.every((part, at) => (part.startsWith('{') ? /^\d+$/.test(other[at] ?? '') : part === other[at]))
  );
}

/** The arguments that change what an answer holds of a record, and are no parameters of the contract. */
const PARTIAL = /^_(fields|embed|envelope|jsonp)\b/;

function shownIn({ role }: Operation, { route, query, answer }: Asked, as: Caller): ShownAnswer | undefined {
  const { json, curl } = answer;
  if (answer.answer !== 'accepted' || query.some(([name]) => PARTIAL.test(name))) return undefined;
  const isList = role === 'list';
  if (isList !== Array.isArray(json) || json === undefined || json === null) return undefined;
  const items: readonly unknown[] = Array.isArray(json) ? json : [json];
  const contexts = query.filter(([name]) => name.startsWith('context'));
  const [only = ['context', 'view']] = contexts;
  const context = contexts.length > 1 || only[0] !== 'context' ? undefined : only[1];
  return { route, query, as, context, items, records: toRecords(items), curl };
}

/** What is wrong with an answer; undefined where nothing is. */
type Judge = (shown: ShownAnswer) => Finding | undefined;

/**
 * The first of some answers with which something is wrong that a fresh answer to the same request shows too; undefined where
 * there is none. Asks only where something is wrong.
 */
export async function firstWrong(
  session: Session,
  operation: Operation,
  answers: readonly ShownAnswer[],
  judge: Judge,
): Promise<Finding | undefined> {
  for (const shown of answers.filter((one) => judge(one) !== undefined).slice(0, MOST_CONFIRMED)) {
    const fresh = shownIn(operation, { ...shown, answer: await askAgain(session, shown) }, shown.as);
    const finding = fresh && judge(fresh);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** Answers that were once wrong and are not any more, after which no others are asked for. */
const MOST_CONFIRMED = 5;

/** Asks once more what was answered. */
export function askAgain(session: Session, { route, query, as }: ShownAnswer): Promise<Observation> {
  return session.client.request({ method: 'GET', route, query, as });
}
