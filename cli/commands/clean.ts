import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isLoopback } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import type { JournalHead } from '../../client/journal.ts';
import { TargetError } from '../../client/target-error.ts';
import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';
import { plural } from '../../engine/text.ts';
import { cleanUp } from '../../probing/records/clean-up/clean-up.ts';
import { note, say } from '../../reports/print.ts';
import { cleanUpLines } from '../../reports/views/run/details.ts';
import { loadContract } from '../../specs/contract.ts';
import { UsageError } from '../../specs/validators.ts';
import { DEFAULTS } from '../../suites/run-config.ts';
import { verifyUsers } from '../../suites/verify-user.ts';
import type { Settings } from '../options.ts';
import { type CommandContext, optionFor } from '../read-options.ts';
import { type FoundJournal, isUnderWay, journalsBelow, uploadsWithoutRecord } from '../shell/leftovers.ts';
import { headersBeside, INSECURE } from '../shell/read-headers.ts';

/** Adds the command `clean`. */
export default function defineClean(program: Command, { ends }: CommandContext): void {
  program
    .command('clean')
    .description('remove what interrupted runs have left; the password comes from SITE_CONFORMANCE_PASSWORD')
    .option('--run <id>', 'the id of one run; without it, of all that the folder for reports knows')
    .option('--out <dir>', 'the folder for reports of those runs (reports/out)')
    .addOption(optionFor('header'))
    .addOption(optionFor('insecure'))
    .option('--confirm-host <host...>', 'the hosts that records are deleted on (needed off loopback)')
    .action(async (options) => ends(await cleanCommand(options)));
}

interface CleanOptions extends Pick<Settings, 'out' | 'header' | 'insecure'> {
  readonly run?: string;
  readonly confirmHost?: readonly string[];
}

/** @returns the exit code: 0 if nothing is left, 3 if something may be */
async function cleanCommand(options: CleanOptions): Promise<number> {
  const out = resolve(options.out ?? DEFAULTS.out);
  const journals = options.run === undefined ? endedIn(out) : [journalOf(out, options.run)];
  for (const { state } of journals) {
    guardHost(state.head, options.confirmHost ?? []);
    passwordOf(state.head);
  }
  if (options.insecure === true) note(INSECURE);
  const running = options.run === undefined ? journalsBelow(out).length - journals.length : 0;
  if (journals.length + running === 0) say(`${out} holds nothing that a run left behind`);
  // An unknown user is reported once, however many runs have to be cleaned.
  const refused = new Set<string>();
  let left = running;
  for (const journal of journals) {
    const { target, user } = journal.state.head;
    const account = JSON.stringify([target, user]);
    const end = refused.has(account) ? 'refused' : await cleanOne(journal, options);
    if (end === 'refused') refused.add(account);
    left += Number(end !== 'clean');
  }
  return left === 0 ? 0 : 3;
}

async function cleanOne(
  { path, state }: FoundJournal,
  { header, insecure }: CleanOptions,
): Promise<'clean' | 'left' | 'refused'> {
  const { head } = state;
  const contract = loadContract(head);
  const client = new Client({
    base: new URL(head.target),
    mode: 'write',
    user: head.user,
    password: passwordOf(head),
    headers: headersBeside(head.user, header),
    insecure,
    concurrency: 4,
    timeout: 30,
  });
  try {
    await verifyUsers(client, contract);
    const { removed, left, doubts } = await cleanUp(client, contract, path);
    say(`${plural(removed, 'record')} of run ${head.run} removed from ${head.target}`);
    const files = uploadsWithoutRecord(contract, state);
    for (const line of cleanUpLines({ left, doubts, files, tag: head.tag })) say(client.redact(line));
    if (left.length + doubts.length > 0) return 'left';
    rmSync(path);
    return 'clean';
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    say(`nothing is removed from ${head.target}: ${client.redact(error.message)}`);
    return 'refused';
  } finally {
    await client.close();
  }
}

function journalOf(out: string, run: string): FoundJournal {
  const journals = journalsBelow(out);
  const found = journals.find(({ state }) => state.head.run === run);
  if (found !== undefined) return found;
  const known = journals.map(({ state }) => state.head.run).join(', ');
  throw new UsageError(
    `--run ${run}: ${out} holds no journal of such a run (${known === '' ? 'nothing is left of any run' : `left are ${known}`}); --out names the folder for reports of that run`,
  );
}

function endedIn(out: string): FoundJournal[] {
  return journalsBelow(out).filter((journal) => {
    const { run, pid } = journal.state.head;
    const goesOn = isUnderWay(journal);
    if (goesOn)
      say(
        `run ${run} is still running as process ${pid}: its records are not touched; if that is another program, add --run ${run}`,
      );
    return !goesOn;
  });
}

function guardHost({ target }: JournalHead, confirmed: readonly string[]): void {
  const base = new URL(target);
  if (isLoopback(base) || confirmed.includes(base.hostname)) return;
  throw new UsageError(
    `clean deletes records on ${base.hostname}, which is not this machine: add --confirm-host ${base.hostname}`,
  );
}

/** The password of the user of a run: from the variable that the run used, or the default one. */
function passwordOf({ user, reached }: JournalHead): string {
  const named = reached?.passwordFrom ?? PASSWORD_VARIABLE;
  const password = process.env[named] || process.env[PASSWORD_VARIABLE] || '';
  if (password !== '') return password;
  throw new UsageError(
    `the password of ${user} is expected in the environment variable ${PASSWORD_VARIABLE}`,
  );
}
