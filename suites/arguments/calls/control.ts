import { includesMode } from '../../../client/mode.ts';
import type { Observation } from '../../../client/observation.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Check, ControlSearch, Finding } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { isRemoval } from '../../../engine/plan.ts';
import { type Caller, type Fixture, fixture, type Session } from '../../../engine/session.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { operationFor, parameterNamed, takes } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Parameter } from '../../../specs/model.ts';
import { valueKindOf, wordsOf } from '../../../specs/value-hints.ts';
import { allGood, baseArgs, goodFor } from './argument-values.ts';
import { type Call, sendProbe, sendValid, toRequest } from './call.ts';
import {
  candidatesOf,
  candidatesWith,
  completedBy,
  isOfPlugin,
  mayNeedSiblings,
} from './control-candidates.ts';
import { fillRoute, otherRoutes } from './fill-routes.ts';

/** What all probes of an operation share: the filled path, good required arguments, and the caller. */
export interface Baseline extends Pick<Call, 'operation' | 'route' | 'args' | 'as'> {
  /** Set if anonymous callers may write: accepted calls would change the site, so further ones are sent as the user. */
  readonly open?: true;
  /** The controls that were tried, if none was accepted; undefined if this one was. */
  readonly search?: ControlSearch;
  /** The refusal of the call with required arguments alone, if another one was accepted in its place. */
  readonly refused?: Observation;
}

/**
 * The baseline request of an operation, found once for each caller: the first of a limited number of valid calls that
 * the site accepts, or a finding if it has nothing to probe. Reads use the most privileged caller. Writes use no
 * credentials, so that a site denies them even if it does not validate an argument.
 */
export function baselineOf(
  session: Session,
  operation: Operation,
  as: Caller = operation.effect === 'reads' ? session.caller : 'anonymous',
): Promise<Baseline | Finding> {
  return baselineFor(session, operation, as);
}

const baselineFor = fixture(
  'baseline',
  async (session, operation: Operation, as: Caller): Promise<Baseline | Finding> => {
    const never = as === 'user' ? whyNever(operation) : undefined;
    if (never !== undefined) return never;
    const route = await fillRoute(session, operation);
    if (isFinding(route)) return route;
    const base = { operation, route, args: await baseArgs(session, operation), as };
    if (mayTry(session, operation)) return firstTaken(session, base);
    const open = operation.effect === 'writes' && as === 'anonymous' && (await isOpen(session, base));
    return open ? { ...base, open } : base;
  },
);

const KEYS = /^(?:credential|key|password|token)s?$/;

/** What else routes call users, and what identifies them. */
const USERS = /^(?:me|(?:account|customer|member|session|user)s?)$/;

/** Why an operation gets no valid call in any mode: it could lock out the user, or leave credentials on the site. */
export function whyNever(operation: Operation): Finding | undefined {
  const { effect, methods, route } = operation;
  if (effect !== 'alters-site') return undefined;
  const places = wordsOf(route.path.replaceAll(/\{\w+\}/g, ''));
  if (isRemoval(operation) && places.some((word) => USERS.test(word) || KEYS.test(word))) {
    return inconclusive('a valid call could take away the user of the run, or its password');
  }
  const makesKeys = methods.includes('POST') && KEYS.test(places.at(-1) ?? '');
  return makesKeys ? inconclusive('a valid call could leave a password or a key on the site') : undefined;
}

/** Whether a valid call may be sent. Writes of records have checks of their own; altering the site needs mode full. */
function mayTry(session: Session, { effect }: Operation): boolean {
  return effect === 'reads' || (effect === 'alters-site' && includesMode(session.client.mode, 'full'));
}

/** Whether anonymous callers may write: then a call with an unknown author, or the update, is not denied. */
async function isOpen(session: Session, base: Baseline): Promise<boolean> {
  const { operation } = base;
  const { resource } = operation;
  const update = resource && operationFor(session.contract, resource.parent ?? resource.id, 'update');
  if (resource?.parent !== undefined || !takes(operation, AUTHOR)) {
    const isOther = update !== undefined && update !== operation;
    return isOther && 'open' in (await baselineOf(session, update));
  }
  for (const args of [goodArgs(session, base), { ...base.args, ...unknownAuthor(operation) }]) {
    const control = await controlOf(session, base, args);
    if (isFinding(control) || control.answer === 'denied') return false;
    if (control.answer === 'accepted') return true;
  }
  return true;
}

const AUTHOR = 'author';

/** An id that no user has: the largest that all databases support. */
const UNKNOWN_USER = 2_147_483_647;

/** An unknown author, so that the call changes nothing even if anybody may write. */
function unknownAuthor(operation: Operation): Args {
  const author = parameterNamed(operation, AUTHOR);
  return author === undefined ? {} : { [author.wire]: UNKNOWN_USER };
}

