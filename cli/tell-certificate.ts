import type { CertificatePlan, CertificateSubject, Unmet } from '../reports/certificate/documents.ts';
import { share } from '../reports/conclusion.ts';
import { plural, visibleLine } from '../reports/text.ts';

const MOST_SHOWN = 10;

/** What the terminal shows of a certificate that was made, and the exit code that follows from it. */
export function tellCertificate(
  { subject, path }: { subject: CertificateSubject; path: string },
  plan: CertificatePlan,
  isSigned: boolean,
): { text: string; code: 0 | 1 | 3 } {
  const lines = [
    ...subjectLines(subject),
    ...planLines(plan),
    `  ${isSigned ? 'signed' : 'not signed: shows only that its files belong together (--key signs it)'}`,
    `  certificate  ${path}`,
  ];
  return { text: `\n${lines.join('\n')}\n`, code: codeOf(subject) };
}

/** What a certificate says, in lines for a terminal. */
export function subjectLines(subject: CertificateSubject): string[] {
  const {
    implementation,
    level,
    contract,
    conclusion,
    required,
    met,
    unmet,
    warned,
    notApplicable,
    doubtful,
    untold,
    otherwise = [],
  } = subject;
  const claim = `level ${level} of contract ${contract.release}, deployment ${contract.deployment}`;
  const more = unmet.length - MOST_SHOWN;
  return [
    `${conclusion === 'conformant' ? 'CONFORMANT' : 'PARTIAL'}  ${visibleLine(implementation)}: ${visibleLine(claim)}`,
    `  ${share(met, required, 'required checks')} are met`,
    ...remark(warned.length, 'with a warning about something doubtful or advisory'),
    ...remark(notApplicable.length, 'because the contract asks nothing there'),
    ...remark(untold.length, 'although they are inconclusive, which a conforming site may leave so'),
    ...remark(doubtful.length, 'although inconclusive, blocked or waived: what they ask is doubtful'),
    ...remark(
      otherwise.length,
      'although they do not hold as they are asked now, which is not as that release did',
    ),
    ...unmet.slice(0, MOST_SHOWN).map((one) => `  not met: ${visibleLine(one.id)} (${wordsOf(one)})`),
    ...(more > 0 ? [`  and ${more} more, in subject.json`] : []),
  ];
}

/** What a plan says of an older release, in lines for a terminal. */
export function planLines({ dropped, changed, contract }: CertificatePlan): string[] {
  const since = `(release ${contract.suite} of the contract)`;
  return [
    ...(dropped.length > 0
      ? [`  ${plural(dropped.length, 'check')} of that release no longer asked ${since}: ${listed(dropped)}`]
      : []),
    ...(changed.length > 0
      ? [
          `  ${plural(changed.length, 'check')} of that release asked otherwise now ${since}: ${listed(changed)}`,
        ]
      : []),
  ];
}

function listed(ids: readonly string[]): string {
  const more = ids.length - MOST_SHOWN;
  return `${visibleLine(ids.slice(0, MOST_SHOWN).join(', '))}${more > 0 ? ` and ${more} more` : ''}`;
}

function remark(count: number, why: string): string[] {
  return count === 0 ? [] : [`  ${count} of them ${why}`];
}

function wordsOf({ verdict, waived }: Unmet): string {
  if (verdict === 'absent') return 'has no result';
  return waived === true ? `${verdict}, waived` : verdict;
}

function codeOf({ conclusion, unmet }: CertificateSubject): 0 | 1 | 3 {
  if (conclusion === 'conformant') return 0;
  return unmet.some(({ verdict }) => verdict === 'fail') ? 1 : 3;
}
