import { renderTerminal } from '../terminal/terminal.ts';
import type { TextReporter } from './reporter.ts';

const WIDTH = 100;

/** What the terminal shows, as a text without colours. */
export const terminalReporter: TextReporter = {
  name: 'terminal',
  label: 'text',
  file: 'report.txt',
  render: (result) => renderTerminal(result, { colour: false, width: WIDTH, reports: [] }),
};