async function firstTaken(session: Session, base: Baseline): Promise<Baseline> {
  const { operation } = base;
  const plain = await controlOf(session, base, base.args);
  if (isFinding(plain)) return base;
  if (plain.answer === 'denied') return (await firstPermitted(session, base)) ?? base;
  if (plain.answer !== 'refused') return base;
  const routes = [base.route, ...(await otherRoutes(session, operation))];
  const candidates = await candidatesOf(session, operation, base.args, routes);
  let broken: Baseline | undefined;
  let completed: Baseline | undefined;
  for (const { guessed, ...candidate } of candidates) {
    const baseline = { ...base, ...candidate, refused: plain };
    const control = await controlOf(session, baseline, baseline.args);
    if (isConclusive(control)) return baseline;
    completed ??= completedAfter(baseline, control);
    if (control.answer === 'broken' && !guessed) broken ??= baseline;
  }
  if (completed !== undefined && isConclusive(await controlOf(session, completed, completed.args)))
    return completed;
  // A server error for a valid call is reported if no other call is accepted, but not for a guessed call.
  return broken ?? { ...base, search: { tried: candidates.length, wanted: wantedOf(operation) } };
}

/** The call of a plugin with the members that its refusal names; undefined if it names none. */
function completedAfter(baseline: Baseline, control: Observation): Baseline | undefined {
  if (control.answer !== 'refused' || !isOfPlugin(baseline.operation)) return undefined;
  const args = completedBy(baseline.operation, baseline.args, control);
  return args && { ...baseline, args };
}

/** How many denied calls with different names count as a denial of the whole operation. */
const MOST_DENIED = 2;

/** The first accepted call of a user, whose permission may depend on what a required argument names. */
async function firstPermitted(session: Session, base: Baseline): Promise<Baseline | undefined> {
  const { operation } = base;
  if (base.as === 'anonymous' || !isOfPlugin(operation)) return undefined;
  const candidates = await candidatesOf(session, operation, base.args, [base.route]);
  const others = candidates.filter(({ args, guessed }) => !guessed && !sameMeaning(args, base.args));
  for (const { args } of others.slice(0, MOST_DENIED)) {
    const control = await controlOf(session, base, args);
    if (!isFinding(control) && control.answer === 'accepted') return { ...base, args };
  }
  return undefined;
}

/** The parameters, by neutral name, whose good values only the owner knows: only their type is stated. */
function wantedOf(operation: Operation): string[] {
  const { parameters, route } = operation;
  const needed = parameters.filter(({ required }) => required === true);
  const open = (needed.length > 0 ? needed : parameters)
    .filter(({ schema }) => (schema.enum ?? schema.items?.enum) === undefined && schema.type !== 'boolean')
    .map(({ name }) => name);
  const pathParameters = route.pathParameters.filter(
    ({ name }) => parameterNamed(operation, name)?.schema.enum === undefined,
  );
  return [...new Set([...open, ...pathParameters.map(({ name }) => name)])];
}

/** A control: a request with good values only, sent once; a finding if this mode does not allow a valid request. */
export const controlOf: Fixture<Observation | Finding, [baseline: Baseline, args: Args]> = fixture(
  'control',
  async (session, { operation, route, as, open }, args) => {
    // A valid deletion without credentials still deletes if permissions are broken, so it counts as altering.
    const alters = operation.effect === 'alters-site' || operation.methods.includes('DELETE');
    if (open === true)
      return inconclusive('the control, a valid request, is not denied: it would change the site');
    const call = { operation, route, as, args };
    if (operation.effect === 'reads') return sendValid(session, call);
    if (alters && !includesMode(session.client.mode, 'full')) {
      return inconclusive('the control, a valid request, could alter the site: only mode full sends it');
    }
    const never = whyNever(operation);
    if (never !== undefined) return never;
    return alters ? sendValid(session, call) : sendProbe(session, call);
  },
  ({ operation, route, as }, args) => [operation, route, as, JSON.stringify(args)],
);

/** The control of a refused call, sent again if it names something of the site, which may be gone by now. */
export async function controlNow(
  session: Session,
  baseline: Baseline,
  args: Args,
): Promise<Observation | Finding> {
  const { operation } = baseline;
  const control = await controlOf(session, baseline, args);
  const isOfSomething = operation.route.pathParameters.length > 0 || Object.keys(baseline.args).length > 0;
  if (operation.effect !== 'reads' || !isOfSomething) return control;
  if (isFinding(control) || control.answer !== 'accepted') return control;
  return session.client.request(toRequest({ ...baseline, args }));
}

