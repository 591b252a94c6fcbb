import type { Observation } from '../../client/observation.ts';
import { inconclusiveAbort, isFinding, orAbort } from '../../engine/aborted.ts';
import type { Check, ControlSearch, Finding, Found } from '../../engine/check.ts';
import { check, checkId, serves } from '../../engine/check.ts';
import { sameMeaning } from '../../engine/equal.ts';
import { blocked, byWhat, evaluateAcceptance, inconclusive, show } from '../../engine/findings.ts';
import { type Caller, type Fixture, fixture, type Session } from '../../engine/session.ts';
import { type Args, encodeArgs, type Pair } from '../../generators/wire-forms.ts';
import { ownRecordsOf, roots } from '../../probing/records/own/own-check.ts';
import { rootOfRefusal } from '../../probing/records/reading/no-match.ts';
import { isOwnable, parameterNamed } from '../../specs/find-resource.ts';
import type { Contract, Operation, Parameter } from '../../specs/model.ts';
import type { Sample, SampleGroup } from './acceptance-groups.ts';
import {
  argsOf,
  groupSamples,
  isAcceptedIn,
  joinedValue,
  samplesOf,
  withMembers,
} from './acceptance-groups.ts';
import { distinct, requiredBeside, resolveArgs } from './calls/argument-values.ts';
import { sendValid } from './calls/call.ts';
import { type Baseline, baselineOf, controlNow, controlOf } from './calls/control.ts';
import {
  goodValuesOf,
  mayNeedSiblings,
  otherCalls,
  relativesOf,
  siblingsOf,
} from './calls/control-candidates.ts';
import { acceptedTogether, probeOwnRecord } from './calls/probe-as-user.ts';

/** Checks that allowed values are accepted: each member of an enum, each limit, each certain spelling of a type. */
export function acceptanceChecks(contract: Contract, operation: Operation): Check[] {
  const { effect } = operation;
  if (effect === 'writes' && !isTriedOnRecords(contract, operation)) return [];
  const groups = [...Map.groupBy(samplesOf(operation), ({ checkId }) => checkId)];
  const types = groups.map(([id]) => id).filter((id) => id.endsWith(OF_TYPE));
  return groups.map(([id, samples]) => {
    const [first] = samples;
    const parameter = first?.parameter;
    const whys = [...new Set(samples.map(({ accepted }) => accepted.why))];
    const values = samples.length === 1 ? whys.join() : `each of ${samples.length} values`;
    // Where an object is refused, so is each of its members.
    const outer = types.filter((one) => id.startsWith(`${one.slice(0, -OF_TYPE.length)}/properties/`));
    return check({
      id,
      kind: 'accepted',
      title: `accepts ${values} for ${parameter?.wire ?? ''} of ${operation.id}`,
      effect,
      ...(effect !== 'reads' && { needsUser: true }),
      on: operation,
      parameter,
      needs: [serves(operation), id.replace(/\/accepted$/, ''), effect === 'writes' && rootsOf(operation)],
      ...(outer.length > 0 && { after: outer }),
      // Software that does not know a spelling refuses it for every parameter.
      groups: [`${effect} ${whys.join()}`],
      run: (session) => evaluate(session, operation, id),
    });
  });
}

/** The end of the ids of the checks that values of a type are accepted. */
const OF_TYPE = '/type/accepted';

/** Checks of the creation, and of the same write without the values: if these fail, they report the cause. */
function rootsOf({ id, resource, role }: Operation): string[] {
  if (resource === undefined) return [];
  const { parent } = resource;
  if (parent !== undefined) return [roots.creation(parent), checkId('autosaves', parent, 'apart')];
  const root = roots.creation(resource.id);
  return role === 'update' ? [root, roots.update(id, 'POST')] : [root];
}

async function evaluate(session: Session, operation: Operation, id: string): Promise<Found> {
  const trying = operation.effect === 'writes' ? acceptanceOfWrites : acceptanceOf;
  const acceptance = orAbort(await trying(session, operation));
  const findings = [...acceptance.findings]
    .filter(([sample]) => sample.checkId === id)
    .map(([, finding]) => finding);
  const root =
    (await rootOfRefusal(session, operation, findings)) ??
    (operation.effect === 'reads' ? await rootInList(session, operation, acceptance, id) : undefined);
  return root === undefined ? findings : blocked(root);
}

