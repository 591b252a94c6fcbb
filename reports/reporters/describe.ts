import { extentOf } from '../../engine/extent.ts';
import type {
  AnswerChange,
  BaselineReport,
  CheckResult,
  Conclusion,
  RunResult,
} from '../../engine/result.ts';
import { percent } from '../../engine/text.ts';
import { sectionWithBasis } from '../about-check.ts';

/** The conclusion in words, the same in every report. */
export const CONCLUSIONS: Readonly<Record<Conclusion, string>> = {
  conformant: 'CONFORMANT',
  nonconformant: 'NOT CONFORMANT',
  inconclusive: 'INCONCLUSIVE',
};

type Concluded = Pick<RunResult, 'conclusion' | 'partial' | 'checks' | 'run'>;

/** The conclusion as every report begins. If little was evaluated, that comes first. */
export function headlineOf(result: Concluded): string {
  const { conclusion, partial } = result;
  const { evaluated, wanted } = extentOf(result.checks, result.run.mode);
  const heading = isThin(result)
    ? `${percent(evaluated, wanted)} EVALUATED, CONFORMANT SO FAR`
    : CONCLUSIONS[conclusion];
  return `${heading}${partial === undefined ? '' : ' (PARTIAL)'}`;
}

/** Whether a run found no failure, but evaluated too little of what the site does to be green. */
export function isThin({ conclusion, checks, run }: Concluded): boolean {
  return conclusion === 'conformant' && extentOf(checks, run.mode).isLow;
}

/** Whether the run allows no conclusion. With a baseline, unstable checks do not prevent one. */
export function allowsNone({ conclusion, news }: RunResult): boolean {
  return news === undefined ? conclusion === 'inconclusive' : news === 'untold';
}

/** What there is to say about a check: a label and a text each, in the order of every report. */
export function rowsOf(check: CheckResult): (readonly [label: string, text: string])[] {
  const { message, expected, observed, declare, waived, upstream, standing, unstable } = check;
  const rows: (readonly [string, string | undefined])[] = [
    ['section', sectionWithBasis(check)],
    ['baseline', standing && STANDINGS[standing]],
    ...[waived, ...(waived?.also ?? [])].map((one) => ['waived', one && describeWaiver(one)] as const),
    [
      'upstream',
      upstream &&
        `known of the software: ${upstream.reason}${upstream.link === undefined ? '' : ` (${upstream.link})`}`,
    ],
    ['unstable', unstable && `failed ${unstable.failed} of ${unstable.asked} times`],
    ['message', message],
    ['expected', expected],
    ['observed', observed],
    ['declare', declare],
    ...(check.reproduce ?? []).map((command) => ['repeat', command] as const),
    ...(check.replay?.sets ?? []).flatMap(({ id, message: also, reproduce = [], replay }, at) => [
      ['finding', id] as const,
      // The check itself shows the first one.
      ...(at === 0 ? [] : [['also', also] as const, ['repeat', reproduce[0]] as const]),
      ['replay', replay] as const,
    ]),
  ];
  return rows.flatMap(([label, text]) => (text ? [[label, text]] : []));
}

/** The same in lines, with the verdict. */
export function describeCheck(check: CheckResult): string[] {
  return [`verdict ${check.verdict}`, ...rowsOf(check).map(([label, text]) => `${label}: ${text}`)];
}

/** How many checks stand how against the baseline. */
export function countStandings(baseline: BaselineReport): Readonly<Record<string, number>> {
  const kinds = ['new', 'found', 'still', 'fixed', 'untold', 'vanished', 'unstable', 'answers'] as const;
  return Object.fromEntries(kinds.map((kind) => [kind, baseline[kind]?.length ?? 0]));
}

/** Why a failure is accepted, by whom, and until when, in one sentence. */
export function describeWaiver(waived: NonNullable<CheckResult['waived']>): string {
  const { waiver, reason, owner, expires, link } = waived;
  return `waived by ${waiver} (${owner}, until ${expires}): ${reason}${link === undefined ? '' : ` (${link})`}`;
}

/** A change in answers in one line, with what to do. */
export function describeAnswer({ id, class: found, headline, advice }: AnswerChange): string {
  return `${found}: ${headline} (${id}). ${advice}`;
}

/** The standing of a check against the baseline, in words. */
const STANDINGS: Readonly<Record<NonNullable<CheckResult['standing']>, string>> = {
  new: 'new',
  found: 'found, since when is unknown',
  still: 'persisting',
  fixed: 'fixed',
  untold: 'inconclusive now',
};
