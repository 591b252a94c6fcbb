import { saysGone } from '../../../client/answer.ts';
import type { Observation } from '../../../client/observation.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { compareAsked, likenessOf } from '../../../engine/equal.ts';
import {
  byWhat,
  describe,
  evaluateAcceptance,
  evaluateRefusal,
  failureBy,
  inconclusive,
  notApplicable,
  show,
  throttled,
} from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { simplerValid, simplerValues } from '../../../generators/explore.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { statedBy } from '../../../probing/declarations/compare-constraint.ts';
import { UNKNOWN } from '../../../probing/records/reading/list-request.ts';
import type { Evaluation, Free, Property, Search } from '../../../probing/search/fuzz-sets.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { acceptanceOf } from '../acceptance-checks.ts';
import { type Call, toRequest } from '../calls/call.ts';
import { type Baseline, controlNow, controlOf, goodArgs } from '../calls/control.ts';
import { isOfPlugin, optionalSets } from '../calls/control-candidates.ts';
import { steadyView, withoutTexts } from '../calls/likeness.ts';
import { isUnenforced } from '../enforcement.ts';
import { enforcedId, isEnforceable } from '../invalid-values.ts';
import { routeWith, SPECIAL_NAMES } from './strange-sets.ts';

/** Other checks try all combinations of fewer parameters. */
export const FEWEST_PARAMETERS = 3;

/** One in this many examples is sent in several ways, to compare the answers. */
export const COMPARED_SHARE = 10;

/** The subject of a search, after its operation got a baseline request. */
export interface FuzzContext extends Search {
  readonly baseline: Baseline;
}

/** Whether `onSite` limited a parameter to likely names of things of the site. */
function isOfNames({ parameter, schema }: Free): boolean {
  return schema.enum !== undefined && parameter.schema.enum === undefined;
}

/** Every combination of valid arguments is accepted, or denied. */
export function accepted(context: FuzzContext): Property {
  const { session, baseline, free } = context;
  const { operation } = baseline;
  const send = sendIn(context);
  return {
    edges: 'accepted',
    simpler: simplerAmong(free),
    async evaluate(args, fresh) {
      const control = await controlOf(session, baseline, baseline.args);
      if (isFinding(control)) return { end: 'other', finding: control };
      if (control.answer === 'denied') {
        const finding = inconclusive(`${operation.id} is denied to this caller${byWhat(control)}`);
        return { end: 'other', finding };
      }
      const valid = await send(args, fresh);
      const now = valid.answer === 'refused' ? await controlNow(session, baseline, baseline.args) : control;
      const beside = isFinding(now) ? control : now;
      const what = `${show(args)} for ${operation.id}`;
      const finding = evaluateAcceptance(what, valid, beside, baseline.search);
      const kind = valid.answer;
      if (kind !== 'refused' || finding?.kind !== 'failure' || !isOfPlugin(operation))
        return { end: endOf(valid), finding, kind };
      // Which names can be combined depends on the site.
      const names = free.filter((one) => Object.hasOwn(args, one.parameter.wire) && isOfNames(one));
      if (names.length > 1) return { end: 'other', kind };
      const other = await takenWithSiblings(context, (siblings) => send({ ...siblings, ...args }, fresh));
      if (other !== undefined) return { end: endOf(other), kind: other.answer };
      return { end: endOf(valid), finding: { ...finding, kind: 'warning' }, kind };
    },
  };
}

/** The first accepted answer to a call with optional arguments beside its own. */
async function takenWithSiblings(
  { session, baseline }: FuzzContext,
  sendWith: (siblings: Args) => Promise<Observation>,
): Promise<Observation | undefined> {
  for (const siblings of await optionalSets(session, baseline.operation)) {
    const answer = await sendWith(siblings);
    if (answer.answer === 'accepted') return answer;
  }
  return undefined;
}

/** How valid arguments are simplified. A single refused value is already reported. */
export function simplerAmong(free: readonly Free[]): Property['simpler'] {
  const schemas = new Map(free.map(({ parameter, schema }) => [parameter.wire, schema]));
  return (name, value) => simplerValid(schemas.get(name) ?? {}, value);
}

/** Sends a set of arguments. @param fresh whether to bypass remembered answers */
export type SendSet = (args: Args, fresh: boolean) => Promise<Observation>;

function soleOf(free: readonly Free[], [name, ...others]: readonly string[]): Parameter | undefined {
  return others.length > 0 ? undefined : free.find(({ parameter }) => parameter.wire === name)?.parameter;
}

