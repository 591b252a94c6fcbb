import type { Operation } from '../../specs/model.ts';
import type { Observation } from '../../target/observation.ts';
import type { Finding } from '../check.ts';
import type { Session } from '../session.ts';
import { show } from '../show.ts';
import { type Group, groupSamples, isFor, type Sample, samplesOf } from './acceptance-groups.ts';
import { companionOf } from './companions.ts';
import { controlOf, type Ground, groundOf, sendProbe } from './control.ts';
import { judgeAcceptance } from './probe.ts';
import { resolveArgs } from './resolve-args.ts';

/** What was learned about the samples of an operation: a finding for each that is not accepted. */
export type Acceptance = ReadonlyMap<Sample, Finding>;

/**
 * Tests every value of an operation that must be accepted, in groups: one accepted request proves every value in it,
 * and a refused one is halved until the values that are refused stand alone. Done once for all checks of an operation.
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
    for (const group of groupSamples(samples.filter((one) => isFor(one, ground.as)))) {
      await test(session, operation, ground, group, findings);
    }
    return findings;
  });
}

async function test(
  session: Session,
  operation: Operation,
  ground: Ground,
  group: Group,
  findings: Map<Sample, Finding>,
): Promise<void> {
  const answer = await ask(session, operation, ground, group);
  if (answer.answer === 'accepted') return;
  if (group.length > 1) {
    const middle = Math.ceil(group.length / 2);
    await test(session, operation, ground, group.slice(0, middle), findings);
    await test(session, operation, ground, group.slice(middle), findings);
    return;
  }
  const [sample] = group;
  if (sample === undefined) return;
  const control = await controlOf(
    session,
    operation,
    ground,
    await withCompanions(session, operation, ground, group, false),
  );
  const what = `${show(sample.accepted.value)} for ${sample.parameter.wire} of ${operation.id} (${sample.accepted.why})`;
  const finding: Finding | undefined =
    typeof control === 'string'
      ? { kind: 'inconclusive', message: control }
      : judgeAcceptance(what, answer, control);
  if (finding !== undefined) findings.set(sample, finding);
}

async function ask(
  session: Session,
  operation: Operation,
  ground: Ground,
  group: Group,
): Promise<Observation> {
  const args = await withCompanions(session, operation, ground, group, true);
  const lists = group.find(({ accepted }) => accepted.lists !== undefined)?.accepted.lists;
  return sendProbe(session, { operation, ...ground, args, lists });
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
  for (const { parameter, accepted } of group) {
    Object.assign(args, companionOf(parameter, accepted.value)?.with ?? {});
    if (samples) args[parameter.wire] = accepted.value;
  }
  return { ...(await resolveArgs(session, args, operation)) };
}