/** The baseline request with good values for all parameters: one control for all probes of an operation. */
export function goodArgs(session: Session, { operation, args, as }: Baseline): Args {
  const isWrite = operation.effect === 'writes' && as === 'anonymous';
  return { ...allGood(session, operation), ...args, ...(isWrite && unknownAuthor(operation)) };
}

interface ParameterControl {
  readonly control: Observation | Finding;
  /** Arguments without which the site refuses the parameter; its probes need them too. */
  readonly requiredArgs?: Args;
  readonly search?: ControlSearch;
}

/** The control of the probes of one parameter: that of the operation, or its own if that is refused. */
export async function controlFor(
  session: Session,
  baseline: Baseline,
  parameter: Parameter,
  beside: Args,
): Promise<ParameterControl> {
  const { operation, search } = baseline;
  const { wire } = parameter;
  const around = { ...baseline.args, ...beside };
  // The plain call is sent anyway, and is the control of its own arguments.
  if (operation.effect === 'reads' && Object.hasOwn(baseline.args, wire)) {
    const plain = await controlOf(session, baseline, around);
    if (isConclusive(plain)) return { control: plain };
  }
  const all = goodArgs(session, baseline);
  const shared = await controlOf(session, baseline, all);
  const good = { [wire]: goodFor(session, operation, parameter), ...around };
  if (isConclusive(shared)) {
    const isSure = operation.effect !== 'reads' || !mayNeedSiblings(operation, parameter);
    const own = isSure ? shared : await controlOf(session, baseline, good);
    // Where a good value is refused without its siblings (R51), so is any other value.
    const isBound = !isFinding(own) && own.answer === 'refused';
    return { control: shared, ...(isBound && { requiredArgs: all }) };
  }
  if (search !== undefined) return { control: shared, search };
  return ownControl(session, baseline, parameter, around, good);
}

/** The control of one parameter beside as few others as possible: its good value, other members, or a likely value. */
async function ownControl(
  session: Session,
  baseline: Baseline,
  parameter: Parameter,
  around: Args,
  good: Args,
): Promise<ParameterControl> {
  const { operation } = baseline;
  const { wire } = parameter;
  const own = await controlOf(session, baseline, good);
  if (isConclusive(own) || own.answer !== 'refused') return { control: own };
  // A site may refuse one member for what the other arguments mean with it.
  const members = operation.effect === 'writes' ? (parameter.schema.enum ?? []) : [];
  for (const member of members.filter((one) => one !== good[wire])) {
    const control = await controlOf(session, baseline, { ...around, [wire]: member });
    if (isConclusive(control)) return { control };
  }
  if (!mayTry(session, operation)) return { control: own };
  const candidates = await candidatesWith({ session, operation, parameter }, around);
  for (const args of candidates) {
    const control = await controlOf(session, baseline, args);
    if (!isConclusive(control)) continue;
    const others = Object.entries(args).filter(([name]) => name !== wire && !Object.hasOwn(around, name));
    return { control, requiredArgs: Object.fromEntries(others) };
  }
  return { control: own, search: { tried: candidates.length + 1, wanted: [parameter.name] } };
}

/** A reason why nothing can be sent is conclusive too. */
function isConclusive(
  control: Observation | Finding,
): control is Finding | (Observation & { answer: 'accepted' | 'denied' }) {
  return isFinding(control) || control.answer === 'accepted' || control.answer === 'denied';
}

/**
 * The operations of plugins with parameters for which neither schema nor name gives a good value, but the owner may
 * know one. Those that most checks depend on come first.
 * @param checks the checks of the run; @param hinted whether the owner has already given a value
 */
export function hintsWanted(
  contract: Contract,
  checks: readonly Pick<Check, 'about' | 'operation'>[],
  hinted: (operation: string, name: string) => boolean,
): { operation: string; parameters: readonly string[]; checks: number }[] {
  const relying = Map.groupBy(
    checks.filter(({ about }) => about !== 'declaration'),
    ({ operation }) => operation,
  );
  return contract.operations
    .filter(({ strict }) => !strict)
    .map((operation) => ({
      operation: operation.id,
      parameters: wantedOf(operation).filter((name) => {
        const parameter = parameterNamed(operation, name);
        const isNeeded = parameter === undefined || parameter.required === true || parameter.in === 'path';
        const isKnown = valueKindOf(name, parameter?.schema ?? {}) !== undefined;
        return isNeeded && !isKnown && !hinted(operation.id, name);
      }),
      checks: relying.get(operation.id)?.length ?? 0,
    }))
    .filter(({ parameters, checks: count }) => parameters.length > 0 && count > 0)
    .toSorted((one, other) => other.checks - one.checks);
}
