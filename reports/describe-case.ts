import type { CheckResult, Verdict } from '../engine/result.ts';
import { shorten } from './shorten.ts';
import { visibleLine, visibleText } from './visible-text.ts';

/** One `testcase`, ready to be written: all its text is legal in XML 1.0. */
export interface JunitCase {
  name: string;
  seconds: number;
  /** The element within the case; none when the check passed. */
  outcome?: {
    element: 'failure' | 'error' | 'skipped';
    attributes: Record<string, string>;
    body: string;
  };
}

/** CI servers keep these files for long; `results.json` has the whole. */
const LONGEST_MESSAGE = 300;
const LONGEST_VALUE = 4000;

const ELEMENT: Record<Exclude<Verdict, 'pass'>, 'failure' | 'error' | 'skipped'> = {
  fail: 'failure',
  error: 'error',
  warn: 'skipped',
  inconclusive: 'skipped',
  skip: 'skipped',
};

/** Turns a check into a test case; anything but `pass` gets an element that says what came of it. */
export function describeCase(check: CheckResult): JunitCase {
  const name = visibleLine(`${check.id}: ${check.title}`);
  if (check.verdict === 'pass') return { name, seconds: check.seconds };
  const element = ELEMENT[check.verdict];
  const message = line(check.message ?? check.observed ?? check.title);
  const attributes =
    element === 'skipped' ? { message: `${check.verdict}: ${message}` } : { message, type: check.verdict };
  // A reason is all there is to say about a check that did not run.
  const body = check.verdict === 'skip' ? '' : describe(check);
  return { name, seconds: check.seconds, outcome: { element, attributes, body } };
}

function describe(check: CheckResult): string {
  const rows: [string, string | undefined][] = [
    ['section', `§${check.section} (${check.basis})`],
    ['message', check.message],
    ['expected', check.expected],
    ['observed', check.observed],
    ...(check.reproduce ?? []).map((command): [string, string] => ['repeat', command]),
  ];
  return rows
    .filter(([, text]) => text)
    .map(([label, text = '']) => `${label}: ${visibleText(shorten(text, LONGEST_VALUE))}`)
    .join('\n');
}

function line(text: string): string {
  return visibleLine(shorten(text, LONGEST_MESSAGE));
}
