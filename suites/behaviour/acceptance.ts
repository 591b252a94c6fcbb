import type { Operation } from '../../specs/model.ts';
import type { Finding } from '../check.ts';
import type { Session } from '../session.ts';
import { show } from '../show.ts';
import { besideOf, type Group, groupSamples, isFor, type Sample, samplesOf } from './acceptance-groups.ts';
import { type AcceptanceTrial, tryGroup } from './acceptance-trial.ts';
import { toRequest } from './call.ts';
import { controlOf, type Ground, groundOf, sendProbe } from './control.ts';
import { resolveArgs } from './resolve-args.ts';

/** What was learned about the samples of an operation: a finding for each that is not accepted. */
export type Acceptance = ReadonlyMap<Sample, Finding>;

/**
 * Tests every value that must be accepted of a read, or of an operation that alters the site, in as few requests as
 * possible, once for all its checks. What alters the site is asked as the user.
 */
export function acceptanceOf(
  session: Session,
  operation: Operation,
): Promise<Acceptance | { readonly reason: string }> {
  return session.once(`acceptance ${operation.id}`, async () => {
    const found = await groundOf(session, operation);
    if ('reason' in found) return found;
    const alters = operation.effect === 'alters-site';
    const ground: Ground = alters ? { ...found, as: 'user' } : found;
    const findings = new Map<Sample, Finding>();
    const samples = samplesOf(operation);
    for (const sample of samples.filter((one) => !isFor(one, ground.as))) {
      findings.set(sample, {
        kind: 'inconclusive',
        message: `${show(sample.accepted.value)} needs credentials (--user)`,
      });
    }
    const control = await controlOf(session, operation, ground, ground.args);
    if (typeof control !== 'string' && control.answer === 'denied') {
      for (const sample of samples) {
        findings.set(sample, { kind: 'inconclusive', message: `${operation.id} is denied to this caller` });
      }
      return findings;
    }
    const trial: AcceptanceTrial = {
      operation,
      ask: async (group) => {
        const args = await withCompanions(session, operation, ground, group, true);
        const lists = group.find(({ accepted }) => accepted.lists !== undefined)?.accepted.lists;
        const call = { operation, ...ground, args, lists };
        if (!alters) return sendProbe(session, call);
        return session.client.request(toRequest({ ...call, intent: 'alters-site' }));
      },
      control: async (group) =>
        controlOf(session, operation, ground, await withCompanions(session, operation, ground, group, false)),
    };
    for (const group of groupSamples(samples.filter((one) => isFor(one, ground.as)))) {
      await tryGroup(trial, group, findings);
    }
    return findings;
  });
}

/**
 * The arguments of a group with what they need beside them; without the samples themselves it is their control, in which
 * a required parameter has another member of its enum where it can.
 */
async function withCompanions(
  session: Session,
  operation: Operation,
  ground: Ground,
  group: Group,
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
