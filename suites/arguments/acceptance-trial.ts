import type { Observation } from '../../client/observation.ts';
import type { ControlSearch, Finding } from '../../engine/check.ts';
import { inconclusive, show } from '../../engine/findings.ts';
import { evaluateAcceptance } from '../../engine/probe.ts';
import type { Operation } from '../../specs/model.ts';
import type { Sample, SampleGroup } from './acceptance-groups.ts';

/** How the values of one operation are asked for. */
export interface AcceptanceTrial {
  readonly operation: Operation;
  /** What was tried where no valid call of the operation is accepted. */
  readonly search?: ControlSearch;
  /** Sends the samples of a group together. @param again whether some of them were refused in other company */
  ask(group: SampleGroup, again: boolean): Promise<Observation>;
  /** Whether a sample that is refused is accepted in another call; never where there is none. */
  otherwise?(sample: Sample): Promise<boolean>;
  /** Whether a refusal that remains is no more than doubtful (R51); never where there is none. */
  isDoubtful?(sample: Sample): boolean;
  /** Sends the same again without the samples; the reason where that may not be sent. */
  control(group: SampleGroup): Promise<Observation | string>;
}

/**
 * Tests a group: one accepted request proves every value in it, and a refused one is halved until the values that are
 * refused stand alone, each beside its control.
 * @param findings gets what is found of each sample that is not accepted
 */
export async function tryGroup(
  trial: AcceptanceTrial,
  group: SampleGroup,
  findings: Map<Sample, Finding>,
  again = false,
): Promise<void> {
  const answer = await trial.ask(group, again);
  if (answer.answer === 'accepted') return;
  if (group.length > 1) {
    const middle = Math.ceil(group.length / 2);
    await tryGroup(trial, group.slice(0, middle), findings, true);
    await tryGroup(trial, group.slice(middle), findings, true);
    return;
  }
  if (!again) return tryGroup(trial, group, findings, true);
  const [sample] = group;
  if (sample === undefined) return;
  const { accepted, parameter } = sample;
  const control = await trial.control(group);
  const mayBeTaken =
    answer.answer === 'refused' && typeof control !== 'string' && control.answer === 'accepted';
  if (mayBeTaken && (await trial.otherwise?.(sample)) === true) return;
  const what = `${show(accepted.value)} for ${parameter.wire} of ${trial.operation.id} (${accepted.why})`;
  const finding: Finding | undefined =
    typeof control === 'string'
      ? inconclusive(control)
      : evaluateAcceptance(what, answer, control, trial.search);
  if (finding === undefined) return;
  const isDoubtful = answer.answer === 'refused' && trial.isDoubtful?.(sample) === true;
  findings.set(sample, isDoubtful && finding.kind === 'failure' ? { ...finding, kind: 'warning' } : finding);
}
