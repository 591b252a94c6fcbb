import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isObject, member } from '../../client/json.ts';
import type { OpenApi } from '../../specs/exports/openapi/document.ts';
import type { CountedSite } from './counted-site.ts';

const VERSION = '4.32.5';
/** What both tools can tell: of answers, headers and status codes the contract says nothing. */
const CHECKS = [
  'not_a_server_error',
  'positive_data_acceptance',
  'negative_data_rejection',
  'use_after_free',
  'ensure_resource_availability',
];

/** One run of Schemathesis. */
interface SchemathesisRun {
  /** The program, and a folder for its files. */
  readonly program: string;
  readonly folder: string;
  readonly site: CountedSite;
  readonly document: OpenApi;
  /** Test cases for each operation and phase. */
  readonly examples: number;
  readonly seed: number;
  readonly user: { readonly user: string; readonly password: string } | undefined;
}

/**
 * The program: the one that SCHEMATHESIS names, or one that is installed from the package index into a folder.
 * @throws Error where Python is not there, or cannot install it
 */
export async function findProgram(folder: string): Promise<string> {
  const { SCHEMATHESIS: given } = process.env;
  if (given !== undefined) return given;
  const run = promisify(execFile);
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const bin = join(folder, 'venv', 'bin');
  await run(join(bin, 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  return join(bin, 'st');
}

/** Runs Schemathesis against a site. @returns what failed, as `CODE operation` @throws Error when it wrote no report */
export async function runSchemathesis(run: SchemathesisRun): Promise<string[]> {
  const { program, folder, site, document, examples, seed, user } = run;
  const [file, report] = [join(folder, 'openapi.json'), join(folder, 'report.json')];
  writeFileSync(file, JSON.stringify(document));
  writeFileSync(report, '');
  const args = ['run', file, '--url', site.prettyUrl, '--checks', CHECKS.join(','), '--no-color'];
  args.push('--max-examples', String(examples), '--seed', String(seed), '--generation-database', 'none');
  args.push('--report', 'json', '--report-json-path', report, '--continue-on-failure');
  if (user !== undefined) args.push('--auth', `${user.user}:${user.password}`);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder });
  await once(child, 'exit');
  const failures = member(JSON.parse(readFileSync(report, 'utf8')), 'failures');
  return (Array.isArray(failures) ? failures.filter(isObject) : []).flatMap(({ type, operations }) =>
    Array.isArray(operations) ? operations.map((one) => `${String(type)} ${String(one)}`) : [],
  );
}
