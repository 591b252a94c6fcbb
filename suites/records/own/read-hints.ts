import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { PartHint } from './batch-part.ts';

/** What the answer to a batch says about each of its parts, in their order; nothing where it is wrapped otherwise. */
export function readHints({ json }: Observation): PartHint[] {
  const responses = member(json, 'responses');
  if (!Array.isArray(responses)) return [];
  return responses.map((response: unknown) => ({
    status: asNumber(member(response, 'status')),
    id: asNumber(member(member(response, 'body'), 'id')),
  }));
}

/** The hints in a few words for a report: `, its parts with 201, 400`; empty when there are none. */
export function describeHints(answer: Observation): string {
  const statuses = readHints(answer).map(({ status }) => status ?? 'nothing');
  return statuses.length === 0 ? '' : `, its parts with ${statuses.join(', ')}`;
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
