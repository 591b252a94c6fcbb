import { isObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { type Finding, findingId } from '../../../engine/check.ts';
import type { Replayed } from '../../../engine/fuzz-options.ts';
import { type Asked, CALLERS, type Caller, type Session } from '../../../engine/session.ts';
import { isSpecialName } from '../../../generators/unusual-values.ts';
import type { Pair } from '../../../generators/wire-forms.ts';
import { CONTEXTS, type Operation } from '../../../specs/model.ts';
import { coverageOfReplays, evaluateAgain } from '../../search/replay.ts';
import { type SiteRecord, toRecords } from './record.ts';

/** An answer with records that some check of the run received. */
export interface ShownAnswer {
  readonly route: string;
  readonly query: readonly Pair[];
  readonly as: Caller;
  /** The context of the request; undefined if it is not clear from the query. */
  readonly context: string | undefined;
  /** The items of a list, or what is shown in place of a single record, or of a list, as received. */
  readonly items: readonly unknown[];
  readonly records: readonly SiteRecord[];
  readonly curl: string;
}

/** The remembered answers of an operation that shows records, whatever their arguments and caller. */
export function shownBy(session: Session, operation: Operation): ShownAnswer[] {
  const own = operation.route.wire.split('/');
  const isMeant = (route: string): boolean => {
    const parts = route.split('/');
    return (
      parts.length === own.length &&
      own.every((part, at) => part === parts[at] || (part.startsWith('{') && /^\d+$/.test(parts[at] ?? '')))
    );
  };
  return CALLERS.flatMap((as) =>
    session.remembered(isMeant, as).flatMap((asked) => answerOf(session, operation, asked, as) ?? []),
  );
}

/** Arguments outside the contract that change which members an answer has. */
const PARTIAL = /^_(fields|embed|envelope|jsonp)\b/;

function answerOf(
  { index }: Session,
  { role, resource }: Operation,
  { route, query, answer }: Asked,
  as: Caller,
) {
  const { json, curl } = answer;
  if (answer.answer !== 'accepted' || query.some(([name]) => PARTIAL.test(name))) return undefined;
  const isList = role === 'list' && Array.isArray(json);
  // The checks of lists report a list of records that is none; that of children is read by few.
  const isOther = role === 'list' && !isList && resource?.parent === undefined;
  if (isOther || json === undefined) return undefined;
  const items: readonly unknown[] = isList ? json : [json];
  const contexts = query.filter(([name]) => name.startsWith('context'));
  const [only = ['context', 'view']] = contexts;
  const context = contexts.length > 1 || only[0] !== 'context' ? undefined : only[1];
  // If the site accepts an invalid context, the check of the context reports it.
  if (context !== undefined && !CONTEXTS.some((one) => one === context)) return undefined;
  return { route, query, as, context, items, records: toRecords(items, index.zone), curl };
}

/** The first violation in some answers that a fresh answer shows too. @param beside answers that it is relative to */
export async function firstWrong(
  session: Session,
  operation: Operation,
  answers: readonly ShownAnswer[],
  judge: (shown: ShownAnswer) => Finding | undefined,
  beside: readonly ShownAnswer[] = [],
): Promise<Finding | undefined> {
  for (const shown of answers.filter((one) => judge(one) !== undefined).slice(0, MOST_CONFIRMED)) {
    const asked = { ...shown, answer: await askAgain(session, shown) };
    const fresh = answerOf(session, operation, asked, shown.as);
    const finding = fresh && judge(fresh);
    if (finding !== undefined) return withRequests(session, finding, [shown, ...beside]);
  }
  return undefined;
}

/** How many violations are confirmed at most, if fresh answers do not show them. */
const MOST_CONFIRMED = 5;

/** Sends the request of an answer again. */
export function askAgain(session: Session, { route, query, as }: ShownAnswer): Promise<Observation> {
  return session.client.request({ method: 'GET', route, query, as });
}

const KIND = 'answer';

/** Adds the requests that show a finding, so that a later run sends them whatever else it sends. */
export function withRequests(session: Session, finding: Finding, shown: readonly ShownAnswer[]): Finding {
  const { seed } = session;
  return {
    ...finding,
    replay: { requests: shown.map(({ as, route, query }) => ({ as, route, query })) },
    witnesses: { parameters: [], kind: KIND, shows: 'always', seed, path: KIND, witnesses: 1, judged: 1 },
  };
}

/** Checks answers of this run, and those of earlier findings; a replay only the latter. Requests the list if none. */
export async function lookAtAnswers(
  session: Session,
  check: string,
  operations: readonly Operation[],
  look: () => Promise<Finding | undefined>,
): Promise<(Finding | undefined)[]> {
  const kept = session.fuzz.kept.filter((one) => one.check === check);
  for (const request of kept.flatMap(({ args }) => requestsIn(args.requests))) await session.ask(request);
  if (session.fuzz.replay !== true) {
    const list = operations.find(({ role, route }) => role === 'list' && route.pathParameters.length === 0);
    if (list !== undefined && operations.every((operation) => shownBy(session, operation).length === 0)) {
      await session.ask({ method: 'GET', route: list.route.wire, as: session.caller });
    }
    return [await look()];
  }
  const ends: Replayed[] = [];
  const findings: (Finding | undefined)[] = [];
  for (const one of kept) {
    const { replayed, finding } = await evaluateAgain(one, async () => {
      const found = await look();
      return { end: found === undefined ? 'accepted' : 'other', finding: found, kind: KIND };
    });
    ends.push({ id: one.id ?? findingId(check, [], KIND), ...replayed });
    findings.push(finding);
  }
  session.tried.set(check, coverageOfReplays(ends));
  return findings;
}

/** Reads requests from results. Arguments with a meaning on every route are not sent. */
function requestsIn(requests: unknown): (Pick<ShownAnswer, 'as' | 'route' | 'query'> & { method: 'GET' })[] {
  const all: unknown[] = Array.isArray(requests) ? requests : [];
  return all.filter(isObject).flatMap(({ as, route, query }) => {
    const by = CALLERS.find((one) => one === as);
    const pairs: unknown[] = Array.isArray(query) ? query : [];
    const isPlain =
      pairs.every(isPair) && pairs.every(([name]) => name === 'password' || !isSpecialName(name));
    if (by === undefined || typeof route !== 'string' || !isPlain) return [];
    return [{ method: 'GET', as: by, route, query: pairs.filter(isPair) }];
  });
}

function isPair(value: unknown): value is Pair {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string');
}
