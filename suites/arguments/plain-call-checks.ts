import { redirectOf } from '../../client/answer.ts';
import type { Observation } from '../../client/observation.ts';
import { isFinding, orAbort } from '../../engine/aborted.ts';
import { type Check, check, checkId, type Finding, type Found, serves } from '../../engine/check.ts';
import {
  blocked,
  describe,
  explain,
  failure,
  failureBy,
  inconclusive,
  reportedBy,
  saidBy,
  show,
  throttled,
} from '../../engine/findings.ts';
import { type Caller, fixture, type Session } from '../../engine/session.ts';
import { plural } from '../../engine/text.ts';
import type { Args } from '../../generators/wire-forms.ts';
import { findParent } from '../../probing/records/reading/find-parent.ts';
import type { AbsentParameter, Operation, Parameter } from '../../specs/model.ts';
import { takesAnyText } from '../../specs/schema.ts';
import { byOtherMethods, sendValid, toRequest } from './calls/call.ts';
import { type Baseline, baselineOf, controlOf } from './calls/control.ts';
import { isOfPlugin } from './calls/control-candidates.ts';
import { askBoth, likenessBeside, mustNotBeKept } from './calls/likeness.ts';
import { hasSilentEffect } from './default-checks.ts';

/** Checks that no call returns a server error, with and without credentials, if the mode allows it. */
export function answersChecks(operation: Operation): Check[] {
  const anonymous = answersCheck(operation, 'anonymous');
  const user = answersCheck(operation, 'user');
  if (operation.effect === 'alters-site') return [{ ...user, effect: 'alters-site' }];
  if (operation.effect !== 'reads') return [];
  // Without an index for its user, no run starts.
  return operation.id === 'index.read' ? [anonymous] : [anonymous, user];
}

function answersCheck(operation: Operation, as: Caller): Check {
  const { namespace, path } = operation.route;
  const isRoot = path === `/${namespace}`;
  return check({
    id: checkId(operation.id, 'answers', as),
    kind: 'answers',
    title: `${operation.id} answers ${as === 'user' ? 'a user' : 'an anonymous caller'} without a server error`,
    on: operation,
    needsUser: as === 'user',
    needs: [serves(operation)],
    ...(isRoot && { after: [checkId('namespaces', namespace, 'root')] }),
    run: async (session) => {
      const found = await evaluateAnswers(session, operation, as);
      const anonymous = checkId(operation.id, 'answers', 'anonymous');
      if (as === 'anonymous' || operation.effect !== 'reads' || !session.runs(anonymous)) return found;
      const [fault] = [found].flat();
      if (fault?.kind !== 'failure') return found;
      // What fails for anybody is reported once.
      const [other] = [await evaluateAnswers(session, operation, 'anonymous')].flat();
      return other?.kind === 'failure' && other.message === fault.message ? reportedBy(anonymous) : found;
    },
  });
}

/** Evaluates the plain call, and then the same call with each other stated method that alters the site. */
async function evaluateAnswers(session: Session, operation: Operation, as: Caller): Promise<Found> {
  const { effect, basis } = operation;
  const baseline = orAbort(await baselineOf(session, operation, effect === 'reads' ? session.caller : as));
  const answer = await controlOf(session, { ...baseline, as }, baseline.args);
  if (isFinding(answer)) return answer;
  const plain = await evaluatePlainAnswer(session, { ...baseline, as }, answer);
  const found = plain ?? (baseline.as === as ? await evaluateOptional(session, baseline) : undefined);
  if (found !== undefined || effect !== 'alters-site' || basis === 'published') return found ?? [];
  for (const other of byOtherMethods(operation)) {
    const by = { ...baseline, as, operation: other };
    const again = await controlOf(session, by, by.args);
    const finding = isFinding(again) ? undefined : await evaluatePlainAnswer(session, by, again);
    if (finding !== undefined) return { ...finding, message: `${other.methods[0]}: ${finding.message}` };
  }
  const texts = operation.parameters.filter((one) => one.in !== 'path' && takesAnyText(one.schema));
  if (texts.length === 0) return [];
  const args = { ...baseline.args, ...Object.fromEntries(texts.map(({ wire }) => [wire, ''])) };
  const emptied = await sendValid(session, { ...baseline, args, as });
  const message = `empty texts for ${operation.id} make the server fail`;
  return emptied.answer === 'broken' ? failureBy(message, 'an answer', emptied) : [];
}

