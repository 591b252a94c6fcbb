import type { Operation } from '../../specs/model.ts';
import type { Finding } from '../check.ts';
import type { Session } from '../session.ts';
import { show } from '../show.ts';
import { besideOf, type Group, groupSamples, isFor, type Sample, samplesOf } from './acceptance-groups.ts';
import { type AcceptanceTrial, tryGroup } from './acceptance-trial.ts';
import { controlOf, type Ground, groundOf, sendProbe } from './control.ts';
import { resolveArgs } from './resolve-args.ts';

/** What was learned about the samples of an operation: a finding for each that is not accepted. */
export type Acceptance = ReadonlyMap<Sample, Finding>;

/**
 * Tests every value of a read that must be accepted, in as few requests as possible, once for all its checks.
 */
export function acceptanceOf(
  session: Session,
  operation: Operation,
): Promise<Acceptance | { readonly reason: string }> {
  return session.once(`acceptance ${operation.id}`, async () => {
    const ground = await groundOf(session, operation);
    if ('reason' in ground) return ground;
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
      ask: async (group) =>
        sendProbe(session, {
          operation,
          ...ground,
          args: await withCompanions(session, operation, ground, group, true),
          lists: group.find(({ accepted }) => accepted.lists !== undefined)?.accepted.lists,
        }),
      control: async (group) =>
        controlOf(session, operation, ground, await withCompanions(session, operation, ground, group, false)),
    };
    for (const group of groupSamples(samples.filter((one) => isFor(one, ground.as)))) {
      await tryGroup(trial, group, findings);
    }
    return findings;
  });
}

/** The arguments of a group with what they need beside them; without the samples themselves it is their control. */
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
    if (samples) args[sample.parameter.wire] = sample.accepted.value;
  }
  return { ...(await resolveArgs(session, args, operation)) };
}
