import { expect } from 'vitest';
import type { CheckResult, Conclusion, Counts, RunResult } from '../../engine/result.ts';
import { isUnstableCheck } from '../../engine/result.ts';
import { stepsOf } from '../views/run/steps.ts';
import { CONCLUSIONS } from './describe.ts';

/** What a report shows, as far as its format can. */
export interface Reported {
  conclusion: Conclusion;
  counts?: Partial<Counts>;
  failing?: string[];
  waived?: string[];
  unstable?: string[];
  fresh?: string[];
  /** How much of what is required passes, what to do next, and missing fixtures. */
  required?: [passed: number, required: number] | undefined;
  next?: string | undefined;
  unmade?: number | undefined;
}

/** What results.json says. */
export function reportedBy(result: RunResult): Required<Reported> {
  const idsOf = (belongs: (check: CheckResult) => boolean): string[] =>
    result.checks
      .filter(belongs)
      .map(({ id }) => id)
      .toSorted();
  return {
    conclusion: result.conclusion,
    counts: result.counts,
    failing: idsOf(({ verdict, waived }) => verdict === 'fail' && waived === undefined),
    waived: idsOf(({ waived }) => waived !== undefined),
    unstable: idsOf(isUnstableCheck),
    fresh: idsOf(({ standing }) => standing === 'new'),
    required: result.progress && [result.progress.passed, result.progress.required],
    next: NEXT.exec(stepsOf(result)[0]?.what ?? '')?.[0],
    unmade: result.stage?.missing.length,
  };
}

/** The first of the next steps, if it is to serve something. */
export const NEXT: RegExp = /serve [A-Z]+ [^;,<\s]+/;

/** Progress and fixtures in a text for people. */
export function wayIn(text: string): Pick<Reported, 'required' | 'next' | 'unmade'> {
  const plain = text.replaceAll('\\', '').replaceAll(/\s+/g, ' ');
  const [, passed, required] = /([\d,]+) of ([\d,]+) required checks pass/.exec(plain) ?? [];
  const [, unmade] = /(\d+) not made/.exec(plain) ?? [];
  const numberIn = (digits: string): number => Number(digits.replaceAll(',', ''));
  return {
    required:
      passed === undefined || required === undefined ? undefined : [numberIn(passed), numberIn(required)],
    next: NEXT.exec(plain)?.[0],
    unmade: unmade === undefined ? undefined : Number(unmade),
  };
}

/** The only conclusion in a text. */
export function conclusionIn(text: string): Conclusion {
  const found = Object.entries(CONCLUSIONS).filter(([, words]) =>
    new RegExp(`(?<!NOT )\\b${words}\\b`).test(text),
  );
  const name = found[0]?.[0];
  if (found.length !== 1 || (name !== 'conformant' && name !== 'nonconformant' && name !== 'inconclusive')) {
    return expect.fail(`no one conclusion: ${text.slice(0, 200)}`);
  }
  return name;
}

/** The ids of a sample in a text. */
export function namedIn(text: string, result: RunResult): string[] {
  return result.checks.map(({ id }) => id).filter((id) => text.includes(id));
}