function noAnswer(
  { id }: Operation,
  answer: Observation,
  message: string,
  observed: string = describe(answer),
): Finding {
  return failure(`${id} ${message}`, { expected: 'an answer', observed, reproduce: [answer.curl] });
}

/** The finding for a redirect, which a plugin may send for now. */
async function evaluateMoved(session: Session, operation: Operation, answer: Observation): Promise<Finding> {
  const root = await movedRoot(session, operation);
  if (root !== undefined) return reportedBy(root);
  const found = noAnswer(operation, answer, `redirects to another address${saidBy(answer)}`);
  const isForNow = isOfPlugin(operation) && !MOVED_FOR_GOOD.includes(answer.status);
  return isForNow ? { ...found, kind: 'inconclusive' } : found;
}

async function evaluatePlainAnswer(
  session: Session,
  baseline: Baseline,
  answer: Observation,
): Promise<Finding | undefined> {
  const { operation, as } = baseline;
  const isOfCaller = as === session.caller;
  if (answer.answer === 'throttled') return throttled(answer);
  // The size limit is ours: the site did answer.
  const { problem = 'the answer is too large to be read' } = answer;
  if (answer.tooLarge === true) return inconclusive(problem);
  const failed = (message: string, observed?: string): Finding =>
    noAnswer(operation, answer, message, observed);
  if (answer.answer === 'refused' && isOfCaller && isOpenList(operation))
    return namesNothing(operation, answer);
  // A plugin may answer 501 if the call lacks an argument, such as for a deletion on a site without a trash.
  if (answer.status === 501 && operation.basis === 'published')
    return inconclusive(`${operation.id} answers 501: it may want other arguments`);
  if (redirectOf(answer) !== undefined) return evaluateMoved(session, operation, answer);
  if (answer.answer === 'absent')
    return failed(`is in the index, and answers that it does not serve ${operation.methods[0]}`);
  if (answer.answer === 'broken') return failed(`makes the server fail${saidBy(answer)}`);
  if (isOfCaller && (await isNotServed(session, baseline, answer))) {
    const message = `${operation.id} answers like a route that does not exist: nothing serves it, or it is hidden from this caller`;
    return { ...inconclusive(message), reproduce: [answer.curl] };
  }
  // What a write answers is silent (§4.10) and may be empty. A published operation may also answer with a file.
  const isDue = operation.effect === 'reads' && operation.basis !== 'published' && answer.status !== 204;
  if (answer.answer !== 'accepted' || answer.json !== undefined || !isDue) return undefined;
  return failed(`answers without JSON${saidBy(answer)}`, answer.problem ?? 'no JSON');
}

/** The failure of a stated list of children that is not answered for a record that exists, although it needs no arguments. */
async function refusalOfChildren(session: Session, operation: Operation): Promise<Finding | undefined> {
  if (!isFreeList(operation) || operation.resource?.parent === undefined) return undefined;
  const family = await findParent(session, operation, 1);
  if (!isFinding(family) || family.refusal === undefined) return undefined;
  const how = family.refusal.answer === 'broken' ? 'makes the server fail for' : 'refuses';
  const message = `${operation.id} ${how} a call that names nothing but an existing record`;
  return failureBy(message, 'an answer', family.refusal);
}

/** Other redirects of a plugin may be its answer, such as the way to a login: what it does is silent (§1). */
const MOVED_FOR_GOOD: readonly number[] = [301, 308];

/** The check of the root of a namespace, if that redirects too: then all routes do, such as to a slash at their end. */
async function movedRoot(session: Session, { route }: Operation): Promise<string | undefined> {
  const { name, wire } = session.contract.namespaces.find((one) => one.name === route.namespace) ?? {};
  if (name === undefined || !session.runs(checkId('namespaces', name, 'root'))) return undefined;
  const root = await session.ask({ method: 'GET', route: `/${wire}`, as: 'user' });
  return redirectOf(root) === undefined ? undefined : checkId('namespaces', name, 'root');
}

const UNKNOWN_ROUTE = 'no-such-route';

