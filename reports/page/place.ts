import type { CheckResult, RunResult } from '../../engine/result.ts';
import { placeOf } from '../site-place.ts';
import { cut, html, type Markup } from './markup.ts';

const LONGEST = 300;

/** Where a check is, in the words of the site; undefined where it is nowhere, or the run does not say. */
export function placeIn(
  check: CheckResult | undefined,
  { operations }: RunResult['target'],
): Markup | undefined {
  const place = check === undefined ? undefined : placeOf(check, operations);
  return place === undefined ? undefined : html`<code class="place">${cut(place, LONGEST)}</code>`;
}
