import type { CheckResult } from '../engine/result.ts';

/** The one error that a failing check throws: test runners and Allure read `expected` and `actual`. */
export class ConformanceError extends Error {
  override readonly name: string = 'AssertionError';
  readonly expected: string;
  readonly actual: string;

  constructor(result: CheckResult) {
    const where = `§${result.section}, ${result.id}`;
    super([`${result.message ?? result.title} (${where})`, ...(result.reproduce ?? [])].join('\n'));
    this.expected = result.expected ?? '';
    this.actual = result.observed ?? '';
    // The place in our own code tells a reader nothing about the target.
    this.stack = `${this.name}: ${this.message}`;
  }
}