/**
 * Whether an operation answers exactly like a route that does not exist: it is listed, and nothing serves it. With path
 * parameters it may be an item that does not exist, and a required argument may name nothing; without the argument the
 * site would refuse it for that.
 */
async function isNotServed(
  session: Session,
  { operation, route, args, as }: Baseline,
  answer: Observation,
): Promise<boolean> {
  if (answer.status !== 404 || operation.route.pathParameters.length > 0) return false;
  const noRoute = nowhereBeside(operation);
  const nowhere = await answerOfNowhere(session, operation, as);
  const isNowhere = (one: Observation): boolean => isAlike(one, route, nowhere, noRoute);
  if (!isNowhere(answer)) return false;
  return (
    Object.keys(args).length === 0 || isNowhere(await sendValid(session, { operation, route, args: {}, as }))
  );
}

/** What the site answers for a route of the namespace that does not exist. */
const answerOfNowhere = fixture(
  'nowhere',
  (session, operation: Operation, as: Caller) =>
    sendValid(session, { operation, route: nowhereBeside(operation), args: {}, as }),
  (operation, as) => [nowhereBeside(operation), operation.methods[0], as],
);

function nowhereBeside({ route }: Operation): string {
  return `${route.wire.replace(/[^/]+$/, '')}${UNKNOWN_ROUTE}`;
}

function isAlike(one: Observation, route: string, nowhere: Observation, noRoute: string): boolean {
  return (
    one.status === nowhere.status && withoutRoute(one.text, route) === withoutRoute(nowhere.text, noRoute)
  );
}

function withoutRoute(text: string | undefined, route: string): string | undefined {
  return text?.replaceAll(route, '').replaceAll(route.replaceAll('/', String.raw`\/`), '');
}

/**
 * Evaluates a plain call that is refused, though it is accepted with an optional argument (R9). Which arguments a plugin
 * takes together is silent (R51), except for an argument with a stated default; a read that names nothing is doubtful.
 */
async function evaluateOptional(session: Session, baseline: Baseline): Promise<Finding | undefined> {
  const { operation, args, refused } = baseline;
  if (operation.basis === 'published') return undefined;
  const ask = (some: Args): Promise<Observation> => sendValid(session, { ...baseline, args: some });
  const children = await refusalOfChildren(session, operation);
  if (refused === undefined) return children;
  if (operation.effect === 'reads' && (await helpingDefaults(baseline, ask)) === 1) return undefined;
  if (children !== undefined) return children;
  const optional = operation.parameters.filter(
    (one) => one.required !== true && Object.hasOwn(args, one.wire),
  );
  for (const parameter of optional) {
    const found = await refusalWithout(baseline, parameter, ask);
    if (found !== undefined) return found;
  }
  return isOpenList(operation) && !isOfPlugin(operation) ? namesNothing(operation, refused) : undefined;
}

/** The finding if a call is refused without one optional argument, and accepted with it. */
async function refusalWithout(
  { operation, args }: Baseline,
  parameter: Parameter,
  ask: (args: Args) => Promise<Observation>,
): Promise<Finding | undefined> {
  const { wire, schema } = parameter;
  const isStated = schema.default !== undefined && schema.default !== null;
  // Other checks of its default compare the plain call.
  if (isStated && hasSilentEffect(parameter)) return undefined;
  const isDoubtful = isOfPlugin(operation) && !isStated;
  if (isDoubtful && operation.effect !== 'reads') return undefined;
  const { [wire]: value, ...others } = args;
  const without = await ask(others);
  if (without.answer !== 'refused') return undefined;
  // The same argument as without it: a site may refuse to set what is already set.
  const control = await ask({ ...others, [wire]: isStated ? schema.default : value });
  if (control.answer !== 'accepted') return undefined;
  const message = `${operation.id} refuses a call without ${wire}, which is optional`;
  const found = failureBy(message, 'accepted', without, [without.curl, control.curl]);
  return isDoubtful ? { ...found, kind: 'warning' } : found;
}

/**
 * How many defaults are accepted if the call names one of them beside what is required. If it is one, the check of that
 * default reports that the site has another; if several are, the site wants any argument.
 */
