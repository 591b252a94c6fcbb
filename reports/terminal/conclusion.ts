import { askedOf } from '../../engine/conclusion.ts';
import type { Conclusion, RunResult, Verdict } from '../../engine/result.ts';
import { visibleLine, wrapText } from '../../engine/text.ts';
import { rankFindings } from '../reporters/rank.ts';
import { isForAuthor, sentenceOf, stepsOf } from '../way-there.ts';
import { type RenderContext, renderField, renderHeading, type TerminalOptions } from './layout.ts';

const STYLE: Record<Conclusion, Verdict> = {
  conformant: 'pass',
  nonconformant: 'fail',
  inconclusive: 'inconclusive',
};

const LONGEST_REASON = 400;
const NEXT = { indent: 0, labelWidth: 6, limit: 300 };

/** The end of the terminal report: the conclusion with its reason, what to do next, and where the reports are. */
export function renderConclusion(
  result: RunResult,
  { reports, repeat }: Pick<TerminalOptions, 'reports' | 'repeat'>,
  context: RenderContext,
): string[] {
  const style = STYLE[result.conclusion];
  const label = `${result.conclusion.toUpperCase()}${result.partial === undefined ? '' : ' (PARTIAL)'}  `;
  const layout = {
    indent: 0,
    labelWidth: label.length,
    limit: LONGEST_REASON,
    labelStyle: style,
    textStyle: style,
  };
  const labelWidth = Math.max(0, ...reports.map((report) => report.label.length)) + 2;
  return [
    renderHeading('conclusion', style, context),
    ...renderField(label, visibleLine(result.reason), layout, context),
    ...nextOf(result).flatMap((step) => renderField('next: ', step, NEXT, context)),
    ...repeatLines(result, repeat),
    ...nextSteps(result).flatMap((step) => wrapText(step, context.width)),
    ...reports.map(
      ({ label: name, path }) => `${context.paint('faint', name.padEnd(labelWidth))}${visibleLine(path)}`,
    ),
  ];
}

/** What the author of an implementation does next; the failures are far above then. */
function nextOf(result: RunResult): string[] {
  return isForAuthor(result) ? stepsOf(result).slice(0, 1).map(sentenceOf) : [];
}

/** The command stands whole on a line of its own, so that it can be copied. */
function repeatLines({ checks, baseline }: RunResult, repeat: TerminalOptions['repeat']): string[] {
  // Beside a baseline it stands with what is new.
  if (baseline !== undefined) return [];
  const [broken] = rankFindings({ checks }).failures;
  return broken === undefined || repeat === undefined
    ? []
    : [
        'To repeat one check alone (with your headers, if there were any):',
        `  ${visibleLine(repeat(broken.id))}`,
      ];
}

/** What the operator can do about it, one sentence each. */
function nextSteps({ checks, counts, fuzzing }: RunResult): string[] {
  const ran = askedOf(counts) - counts.inconclusive - counts.error;
  const unstable =
    (fuzzing?.unstable ?? 0) + checks.filter(({ unstable: again }) => again !== undefined).length;
  return [
    ...(counts.error > 0
      ? ['An error is a fault of this suite: please report it, together with results.json.']
      : []),
    ...(unstable > 0
      ? [
          'What is unstable may depend on what else the site is doing: run it again with --concurrency 1; what has an id of its own can be replayed.',
        ]
      : []),
    ...(ran === 0 && unstable === 0
      ? [
          'Nothing was tested: look at the reasons above, then at the target, the selection and the credentials.',
        ]
      : []),
  ];
}