/** The other check that reports a refused list: that of the whole, if its item is taken without brackets, or of items. */
async function rootInList(session: Session, operation: Operation, { findings }: Acceptance, id: string) {
  const refused = [...findings].flatMap(([sample, finding]) => (finding.refused === true ? [sample] : []));
  const parameter = refused.find((one) => one.checkId === id)?.parameter;
  if (parameter === undefined) return undefined;
  const whole = checkId(operation.id, parameter.name, 'type', 'accepted');
  const items = checkId(operation.id, parameter.name, 'items');
  const item = refused.find((one) => one.parameter === parameter && one.checkId.startsWith(`${items}/`));
  if (item === undefined || !refused.some((one) => one.checkId === whole)) return undefined;
  const baseline = orAbort(await baselineOf(session, operation, session.caller));
  const args = { ...baseline.args, [parameter.wire]: [item.accepted.value].flat()[0] };
  const isTaken = (await sendValid(session, { ...baseline, args })).answer === 'accepted';
  const root = isTaken ? whole : item.checkId;
  return root !== id && (isTaken || id === whole) && session.runs(root) ? root : undefined;
}

/** The check that reports that a value of a parameter, or an item of it, is refused; undefined if none does. */
export async function reportOfRefusal(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  value: unknown,
): Promise<string | undefined> {
  const acceptance = await acceptanceOf(session, operation);
  if (isFinding(acceptance)) return undefined;
  const [found] =
    [...acceptance.findings].find(
      ([sample, { kind }]) =>
        (kind === 'failure' || kind === 'warning') &&
        sample.parameter === parameter &&
        [value].flat().some((one) => sameMeaning([sample.accepted.value].flat(), [one])) &&
        session.runs(sample.checkId),
    ) ?? [];
  return found?.checkId;
}

interface Acceptance {
  /** The finding of each sample that is not accepted. */
  readonly findings: ReadonlyMap<Sample, Finding>;
  /** Samples that are only accepted with other arguments. */
  readonly besideOthers: ReadonlySet<Sample>;
}

/** Tests every value that an operation must accept, except writes of records, in as few requests as possible, once. */
export const acceptanceOf: Fixture<Acceptance | Finding, [operation: Operation]> = fixture(
  'acceptance',
  async (session, operation) => {
    const alters = operation.effect === 'alters-site';
    const baseline = await baselineOf(session, operation, alters ? 'user' : session.caller);
    if (isFinding(baseline)) return baseline;
    const trial = acceptanceTrial(session, baseline);
    const { findings, besideOthers } = trial;
    const samples = samplesOf(operation);
    for (const sample of samples.filter((one) => !isFor(one, baseline.as)))
      findings.set(sample, inconclusive(`${show(sample.accepted.value)} needs credentials (--user)`));
    const control = await controlOf(session, baseline, baseline.args);
    if (!isFinding(control) && control.answer === 'denied') {
      const denied = inconclusive(`${operation.id} is denied to this caller${byWhat(control)}`);
      return { findings: new Map(samples.map((sample) => [sample, denied])), besideOthers };
    }
    const known = alters ? [] : acceptedCalls(session, baseline);
    const isRead = operation.effect === 'reads';
    const all = samples.filter((one) => isFor(one, baseline.as));
    const open = all.filter((one) => !isAcceptedIn(known, one));
    const groups = groupSamples(open, isRead);
    for (const group of isRead ? withMembers(groups, all, session.seed) : groups)
      await tryGroup(trial, group);
    await ignoreMissingRights(session, baseline, findings);
    return { findings, besideOthers };
  },
);

