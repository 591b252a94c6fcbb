import { saysGone } from '../../client/answer.ts';
import { ModeViolation } from '../../client/mode.ts';
import type { Observation } from '../../client/observation.ts';
import { isFinding } from '../../engine/aborted.ts';
import type { Finding } from '../../engine/check.ts';
import {
  evaluateRefusal,
  hasFailure,
  inconclusive,
  noControl,
  notApplicable,
  show,
} from '../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { shuffled } from '../../generators/explore.ts';
import type { Args } from '../../generators/wire-forms.ts';
import { describeStated, type Stated } from '../../probing/declarations/compare-constraint.ts';
import { isInPath } from '../../probing/declarations/find-route.ts';
import { ownRecordsOf } from '../../probing/records/own/own-check.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { placeOf, typesOf } from '../../specs/schema.ts';
import { argsBeside, goodArgument, likelyValues } from './calls/argument-values.ts';
import { sendProbe } from './calls/call.ts';
import { type Baseline, baselineOf, controlFor, controlNow } from './calls/control.ts';
import { namesOfMembers } from './calls/control-candidates.ts';
import { probeAsUser, type UserProbe } from './calls/probe-as-user.ts';
import {
  deletesRecords,
  enforceableIn,
  type InvalidArgument,
  invalidArgumentsOf,
  invalidValuesOf,
} from './invalid-values.ts';
import { keyOf, type Refusals, refusalsOf } from './refused-by-name.ts';

/** Whether the site takes a value that a constraint excludes. */
export async function isUnenforced(session: Session, stated: Stated): Promise<boolean> {
  return hasFailure(await enforcementOf(session, stated));
}

/** The result of the probes of a constraint, shared by its own check and those that depend on it. */
export const enforcementOf: Fixture<Finding[], [stated: Stated]> = fixture(
  'enforced',
  probe,
  ({ operation, parameter, constraint: { steps, kind } }) => [
    operation,
    parameter.name,
    placeOf(steps),
    kind,
  ],
);

interface Probe {
  readonly session: Session;
  readonly operation: Operation;
  readonly parameter: Parameter;
  readonly value: unknown;
  readonly what: string;
  readonly beside: Args;
}

const NO_REFUSALS: Refusals = { answers: new Map(), breaking: new Set(), byAnonymous: new Set() };

async function probe(session: Session, stated: Stated): Promise<Finding[]> {
  const { operation, parameter } = stated;
  const where = describeStated(stated);
  // Which of two values counts, that of the path or another one, is silent.
  if (isInPath(session.index, operation.route, parameter.wire))
    return [notApplicable(`the site takes ${parameter.wire} from the path`)];
  const baseline = await baselineOf(session, operation);
  if (isFinding(baseline)) return [baseline];
  const send = (args: Args): Promise<Observation> => {
    const naming = namesOfMembers(operation, parameter, args[parameter.wire]);
    return sendProbe(session, { ...baseline, args: { ...args, ...naming } });
  };
  const isRisky = deletesRecords(operation) || baseline.open === true;
  const { answers, byAnonymous } = isRisky ? NO_REFUSALS : await refusalsOf(session, operation);
  const evaluateProbe = async (one: Probe, known: Observation | undefined): Promise<Finding | undefined> => {
    if (isRisky) return askAsUser(one, baseline);
    const args = { ...baseline.args, ...one.beside, [parameter.wire]: one.value };
    const invalid = known ?? (await send(args));
    if (operation.effect !== 'reads' && invalid.answer === 'denied') return askAsUser(one, baseline);
    const pair = await evaluatePair(one, baseline, invalid, send);
    // Without credentials a site may still refuse what the good values of a schema name.
    const isOpen = pair?.kind === 'inconclusive' && operation.effect === 'writes' && ownRecordsOf(session);
    return isOpen ? askAsUser(one, baseline) : pair;
  };
  // Others are left out where a call may delete, or a plugin decides what its types exclude.
  const isPublished = [operation.basis, parameter.basis].includes('published');
  const sendsAll = answers.size > byAnonymous.size || !(isRisky || isPublished);
  const values = invalidValuesOf(session, stated).filter(({ further }) => sendsAll || further !== true);
  const findings: (Finding | undefined)[] = [];
  for (const { value, why } of values) {
    const beside = await argsBeside(session, operation, parameter, value);
    const key = keyOf({ parameter, value });
    const caller = byAnonymous.has(key) ? ' without credentials' : '';
    const what =
      value === undefined ? `a request without ${where}` : `${where} as ${show(value)} (${why})${caller}`;
    const one = { session, operation, parameter, value, what, beside };
    findings.push(await evaluateProbe(one, answers.get(key)));
  }
  return findings.filter((finding) => finding !== undefined);
}