/** A set with one invalid argument is refused, whatever the other arguments are. */
export function refused({ session, baseline, free }: FuzzContext, send: SendSet): Property {
  const { operation } = baseline;
  return {
    edges: 'refused',
    keepsSubject: true,
    async evaluate(args, fresh) {
      const invalid = await send(args, fresh);
      const ask = saysGone(invalid) ? controlNow : controlOf;
      const valid = operation.effect === 'writes' ? goodArgs(session, baseline) : baseline.args;
      // A write that is open to anonymous callers is only sent as the user.
      const isOpen = baseline.open === true;
      const control = isOpen ? await send({}, true) : await ask(session, baseline, valid);
      const finding = evaluateRefusal(`${show(args)} for ${operation.id}`, invalid, control, baseline.search);
      return { end: endOf(invalid), finding, kind: invalid.answer };
    },
    // A simpler value could be valid, so only whole arguments are removed.
    simpler: () => [],
    async reportedBy(names) {
      const parameter = soleOf(free, names);
      return parameter && reportedAlone(session, operation, parameter);
    },
  };
}

/** The id of a failing check of a single keyword, which already reports what this argument alone shows. */
async function reportedAlone(
  session: Session,
  operation: Operation,
  parameter: Parameter,
): Promise<string | undefined> {
  for (const stated of statedBy(operation, parameter).filter(isEnforceable)) {
    const id = enforcedId(stated);
    if (session.runs(id) && (await isUnenforced(session, stated))) return id;
  }
  return undefined;
}

