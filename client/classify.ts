import type { Answer } from './observation.ts';

const THROTTLED = new Set([408, 425, 429, 503]);

/** Whether a number is the status of a final answer at all. */
export function isStatus(status: number): boolean {
  return status >= 200 && status < 600;
}

/** What a status means. A redirect is not followed and says nothing: it counts as no answer of the route. */
export function classify(status: number): Answer {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 401 || status === 403) return 'denied';
  if (status === 405 || status === 501 || (status >= 300 && status < 400)) return 'absent';
  if (THROTTLED.has(status)) return 'throttled';
  if (status >= 400 && status < 500) return 'refused';
  return 'broken';
}