/** How the values of an operation are tried that does not write records. */
function acceptanceTrial(session: Session, baseline: Baseline): AcceptanceTrial {
  const { operation } = baseline;
  const besideOthers = new Set<Sample>();
  const alters = operation.effect === 'alters-site';
  const send = (args: Args): Promise<Observation> => sendValid(session, { ...baseline, args });
  const isAccepted = async (args: Args): Promise<boolean> => (await send(args)).answer === 'accepted';
  const argsFor = (group: SampleGroup, isTried: boolean): Promise<Args> =>
    resolveArgs(session, argsOf(group, isTried, baseline.args), operation);
  return {
    operation,
    findings: new Map(),
    besideOthers,
    search: baseline.search,
    ask: async (group) => send(await argsFor(group, true)),
    async otherwise(sample, refusal) {
      const args = await argsFor([sample], true);
      const { parameter, kind } = sample;
      const about = { session, operation, parameter };
      const others = await otherCalls(about, kind, args);
      const siblings = mayNeedSiblings(operation, parameter) ? await siblingsOf(about, refusal) : [];
      for (const other of distinct([...others, ...siblings.map((one) => ({ ...one, ...args }))])) {
        if (!(await isAccepted(other))) continue;
        besideOthers.add(sample);
        return true;
      }
      // A site may refuse to set a value that is already set.
      for (const value of alters ? await goodValuesOf(about) : []) {
        await send({ ...args, [parameter.wire]: value });
        if (await isAccepted(args)) return true;
      }
      return false;
    },
    isDoubtful: ({ parameter }) => mayNeedSiblings(operation, parameter),
    ...(alters && { controlAgain: () => send({ ...baseline.args }) }),
    async control(group) {
      const args = await argsFor(group, false);
      const control = await controlNow(session, baseline, args);
      if (isFinding(control) || control.answer !== 'refused') return control;
      // Another value may need other arguments.
      const abouts = group.map(({ parameter }) => ({ session, operation, parameter }));
      const relatives = await Promise.all(abouts.map(relativesOf));
      const other = await controlNow(session, baseline, Object.assign({}, ...relatives, args));
      return isFinding(other) || other.answer === 'refused' ? control : other;
    },
  };
}

