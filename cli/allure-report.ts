import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ReportFile } from '../reports/files.ts';

const MINUTES = 5;

/** Labels that say something of this suite and this machine, and nothing of the target. */
const HIDDEN = ['framework', 'language', 'host', 'thread', 'package', 'parentSuite'];

/**
 * Turns the results of Allure into its HTML report: one page that opens without a server.
 * @param name the title of the report
 * @throws Error with what Allure printed when it fails.
 */
export async function writeAllureReport(
  resultsDir: string,
  reportDir: string,
  name: string,
): Promise<ReportFile> {
  const allure = fileURLToPath(new URL('../cli.js', import.meta.resolve('allure')));
  const args = [allure, 'awesome', '--single-file', resultsDir, '--output', reportDir, '--report-name', name];
  const shown = ['--group-by', 'feature,story', ...HIDDEN.flatMap((label) => ['--hide-labels', label])];
  await promisify(execFile)(process.execPath, [...args, ...shown], {
    // Away from any configuration of Allure that the caller keeps for something else.
    cwd: resultsDir,
    timeout: MINUTES * 60_000,
    maxBuffer: 10_000_000,
  });
  return { label: 'Allure', path: join(reportDir, 'index.html') };
}
