import type { AnswerChange, CheckResult, Conclusion } from '../../engine/result.ts';
import { present } from '../../engine/text.ts';
import { sectionWithBasis } from '../about-check.ts';

/** The conclusion in words, the same in every report. */
export const CONCLUSIONS: Readonly<Record<Conclusion, string>> = {
  conformant: 'CONFORMANT',
  nonconformant: 'NOT CONFORMANT',
  inconclusive: 'INCONCLUSIVE',
};

/** The lines of a check: section, expected, observed, and how to repeat it. */
export function describeCheck(check: CheckResult): string[] {
  const { verdict, message, expected, observed, waived, standing, unstable } = check;
  return present([
    `${sectionWithBasis(check)}, verdict ${verdict}`,
    standing !== undefined && `against the baseline: ${STANDINGS[standing]}`,
    waived !== undefined && [waived, ...(waived.also ?? [])].map(describeWaiver),
    check.upstream !== undefined && describeUpstream(check.upstream),
    unstable !== undefined && `unstable: failed ${unstable.failed} of ${unstable.asked} times`,
    message,
    expected !== undefined && `expected: ${expected}`,
    observed !== undefined && `observed: ${observed}`,
    ...(check.reproduce ?? []),
    ...(check.replay?.sets ?? []).flatMap(({ id, message: found, reproduce, replay }, at) => [
      `finding: ${id}`,
      ...(at === 0 ? [] : [found, ...(reproduce ?? []).slice(0, 1)]),
      ...(replay === undefined ? [] : [`replay: ${replay}`]),
    ]),
  ]);
}

/** Why a failure is accepted, by whom, and until when, in one sentence. */
export function describeWaiver({
  waiver,
  reason,
  owner,
  expires,
  link,
}: NonNullable<CheckResult['waived']>): string {
  return `waived by ${waiver} (${owner}, until ${expires}): ${reason}${link === undefined ? '' : ` (${link})`}`;
}

/** Says in one sentence that a failure is known for the software of the site. */
export function describeUpstream({ reason, link }: NonNullable<CheckResult['upstream']>): string {
  return `known of the software: ${reason}${link === undefined ? '' : ` (${link})`}`;
}

/** A change in answers in one line, with what to do. */
export function describeAnswer({ id, class: found, headline, advice }: AnswerChange): string {
  return `${found}: ${headline} (${id}). ${advice}`;
}

/** The standing of a check against the baseline, in words. */
export const STANDINGS: Readonly<Record<NonNullable<CheckResult['standing']>, string>> = {
  new: 'new',
  found: 'found, nobody knows since when',
  still: 'persisting',
  fixed: 'fixed',
  untold: 'inconclusive now',
};
