import { isObject } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import type { Finding } from '../../engine/check.ts';
import { sameMeaning } from '../../engine/equal.ts';
import { inconclusive, show } from '../../engine/findings.ts';
import { type Fixture, fixture } from '../../engine/fixture.ts';
import type { Session } from '../../engine/session.ts';
import type { Operation } from '../../specs/model.ts';
import {
  besideOf,
  groupSamples,
  isFor,
  type Sample,
  type SampleGroup,
  samplesOf,
} from './acceptance-groups.ts';
import { type AcceptanceTrial, tryGroup } from './acceptance-trial.ts';
import { type Args, toRequest } from './call.ts';
import { resolveArgs } from './companions.ts';
import { controlOf, type Ground, groundOf, sendProbe } from './control.ts';
import { mayNeedSiblings, relativesOf, siblingsOf } from './control-candidates.ts';
import { distinct, likelyValues } from './likely-values.ts';

/** What was learned about the samples of an operation. */
export interface Acceptance {
  /** A finding for each that is not accepted. */
  readonly findings: ReadonlyMap<Sample, Finding>;
  /** Those that are accepted in the company of other arguments only. */
  readonly inCompany: ReadonlySet<Sample>;
}

/**
 * Tests every value that must be accepted of a read, or of an operation that alters the site, in as few requests as
 * possible, once for all its checks. What alters the site is asked as the user.
 */
export const acceptanceOf: Fixture<Acceptance | { readonly reason: string }, [operation: Operation]> =
  fixture('acceptance', async (session, operation) => {
    const alters = operation.effect === 'alters-site';
    const ground = await groundOf(session, operation, alters ? 'user' : session.caller);
    if ('reason' in ground) return ground;
    const findings = new Map<Sample, Finding>();
    const inCompany = new Set<Sample>();
    const samples = samplesOf(operation);
    for (const sample of samples.filter((one) => !isFor(one, ground.as))) {
      findings.set(sample, inconclusive(`${show(sample.accepted.value)} needs credentials (--user)`));
    }
    const control = await controlOf(session, operation, ground, ground.args);
    if (typeof control !== 'string' && control.answer === 'denied') {
      for (const sample of samples) {
        findings.set(sample, inconclusive(`${operation.id} is denied to this caller`));
      }
      return { findings, inCompany };
    }
    const send = (group: SampleGroup, args: Args): Promise<Observation> => {
      const lists = group.find(({ accepted }) => accepted.lists !== undefined)?.accepted.lists;
      const call = { operation, ...ground, args, lists };
      if (!alters) return sendProbe(session, call);
      return session.client.request(toRequest({ ...call, intent: 'alters-site' }));
    };
    const trial: AcceptanceTrial = {
      operation,
      ...(ground.search !== undefined && { search: ground.search }),
      ask: async (group) => send(group, await withCompanions(session, operation, ground, group, true)),
      otherwise: async (sample) => {
        const args = await withCompanions(session, operation, ground, [sample], true);
        const others = await otherCalls(session, operation, sample, args);
        const siblings = mayNeedSiblings(operation, sample.parameter)
          ? await siblingsOf(session, operation, sample.parameter)
          : [];
        for (const other of distinct([...others, ...siblings.map((one) => ({ ...one, ...args }))])) {
          const answer = await send([sample], other);
          if (answer.answer !== 'accepted') continue;
          inCompany.add(sample);
          return true;
        }
        return false;
      },
      isDoubtful: (sample) => mayNeedSiblings(operation, sample.parameter),
      control: async (group) => {
        const args = await withCompanions(session, operation, ground, group, false);
        const control = await controlOf(session, operation, ground, args);
        if (typeof control === 'string' || control.answer !== 'refused') return control;
        // Another value may need other company than the one that is tried.
        const relatives = await Promise.all(
          group.map(({ parameter }) => relativesOf(session, operation, parameter)),
        );
        const other = await controlOf(session, operation, ground, Object.assign({}, ...relatives, args));
        return typeof other === 'string' || other.answer === 'refused' ? control : other;
      },
    };
    for (const group of groupSamples(samples.filter((one) => isFor(one, ground.as)))) {
      await tryGroup(trial, group, findings);
    }
    const forEditors = samples.filter(
      (sample) => !isFor(sample, 'anonymous') && findings.get(sample)?.kind === 'failure',
    );
    if (forEditors.length > 0 && (await isNoEditor(session, operation, ground))) {
      for (const sample of forEditors) {
        const what = `${show(sample.accepted.value)} for ${sample.parameter.wire}`;
        findings.set(
          sample,
          inconclusive(`${what} is refused to this user, to whom the context edit is denied as well`),
        );
      }
    }
    return { findings, inCompany };
  });

/** Whether the user is denied what only those see who may edit: software refuses them other things too. */
async function isNoEditor(session: Session, operation: Operation, ground: Ground): Promise<boolean> {
  const context = operation.parameters.find(({ name }) => name === 'context');
  if (context?.schema.enum?.includes('edit') !== true) return false;
  const args = { ...ground.args, [context.wire]: 'edit' };
  return (await sendProbe(session, { operation, ...ground, args })).answer === 'denied';
}

/**
 * Other calls with a value that is refused: in the company of other arguments, and where its type alone is tried, with a
 * value that names something of the site.
 */
async function otherCalls(
  session: Session,
  operation: Operation,
  sample: Sample,
  args: Args,
): Promise<Args[]> {
  const { parameter, kind } = sample;
  const { [parameter.wire]: value, ...others } = args;
  const { named } = await likelyValues(session, operation, parameter);
  const instead = kind === 'type' ? named.flatMap((one) => insteadOf(value, one)) : [];
  const relatives = await relativesOf(session, operation, parameter);
  return distinct(
    [value, ...instead.slice(0, 1)].flatMap((one) => [
      { ...others, [parameter.wire]: one },
      { ...relatives, ...others, [parameter.wire]: one },
    ]),
  ).filter((call) => !sameMeaning(call, args));
}

/** A value that names something, as another one is: a list of one item has no spelling with commas, so it is repeated. */
function insteadOf(value: unknown, named: unknown): unknown[] {
  // A boolean, and what stands inside of an object, is itself what is tried.
  if (typeof named !== typeof value || typeof value === 'boolean' || isObject(value)) return [];
  const isOne = Array.isArray(named) && named.length === 1;
  return Array.isArray(value) && value.length > 1 && isOne ? [[...named, ...named]] : [named];
}

/**
 * The arguments of a group with what they need beside them; without the samples themselves it is their control, in which
 * a required parameter has another member of its enum where it can.
 */
async function withCompanions(
  session: Session,
  operation: Operation,
  ground: Ground,
  group: SampleGroup,
  samples: boolean,
): Promise<Record<string, unknown>> {
  const args: Record<string, unknown> = { ...ground.args };
  for (const sample of group) {
    Object.assign(args, besideOf(sample));
    const { wire, schema } = sample.parameter;
    const { value } = sample.accepted;
    if (samples) args[wire] = value;
    else if (args[wire] === value) args[wire] = schema.enum?.find((member) => member !== value) ?? value;
  }
  return { ...(await resolveArgs(session, args, operation)) };
}
