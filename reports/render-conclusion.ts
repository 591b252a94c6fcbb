import type { Conclusion, RunResult, Verdict } from '../suites/result.ts';
import type { RenderContext } from './render-context.ts';
import { renderField } from './render-field.ts';
import { renderHeading } from './render-heading.ts';
import type { ReportFile } from './report-file.ts';
import { visibleLine } from './visible-text.ts';
import { wrapText } from './wrap-text.ts';

const STYLE: Record<Conclusion, Verdict> = {
  conformant: 'pass',
  nonconformant: 'fail',
  inconclusive: 'inconclusive',
};

const LONGEST_REASON = 400;

/** The end of the terminal report: the conclusion with its reason, what to do next, and where the reports are. */
export function renderConclusion(
  result: RunResult,
  reports: readonly ReportFile[],
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
    ...nextSteps(result).flatMap((step) => wrapText(step, context.width)),
    ...reports.map(
      ({ label: name, path }) => `${context.paint('faint', name.padEnd(labelWidth))}${visibleLine(path)}`,
    ),
  ];
}

/** What the operator can do about it, one sentence each. */
function nextSteps({ counts, checks }: RunResult): string[] {
  const broken = checks.find((check) => check.verdict === 'fail');
  const ran = counts.pass + counts.fail + counts.warn;
  return [
    ...(broken === undefined
      ? []
      : [`To repeat one check alone, add --only '${visibleLine(broken.id)}' to the same command.`]),
    ...(counts.error > 0
      ? ['An error is a fault of this suite: please report it, together with results.json.']
      : []),
    ...(ran === 0
      ? [
          'Nothing was tested: look at the reasons above, then at the target, the selection and the credentials.',
        ]
      : []),
  ];
}
