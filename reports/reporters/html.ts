import { renderRunPage } from '../page/run/run-page.ts';
import type { TextReporter } from './reporter.ts';

/** The page of a run, for people: it needs nothing but itself. */
export const htmlReporter: TextReporter = {
  name: 'html',
  label: 'page',
  file: 'report.html',
  render: renderRunPage,
};