/** Traces of the internals of software: stack traces, file names of the server, database errors. */
const INSIDE: readonly RegExp[] = [
  /\bStack trace:|\bTraceback \(most recent call last\)/,
  /\bat (?:\S+ )?\(?\S+\.[cm]?[jt]s:\d+:\d+/,
  /(?:\/[\w.-]+){2,}\.php\b(?:\(\d+\)| on line \d+|:\d+)/,
  /\bSQLSTATE\[|\byou have an error in your SQL syntax|\b(?:SELECT|INSERT|UPDATE)\b.{1,200}\bwp_\w+/i,
];

const MOST_FAILURES = 12;

/** No value causes a server error, and refusals reveal no internals. @param what the operation, if not its id */
export function robust(
  { session, free }: Search,
  operation: Operation,
  send: SendSet,
  what: string = operation.id,
): Property {
  return {
    mostFindings: MOST_FAILURES,
    ofAnyValue: `${operation.role} ${operation.resource?.parent === undefined}`,
    async evaluate(args, fresh) {
      const answer = await send(args, fresh);
      const finding = evaluateRobustness(`${show(args)} for ${what}`, answer);
      return { end: endOf(answer), finding, kind: answer.answer };
    },
    // A part of an address may lead elsewhere, and a site may fetch it.
    simpler: (_name, value) => (isAddress(value) ? [] : simplerValues(value)),
    async reportedBy(names) {
      const parameter = soleOf(free, names);
      if (parameter === undefined) return undefined;
      const enforced = await reportedAlone(session, operation, parameter);
      if (enforced !== undefined || operation.effect !== 'reads') return enforced;
      const acceptance = await acceptanceOf(session, operation);
      const findings = isFinding(acceptance) ? [] : [...acceptance.findings];
      const failing = findings.find(
        ([sample, { kind }]) =>
          sample.parameter.wire === parameter.wire && kind === 'failure' && session.runs(sample.checkId),
      );
      return failing?.[0].checkId;
    },
  };
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/.test(URL.parse(value)?.protocol ?? '');
}

/** Whether an answer reveals internals of the software. Accepted answers may hold any text of the site. */
export function showsInside({ answer, text }: Observation): boolean {
  return answer !== 'accepted' && INSIDE.some((sign) => sign.test(text));
}

function evaluateRobustness(what: string, answer: Observation): Finding | undefined {
  if (answer.answer === 'broken') {
    return failureBy(`${what} makes the server fail`, 'an answer, or a refusal', answer);
  }
  if (answer.answer === 'throttled') return throttled(answer);
  if (!showsInside(answer)) return undefined;
  const message = `the refusal of ${what} shows the inside of the software`;
  return { ...failureBy(message, 'no paths, queries or stack traces', answer), kind: 'warning' };
}

/** Sends arguments of a read with its baseline; those named like a path parameter go into the path. */
export function sendIn({ session, baseline }: FuzzContext): SendSet {
  const { operation } = baseline;
  const inRoute = new Set(operation.route.pathParameters.map(({ name }) => name));
  return (given, fresh) => {
    const own = Object.entries(given).filter(([name]) => !inRoute.has(name));
    const args = { ...baseline.args, ...Object.fromEntries(own) };
    const route = routeWith(operation, baseline.route, given);
    const spec = toRequest({ ...baseline, route, args });
    return fresh ? session.client.request(spec) : session.ask(spec);
  };
}

/** How a set of arguments ended, by the answer to it. */
export function endOf({ answer }: Observation): Evaluation['end'] {
  return answer === 'accepted' || answer === 'refused' ? answer : 'other';
}

/** An equivalent way to send the same arguments. */
export interface OtherWay {
  readonly what: string;
  /** Arguments in the order in which they are sent, and how the route is written. */
  ask(args: Args): Pick<Call, 'args' | 'encodesSlashes'>;
  /** Used if this way is not taken: a firewall may block names that attacks use. */
  readonly milder?: OtherWay;
  /** Whether a site may refuse this way, which then shows nothing. */
  readonly mayBeRefused?: true;
}

/** Names that programming languages reserve, which no software uses as parameters. */
const SPECIAL = Object.fromEntries(SPECIAL_NAMES.map((name) => [name, 'sample']));

/** With parameters that no operation has. */
export const BESIDE_UNKNOWN: OtherWay = {
  what: 'unknown parameters beside it (such as x_not_a_parameter and __proto__)',
  ask: (args) => ({ args: { ...args, ...UNKNOWN, ...SPECIAL } }),
  milder: {
    what: 'an unknown parameter beside it',
    ask: (args) => ({ args: { ...args, ...UNKNOWN } }),
    mayBeRefused: true,
  },
};

/** In another order and spelling. */
export const OTHERWISE_WRITTEN: OtherWay = {
  what: 'its arguments in the opposite order and the route with %2F',
  ask: (args) => ({ args: Object.fromEntries(Object.entries(args).reverse()), encodesSlashes: true }),
};

/** All other ways at once: if the answer is the same, none has to be tried alone. Unknown names come last. */
const ALL_WAYS: OtherWay['ask'] = (args) => {
  const written = OTHERWISE_WRITTEN.ask(args);
  return { ...written, ...BESIDE_UNKNOWN.ask(written.args) };
};

/** An accepted call gets the same answer in another way, between equal readings and apart from the address. */
export function unchanged(context: FuzzContext, way: OtherWay): Property {
  const { session, baseline, free } = context;
  return {
    simpler: simplerAmong(free),
    async evaluate(given, fresh) {
      const args = { ...baseline.args, ...given };
      const spec = toRequest({ ...baseline, args });
      const ask = (): Promise<Observation> => session.client.request(spec);
      const askBy = (other: OtherWay): Promise<Observation> =>
        session.client.request(toRequest({ ...baseline, ...other.ask(args) }));
      const plain = fresh ? await ask() : await session.ask(spec);
      const end = endOf(plain);
      if (plain.answer !== 'accepted') return { end };
      const view = await steadyView(context, withoutTexts);
      const isSame = (answer: Observation): boolean => likenessOf(plain, answer, view) === 'same';
      if (!fresh && isSame(await session.ask(toRequest({ ...baseline, ...ALL_WAYS(args) })))) return { end };
      const first = await askBy(way);
      const isBlocked = ['denied', 'refused'].includes(first.answer);
      const taken = isBlocked ? (way.milder ?? way) : way;
      if (isSame(taken === way ? first : await askBy(taken))) return { end };
      const what = `${show(given)} for ${baseline.operation.id}`;
      const finding = await differenceBetween(what, taken, [ask, () => askBy(taken), view]);
      return { end, finding, kind: 'changed' };
    },
  };
}

/** Only fresh requests sent side by side prove a difference. */
async function differenceBetween(
  what: string,
  way: OtherWay,
  calls: Parameters<typeof compareAsked>,
): Promise<Finding | undefined> {
  const compared = await compareAsked(...calls);
  if (compared.end === 'same') return undefined;
  if (compared.end === 'unread') return inconclusive(`the answer to ${what} is more than is read`);
  if (compared.end === 'unsteady')
    return inconclusive(`${what} was answered otherwise each time it was asked`);
  const { first, other } = compared;
  if (other.answer === 'denied') return inconclusive(`${what} is denied with ${way.what}`);
  if (way.mayBeRefused === true && other.answer === 'refused')
    return notApplicable(`${what} is refused with ${way.what}, which a site may do`);
  const message = `${what} is answered otherwise with ${way.what}`;
  return failureBy(message, `the same answer (${describe(first)})`, other, [first.curl, other.curl]);
}