/** An invalid value of each parameter of a write that is refused, by name where the site names what it refuses. */
export async function argumentsRefused(session: Session, operation: Operation): Promise<InvalidArgument[]> {
  const { answers } = await refusalsOf(session, operation);
  const refused = invalidArgumentsOf(session, operation).filter(
    (one) => answers.get(keyOf(one))?.answer === 'refused',
  );
  const known = new Map(refused.map((one) => [one.parameter.wire, one]));
  if (known.size > 0) return [...known.values()];
  for (const stated of shuffled(enforceableIn(operation), session.seed)) {
    const { parameter } = stated;
    const [first] = invalidValuesOf(session, stated);
    if (first === undefined || known.has(parameter.wire)) continue;
    const isRefused = (await enforcementOf(session, stated)).length === 0;
    if (isRefused) known.set(parameter.wire, { parameter, value: first.value });
  }
  return [...known.values()];
}

/** Evaluates an invalid request with its control, and adds arguments without which the site refuses the parameter. */
async function evaluatePair(
  { session, operation, parameter, value, what, beside }: Probe,
  baseline: Baseline,
  invalid: Observation,
  send: (args: Args) => Promise<Observation>,
): Promise<Finding | undefined> {
  if (invalid.answer !== 'refused') return evaluateRefusal(what, invalid, invalid);
  const { control, requiredArgs = {}, search } = await controlFor(session, baseline, parameter, beside);
  if (operation.effect === 'reads' && saysGone(invalid)) {
    const now = await controlNow(session, baseline, baseline.args);
    if (!isFinding(now) && now.answer === 'refused') return noControl(now, search);
  }
  const isAlone = Object.keys(requiredArgs).length === 0;
  const args = { ...requiredArgs, ...baseline.args, ...beside, [parameter.wire]: value };
  return evaluateRefusal(what, isAlone ? invalid : await send(args), control, search);
}

/** Repeats a denied write as the user on own records: the denial says nothing about the argument. */
async function askAsUser(one: Probe, anonymous: Baseline): Promise<Finding | undefined> {
  const { session, operation, parameter, value, what, beside } = one;
  const alters = operation.effect === 'alters-site' && session.client.hasUser;
  const baseline = alters ? await baselineOf(session, operation, 'user') : anonymous;
  if (isFinding(baseline)) return baseline;
  const ask = await probeAsUser(session, baseline);
  if (isFinding(ask)) return ask;
  const naming = namesOfMembers(operation, parameter, value);
  const args = { ...baseline.args, ...beside, ...naming, [parameter.wire]: value };
  const invalid = await ask(args).catch((error: unknown) => {
    // The parts of an invalid batch could affect records of others, so it is only sent without credentials.
    if (error instanceof ModeViolation) return undefined;
    throw error;
  });
  if (invalid === undefined) return inconclusive('denied, and too risky to be sent with credentials');
  if (alters) return evaluatePair(one, baseline, invalid, ask);
  if (invalid.answer !== 'refused') return evaluateRefusal(what, invalid, invalid);
  const { control, fresh } = await controlAsUser(session, ask, one, { ...baseline.args, ...beside });
  return evaluateRefusal(what, fresh ? await ask(args, true) : invalid, control);
}

/**
 * A control that is accepted, looked for once: where credentials come first, each makes a record. A site may refuse
 * what a record already has, an id of nothing, or a text that is taken (R35, R36). The control, and the probe, then
 * are sent to a fresh record each, and the control names something of the site, or is a new text.
 */
const controlAsUser: Fixture<
  { readonly control: Observation; readonly fresh: boolean },
  [ask: UserProbe, about: Pick<Probe, 'operation' | 'parameter'>, around: Args]
> = fixture(
  'control as the user',
  async (session, ask, { operation, parameter }, around) => {
    const good = goodArgument(operation, parameter);
    const first = await ask({ ...around, [parameter.wire]: good });
    if (first.answer !== 'refused') return { control: first, fresh: false };
    const { named, plain } = await likelyValues(session, operation, parameter);
    const isEnum = parameter.schema.enum !== undefined;
    const isText = typesOf(parameter.schema).includes('string') && !isEnum;
    const other = isText ? ownRecordsOf(session)?.nextSlug() : isEnum ? plain[0] : undefined;
    const values = [good, ...named.slice(0, 1), other];
    for (const value of values.filter((one) => one !== undefined)) {
      const control = await ask({ ...around, [parameter.wire]: value }, true);
      if (control.answer !== 'refused') return { control, fresh: true };
    }
    return { control: first, fresh: false };
  },
  (_ask, { operation, parameter }, around) => [operation, parameter.wire, JSON.stringify(around)],
);
