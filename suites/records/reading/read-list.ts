import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import { type SiteRecord, toRecords } from './record.ts';

/** What an answer of a list holds: its items, or what kept it from being one. */
export type ListAnswer =
  | { readonly kind: 'list'; readonly items: readonly unknown[]; readonly records: readonly SiteRecord[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'denied' }
  | { readonly kind: 'stopped'; readonly finding: Finding };

/**
 * Reads the answer of a list by the table of answers: a server error is a failure wherever it appears, throttling says
 * nothing, and a refusal or a denial is for the caller to judge.
 */
export function readList(observation: Observation): ListAnswer {
  const { answer, json, status, problem, tooLarge, curl } = observation;
  switch (answer) {
    case 'denied':
      return { kind: 'denied' };
    case 'refused':
      return { kind: 'refused', message: `refused with status ${status}` };
    case 'throttled':
      return stopped(inconclusive('throttled each time it was asked'));
    case 'absent':
      return stopped(inconclusive(`the route does not answer GET (status ${status})`));
    case 'broken':
      // The bound is ours: a hundred records may rightly be larger.
      if (tooLarge === true) return stopped(inconclusive(`${problem}, for a page of records`));
      return stopped(serverError(problem ?? `status ${status}`, curl));
    case 'accepted':
      return Array.isArray(json)
        ? { kind: 'list', items: json, records: toRecords(json) }
        : stopped(serverError(json === undefined ? (problem ?? 'no JSON') : 'JSON that is no array', curl));
  }
}

function stopped(finding: Finding): ListAnswer {
  return { kind: 'stopped', finding };
}

/** The finding for an answer that no healthy server gives. */
export function serverError(observed: string, curl: string): Finding {
  return failure(`server error: ${observed}`, { expected: 'an answer in JSON', observed, reproduce: [curl] });
}
