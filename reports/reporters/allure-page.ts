import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MINUTES = 5;

/**
 * Turns results of Allure into its HTML report: one page that opens without a server.
 * @param name the title of the report
 * @throws Error with what Allure printed when it fails
 */
export async function writeAllurePage(resultsDir: string, reportDir: string, name: string): Promise<void> {
  const allure = fileURLToPath(new URL('../cli.js', import.meta.resolve('allure')));
  const args = [allure, 'awesome', '--single-file', resultsDir, '--output', reportDir, '--report-name', name];
  await promisify(execFile)(process.execPath, [...args, '--group-by', 'epic,feature,story'], {
    // Away from any configuration of Allure that the caller keeps for something else.
    cwd: resultsDir,
    timeout: MINUTES * 60_000,
    maxBuffer: 10_000_000,
  });
}