/** The accepted calls of other checks, without those with most arguments, where each value may need a different set. */
function acceptedCalls(
  session: Session,
  { operation: { parameters }, route, as }: Baseline,
): (readonly Pair[])[] {
  const isFull = (query: readonly Pair[]): boolean => {
    const given = new Set(query.map(([name]) => name.replace(/\[.*/, '')));
    return parameters.length > MANY && given.size > parameters.length / 2;
  };
  return session
    .remembered((asked) => asked === route, as)
    .flatMap(({ query, answer }) => (answer.answer === 'accepted' && !isFull(query) ? [query] : []));
}

/** With more parameters than this, a call with most of them says little about each. */
const MANY = 3;

function isFor(sample: Sample, caller: Caller): boolean {
  return caller === 'user' || requiredBeside(sample.parameter, sample.accepted.value)?.needsUser !== true;
}

/** Drops refusals of arguments that need credentials from users who may not edit: they prove nothing. */
async function ignoreMissingRights(
  session: Session,
  baseline: Baseline,
  findings: Map<Sample, Finding>,
): Promise<void> {
  const forEditors = [...findings].filter(
    ([sample, { kind }]) => kind === 'failure' && !isFor(sample, 'anonymous'),
  );
  if (forEditors.length === 0 || !(await mayNotEdit(session, baseline))) return;
  const why = 'is refused to this user, to whom the context edit is denied as well';
  for (const [sample] of forEditors)
    findings.set(sample, inconclusive(`${show(sample.accepted.value)} for ${sample.parameter.wire} ${why}`));
}

/** Whether the user is denied the editor's view; software refuses such users other arguments too. */
async function mayNotEdit(session: Session, baseline: Baseline): Promise<boolean> {
  const context = parameterNamed(baseline.operation, 'context');
  if (context?.schema.enum?.includes('edit') !== true) return false;
  const args = { ...baseline.args, [context.wire]: 'edit' };
  return (await sendValid(session, { ...baseline, args })).answer === 'denied';
}

interface AcceptanceTrial extends Acceptance {
  readonly operation: Operation;
  readonly findings: Map<Sample, Finding>;
  readonly besideOthers: Set<Sample>;
  /** The controls that were tried, if no valid call is accepted. */
  readonly search?: ControlSearch | undefined;
  /** Sends the samples of a group together. @param again whether some were refused in a larger group */
  ask(group: SampleGroup, again: boolean): Promise<Observation>;
  /** Whether another call accepts a refused sample; absent if there is no other call. */
  otherwise?(sample: Sample, refusal: Observation): Promise<boolean>;
  /** Whether a confirmed refusal is only doubtful (R51); absent if it never is. */
  isDoubtful?(sample: Sample): boolean;
  /** Sends the same call without the samples; returns the reason if it may not be sent. */
  control(group: SampleGroup): Promise<Observation | Finding>;
  /** Repeats the control for operations that only work once, such as deleting; absent if not needed. */
  controlAgain?(): Promise<Observation>;
}

/** Tests a group. An accepted request proves all its values; a refused group is halved down to single ones. */
async function tryGroup(trial: AcceptanceTrial, group: SampleGroup, again = false): Promise<void> {
  const answer = await trial.ask(group, again);
  if (answer.answer === 'accepted') return;
  if (group.length > 1) {
    const middle = Math.ceil(group.length / 2);
    await tryGroup(trial, group.slice(0, middle), true);
    await tryGroup(trial, group.slice(middle), true);
    if (!group.some((sample) => trial.findings.has(sample))) await tryMembers(trial, group, middle);
    return;
  }
  if (!again) return tryGroup(trial, group, true);
  for (const sample of group) await evaluateSample(trial, sample, answer);
}

/** Compares a sample that is not accepted alone with its control. */
async function evaluateSample(trial: AcceptanceTrial, sample: Sample, answer: Observation): Promise<void> {
  const { accepted, parameter } = sample;
  const control = await trial.control([sample]);
  const mayBeTaken = answer.answer === 'refused' && !isFinding(control) && control.answer === 'accepted';
  if (mayBeTaken && (await trial.otherwise?.(sample, answer)) === true) return;
  const what = `${show(accepted.value)} for ${parameter.wire} of ${trial.operation.id} (${accepted.why})`;
  // The control of a required parameter has another value, which may already be set.
  const anew = mayBeTaken && parameter.required !== true ? await trial.controlAgain?.() : undefined;
  const now = anew ?? control;
  const finding = isFinding(now) ? now : evaluateAcceptance(what, answer, now, trial.search);
  if (finding === undefined) return;
  const isDoubtful =
    finding.kind === 'failure' && answer.answer === 'refused' && trial.isDoubtful?.(sample) === true;
  trial.findings.set(sample, isDoubtful ? { ...finding, kind: 'warning' } : finding);
}

/** Tests members of one list together, if a group is refused but its halves, which meet at `middle`, are not. */
async function tryMembers(trial: AcceptanceTrial, group: SampleGroup, middle: number): Promise<void> {
  const second = new Set(group.slice(middle).map(({ parameter }) => parameter));
  const halved = group.slice(0, middle).filter(({ parameter }) => second.has(parameter));
  for (const [parameter, [sample]] of Map.groupBy(halved, (one) => one.parameter)) {
    const members = group.filter((one) => one.parameter === parameter);
    const answer = await trial.ask(members, true);
    if (sample === undefined || answer.answer !== 'refused') continue;
    const control = await trial.control(members);
    if (isFinding(control)) continue;
    const { id } = trial.operation;
    const what = `${show(joinedValue(members))} for ${parameter.wire} of ${id} (each of them is taken without the others)`;
    const finding = evaluateAcceptance(what, answer, control, trial.search);
    if (finding !== undefined) trial.findings.set(sample, finding);
  }
}

function isTriedOnRecords(contract: Contract, { resource, role }: Operation): boolean {
  if (resource === undefined || resource.kind === 'revisions' || !isOwnable(contract, resource)) return false;
  return role === 'create' || (role === 'update' && resource.kind !== 'autosaves');
}

/** Tests every value that a write of records must accept, on own records, in as few writes as possible, once. */
const acceptanceOfWrites = fixture(
  'acceptance',
  async (session, operation: Operation): Promise<Acceptance> => {
    const own = ownRecordsOf(session);
    if (own === undefined) throw inconclusiveAbort('no records of its own can be written');
    const acceptance = { findings: new Map<Sample, Finding>(), besideOthers: new Set<Sample>() };
    const { resource, role } = operation;
    // The checks it depends on have already updated records with most values.
    const known =
      role === 'update' ? own.updatedWith(resource?.id ?? '').map((body) => encodeArgs(body)) : [];
    const open = samplesOf(operation).filter((one) => !isAcceptedIn(known, one));
    if (open.length === 0) return acceptance;
    const probe = await probeOwnRecord(own, operation);
    const trial = {
      operation,
      ...acceptance,
      // Which status may follow which is silent, so a retry uses a new draft.
      ask: (group: SampleGroup, again: boolean) => probe(argsOf(group, true), again),
      control: (group: SampleGroup) => probe(argsOf(group, false), true),
    };
    // Published records may not become drafts again.
    const isPublishing = ({ parameter, accepted }: Sample): boolean =>
      parameter.name === 'status' && accepted.value === 'publish';
    const groups = groupSamples([...open.filter((one) => !isPublishing(one)), ...open.filter(isPublishing)]);
    const calls = groups.map((group) => argsOf(group, true));
    const taken = await acceptedTogether(own, operation, calls);
    for (const [at, group] of groups.entries()) {
      if (taken[at] !== true) await tryGroup(trial, group);
    }
    return acceptance;
  },
);
