import type { CheckResult, RunResult } from '../../engine/result.ts';
import { withoutCommands } from '../print.ts';
import { sectionName } from '../section-name.ts';
import { plural, shorten, visibleLine } from '../text.ts';
import { CONCLUSIONS, describeWaiver, exitCodeOfRuns } from './describe.ts';
import { rankFindings } from './rank.ts';
import { STANDARD_OUTPUT, type TextReporter } from './reporter.ts';

/** GitHub shows so many annotations of each kind for one step. */
const MOST = 10;
const LONGEST_TITLE = 200;
const LONGEST_MESSAGE = 1000;

type Kind = 'error' | 'warning' | 'notice';

/** Annotations of a job on GitHub, as commands on standard output. */
export const githubReporter: TextReporter = {
  name: 'github',
  label: 'annotations',
  file: STANDARD_OUTPUT,
  commands: true,
  render: renderAnnotations,
};

/** The conclusion and the worst findings as commands of GitHub; what it would not show is counted in the last one. */
export function renderAnnotations(result: RunResult): string {
  const { conclusion, reason, partial } = result;
  const { failures, errors, unstable, warnings, waived } = rankFindings(result);
  const title = `${CONCLUSIONS[conclusion]}${partial === undefined ? '' : ' (PARTIAL)'}`;
  const stops = exitCodeOfRuns([result]) !== 0;
  const lines = [
    ...annotations('error', [
      ...(stops ? [annotation('error', title, reason)] : []),
      ...[...failures, ...errors].map((check) => annotationOf('error', check)),
    ]),
    ...annotations(
      'warning',
      [...unstable, ...warnings].map((check) => annotationOf('warning', check)),
    ),
    ...annotations('notice', [
      ...(stops ? [] : [annotation('notice', title, reason)]),
      ...waived.map((check) => annotationOf('notice', check)),
    ]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function annotations(kind: Kind, all: readonly string[]): readonly string[] {
  if (all.length <= MOST) return all;
  const rest = all.length - (MOST - 1);
  return [
    ...all.slice(0, MOST - 1),
    annotation(kind, `${rest} more`, `${plural(rest, 'more finding')}: see results.json`),
  ];
}

function annotationOf(kind: Kind, check: CheckResult): string {
  const { id, section, title, message = title, expected, observed, standing, waived } = check;
  const parts = [
    `${sectionName(section)}: ${message}`,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(observed === undefined ? [] : [`observed: ${observed}`]),
    ...(waived === undefined ? [] : [describeWaiver(waived)]),
    ...(check.reproduce ?? []).slice(0, 1),
  ];
  const heading = standing === 'new' ? `NEW ${id}` : id;
  return annotation(kind, heading, ...parts);
}

function annotation(kind: Kind, title: string, ...lines: readonly string[]): string {
  const message = lines
    .map((line) => withoutCommands(visibleLine(shorten(line, LONGEST_MESSAGE))))
    .join('\n');
  return `::${kind} title=${escapeProperty(visibleLine(shorten(title, LONGEST_TITLE)))}::${escapeData(message)}`;
}

/** As the runner of GitHub reads it. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(withoutCommands(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