async function helpingDefaults(
  { operation: { parameters }, args }: Baseline,
  ask: (args: Args) => Promise<Observation>,
): Promise<number> {
  const required = parameters.filter((one) => one.required === true && Object.hasOwn(args, one.wire));
  const plain = Object.fromEntries(required.map(({ wire }) => [wire, args[wire]]));
  let count = 0;
  for (const { wire, schema } of parameters) {
    if (schema.default === undefined || schema.default === null) continue;
    const answer = await ask({ ...plain, [wire]: schema.default });
    if (answer.answer === 'accepted') count += 1;
  }
  return count;
}

function namesNothing({ id }: Operation, refused: Observation): Finding {
  const message = `${id} refuses a call that names nothing`;
  return failureBy(message, 'an answer', refused);
}

/** Whether a stated list needs no arguments: all its parameters are optional, and its path has none. */
function isOpenList(operation: Operation): boolean {
  return isFreeList(operation) && operation.route.pathParameters.length === 0;
}

/** Whether a stated list needs no arguments but those of its path. */
function isFreeList({ role, basis, parameters }: Operation): boolean {
  const takesNothing = parameters.every((one) => one.in === 'path' || one.required !== true);
  return role === 'list' && basis !== 'published' && takesNothing;
}

/** The check that a list ignores or refuses a parameter that the contract excludes for it (R40). */
export function excludedParameterChecks(operation: Operation): Check[] {
  if (operation.effect !== 'reads') return [];
  return operation.absent
    .filter(({ probe }) => probe !== undefined)
    .map((absent) => {
      const { name, wire, section } = absent;
      const declared = checkId(operation.id, name, 'absent');
      return check({
        id: checkId(declared, 'ignored'),
        kind: 'ignored',
        title: `ignores ${wire} in ${operation.id}, which has no such parameter`,
        section,
        on: operation,
        parameter: name,
        needs: [serves(operation), declared],
        run: (session) => evaluateIgnored(session, operation, absent),
      });
    });
}

async function evaluateIgnored(
  session: Session,
  operation: Operation,
  absent: AbsentParameter,
): Promise<Found> {
  const { wire, probe, reason } = absent;
  const baseline = orAbort(await baselineOf(session, operation));
  const ask = (args: Args): Promise<Observation> => session.ask(toRequest(baseline, args));
  const plain = await ask({});
  if (plain.answer === 'broken') return blocked(checkId(operation.id, 'answers', baseline.as));
  if (plain.answer !== 'accepted') {
    return inconclusive(`the request without it is not accepted (${explain(plain)})`);
  }
  if (!Array.isArray(plain.json) || plain.json.length === 0) {
    return inconclusive('no record is visible that the parameter could leave out');
  }
  // All excluded parameters at once: if they change nothing together, none does alone.
  const all = operation.absent.flatMap((one) => (one.probe === undefined ? [] : [[one.wire, one.probe]]));
  const compared = { session, baseline };
  const isAlike = async (one: Observation, other: Observation): Promise<boolean> =>
    (await likenessBeside(compared, one, other)) === 'same';
  if (await isAlike(plain, await ask(Object.fromEntries(all)))) return [];
  const alone = await ask({ [wire]: probe });
  const expected = 'the same answer with it as without it';
  if (alone.answer === 'refused' || (await isAlike(plain, alone))) return [];
  if (alone.answer === 'broken') {
    return failureBy(`${wire}, which the contract excludes, makes the server fail`, expected, alone);
  }
  if (alone.answer !== 'accepted')
    return inconclusive(`the request with it is not evaluated (${explain(alone)})`);
  const both = await askBoth(compared, { [wire]: probe });
  if (both === undefined || (await isAlike(both.first, both.other))) return [];
  const { first, other } = both;
  if (first.answer !== 'accepted' || other.answer !== 'accepted') {
    return inconclusive(`answered otherwise in a retry (${describe(first)}, ${describe(other)})`);
  }
  await mustNotBeKept(compared, { [wire]: probe }, both);
  return failure(`${operation.id} applies ${wire} ${show(probe)}, which the contract excludes (${reason})`, {
    expected,
    observed: `${lengthOf(first)} without it, ${lengthOf(other)} with it`,
    reproduce: [first.curl, other.curl],
  });
}

function lengthOf({ json }: Observation): string {
  return Array.isArray(json) ? plural(json.length, 'record') : 'no list';
}
