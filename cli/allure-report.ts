import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ReportFile } from '../reports/report-file.ts';

const MINUTES = 5;

/**
 * Turns the results of Allure into its HTML report: one page that opens without a server.
 * @throws Error with what Allure printed when it fails.
 */
export async function writeAllureReport(resultsDir: string, reportDir: string): Promise<ReportFile> {
  const allure = fileURLToPath(new URL('../cli.js', import.meta.resolve('allure')));
  const args = [allure, 'awesome', '--single-file', resultsDir, '--output', reportDir];
  await promisify(execFile)(process.execPath, args, { timeout: MINUTES * 60_000, maxBuffer: 10_000_000 });
  return { label: 'Allure', path: join(reportDir, 'index.html') };
}
