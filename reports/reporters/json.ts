import type { RunResult } from '../../engine/result.ts';
import type { TextReporter } from './reporter.ts';

/** The result document itself. */
export const jsonReporter: TextReporter = {
  name: 'json',
  label: 'results',
  file: 'results.json',
  render: renderJson,
};

/** The text of `results.json`. */
export function renderJson(result: RunResult): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
