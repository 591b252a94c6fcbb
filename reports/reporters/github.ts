import { exitCodeOf } from '../../engine/conclusion.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { plural, present, shorten, visibleLine } from '../../engine/text.ts';
import { nameOf, sectionName } from '../about-check.ts';
import { withoutCommands } from '../print.ts';
import { findingsOf } from '../views/run/causes.ts';
import { howFar, rootsOf, sentenceOf } from '../views/run/steps.ts';
import { describeWaiver, headlineOf } from './describe.ts';

/** The number of annotations of each kind that GitHub shows for one step. */
const MOST = 10;
const LONGEST_TITLE = 200;
const MOST_STEPS = 3;
const LONGEST_MESSAGE = 1000;

type Kind = 'error' | 'warning' | 'notice';

/** The conclusion and the worst findings as GitHub commands. The last one counts those that GitHub would not show. */
export function renderAnnotations(result: RunResult): string {
  const { reason, target } = result;
  const title = headlineOf(result);
  const stops = exitCodeOf([result]) !== 0;
  const about = [reason, ...progressLines(result)];
  const annotated = (kind: Kind) => (check: CheckResult) => annotationOf(kind, check, target.operations);
  const lines = [
    ...annotations('error', [
      ...(stops ? [annotation('error', title, ...about)] : []),
      ...[...findingsOf(result, 'fail'), ...findingsOf(result, 'error')].map(annotated('error')),
    ]),
    ...annotations(
      'warning',
      [...findingsOf(result, 'unstable'), ...findingsOf(result, 'warn')].map(annotated('warning')),
    ),
    ...annotations('notice', [
      ...(stops ? [] : [annotation('notice', title, ...about)]),
      ...findingsOf(result, 'waived').map(annotated('notice')),
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

function progressLines(result: RunResult): string[] {
  const far = howFar(result.progress);
  if (far === undefined) return [];
  const steps = rootsOf(result).slice(0, MOST_STEPS);
  return [far, ...steps.map((step, at) => `${at === 0 ? 'next' : 'then'}: ${sentenceOf(step)}`)];
}

function annotationOf(kind: Kind, check: CheckResult, operations: RunResult['target']['operations']): string {
  const { section, title, message = title, expected, observed, standing, waived } = check;
  const parts = present([
    `${sectionName(section)}: ${message}`,
    expected !== undefined && `expected: ${expected}`,
    observed !== undefined && `observed: ${observed}`,
    waived !== undefined && describeWaiver(waived),
    ...(check.reproduce ?? []).slice(0, 1),
  ]);
  const name = nameOf(check, operations);
  const heading = standing === 'new' ? `NEW ${name}` : name;
  return annotation(kind, heading, ...parts);
}

function annotation(kind: Kind, title: string, ...lines: readonly string[]): string {
  const message = lines
    .map((line) => withoutCommands(visibleLine(shorten(line, LONGEST_MESSAGE))))
    .join('\n');
  return `::${kind} title=${escapeProperty(visibleLine(shorten(title, LONGEST_TITLE)))}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(withoutCommands(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
