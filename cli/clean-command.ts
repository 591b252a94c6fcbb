import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLoopback, readShownBase } from '../client/address.ts';
import { Client } from '../client/client.ts';
import type { JournalState } from '../client/journal.ts';
import { PASSWORD_VARIABLE } from '../engine/run-options.ts';
import { print } from '../reports/print.ts';
import { plural, visibleLine } from '../reports/text.ts';
import { loadContract } from '../specs/contract.ts';
import { cleanUp } from '../suites/records/clean-up/clean-up.ts';
import { headersBeside } from './read-headers.ts';
import { UsageError } from './usage-error.ts';
import { warnInsecure } from './warn-insecure.ts';
import { journalsIn } from './writing-run.ts';

const CONCURRENCY = 4;
const TIMEOUT_SECONDS = 30;

/** The options of `clean`. */
export interface CleanOptions {
  readonly run: string;
  readonly out?: string;
  readonly header?: readonly string[];
  readonly insecure?: boolean;
  readonly confirmHost?: string;
}

/**
 * The command `clean`: removes what an interrupted run has left, by its journal and by its tag. Safe to repeat.
 * @returns the exit code: 0 when nothing is left, 3 when something may be
 * @throws UsageError when there is no such journal, or no password.
 */
export async function cleanCommand(options: CleanOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const { path, state } = findJournal(resolve(options.out ?? 'reports/out'), options.run);
  const { head } = state;
  const base = readShownBase(head.target);
  if (!isLoopback(base) && options.confirmHost !== base.hostname) {
    throw new UsageError(
      `clean deletes records on ${base.hostname}, which is not this machine: add --confirm-host ${base.hostname}`,
    );
  }
  const password = env[PASSWORD_VARIABLE] ?? '';
  if (password === '') {
    throw new UsageError(
      `the password of ${head.user} is expected in the environment variable ${PASSWORD_VARIABLE}`,
    );
  }
  warnInsecure(options.insecure);
  const contract = loadContract(head);
  const client = new Client({
    base,
    mode: 'write',
    user: head.user,
    password,
    headers: headersBeside(head.user, options.header),
    insecure: options.insecure,
    concurrency: CONCURRENCY,
    timeout: TIMEOUT_SECONDS,
  });
  try {
    const { removed, left, doubts } = await cleanUp(client, contract, path);
    print(process.stdout, `${plural(removed, 'record')} removed from ${head.target}\n`);
    for (const { collection, id, why } of left)
      print(process.stdout, `${visibleLine(client.redact(`${collection} ${id} is still there: ${why}`))}\n`);
    for (const doubt of doubts) print(process.stdout, `${visibleLine(client.redact(doubt))}\n`);
    if (left.length > 0 || doubts.length > 0) return 3;
    rmSync(path);
    return 0;
  } finally {
    await client.close();
  }
}

function findJournal(out: string, run: string): { path: string; state: JournalState } {
  const folders = [out, ...(existsSync(out) ? readdirSync(out).map((name) => join(out, name)) : [])];
  const journals = folders.flatMap((folder) => journalsIn(join(folder, 'journals')));
  const found = journals.find(({ state }) => state.head.run === run);
  if (found !== undefined) return found;
  const known = journals.map(({ state }) => state.head.run).join(', ');
  throw new UsageError(
    `--run ${run}: ${out} holds no journal of such a run (${known === '' ? 'nothing is left of any run' : `left are ${known}`}); --out names the folder for reports of that run`,
  );
}
