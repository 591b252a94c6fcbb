import { addAbortListener } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { showBase } from '../../client/address.ts';
import { Client, type Traffic } from '../../client/client.ts';
import { type FetchedIndex, findIndex, type SiteIndex } from '../../client/site-index.ts';
import { TargetError } from '../../client/target-error.ts';
import { note } from '../../reports/print.ts';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { namesIn } from '../../specs/deployment.ts';
import type { Contract } from '../../specs/model.ts';
import { textsOf } from '../../specs/texts.ts';
import { UsageError } from '../../specs/validators.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';
import { readOfUsers, verifyUsers } from '../../suites/verify-user.ts';

/** A target that has passed its preflight, and the disposal of what was started for it. */
export interface Ready {
  readonly config: RunConfig;
  readonly preflight: {
    /** Hands over the index once, so that a large one is not kept in memory. */
    takeIndex(): FetchedIndex;
    readonly traffic: Traffic;
  };
  close(): Promise<void>;
}

/**
 * Starts the embedded target if none is named, and runs the preflight. The time budget begins here.
 * @throws TargetError, UsageError as the preflight does, with nothing left running
 */
export async function readyTarget(target: RunConfig, signal: AbortSignal): Promise<Ready> {
  if (target.unreachable !== undefined) throw target.unreachable;
  // Garbage collection would take a fifth of a run of our own small deployments.
  if (target.embedded) setFlagsFromString('--heap-growing-percent=50');
  const site = target.embedded ? await serve({ deployment: target.deployment }) : undefined;
  const close = async (): Promise<void> => site?.close();
  try {
    const deadline = target.budget === undefined ? undefined : Date.now() + target.budget * 1000;
    const known = {
      ...target,
      ...(site !== undefined && { base: new URL(site.url), user: site.user, password: site.password }),
      deadline,
    };
    const asked = await runPreflight(known, signal);
    if (asked.config.base.href !== known.base.href) {
      note(`the index is found below ${showBase(asked.config.base)}: every request goes there`);
    }
    return { ...asked, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Requests the index and verifies the user before anything else, so that bad input ends with one line.
 * @returns the configuration with the base address of the routes
 * @throws TargetError if nothing can be concluded; UsageError if the site has another vocabulary
 */
async function runPreflight(
  config: RunConfig,
  signal: AbortSignal,
): Promise<Pick<Ready, 'config' | 'preflight'>> {
  const traffic = { requests: config.asked ?? 0, retries: 0 };
  try {
    const found = await askOnce(config, findIndex, traffic, signal);
    const contract = contractOf(config);
    guardVocabulary(found.index, contract);
    // Where it serves its routes.
    const { base, ...index } = found;
    const users = (config.callers ?? []).flatMap(({ name, user }) => (user === undefined ? [] : [name]));
    const verify = (client: Client): Promise<void> => verifyUsers(client, contract, users);
    await askOnce({ ...config, base }, verify, traffic, signal);
    const forUser = config.user === undefined ? undefined : readOfUsers(contract);
    const words = Object.keys(config.headers).length === 0 ? undefined : wordsOf(contract);
    return {
      config: { ...config, base, forUser, words },
      preflight: { takeIndex: handOver(index), traffic },
    };
  } catch (error) {
    throw signal.aborted ? new TargetError('gone', 'interrupted before the first check') : error;
  }
}

async function askOnce<T>(
  options: RunConfig,
  question: (client: Client) => Promise<T>,
  traffic: Traffic,
  signal: AbortSignal,
): Promise<T> {
  await using client = new Client(options);
  using _stopping = addAbortListener(signal, () => void client.close());
  try {
    return await question(client);
  } finally {
    traffic.requests += client.traffic.requests;
    traffic.retries += client.traffic.retries;
  }
}

function handOver<T extends object>(value: T): () => T {
  let held: T | undefined = value;
  return () => {
    const taken = held;
    if (taken === undefined) throw new Error('handed over already');
    held = undefined;
    return taken;
  };
}

/** A contract in the wrong words would fail everywhere, so one line names the right vocabulary. */
function guardVocabulary(index: SiteIndex, contract: Contract): void {
  if (namespacesServed(index, contract) > 0) return;
  const others = namesIn('vocabularies').filter((name) => name !== contract.vocabulary);
  const vocabulary = others.find(
    (other) => namespacesServed(index, loadContract({ deployment: 'core', vocabulary: other })) > 1,
  );
  if (vocabulary === undefined) return;
  throw new UsageError(
    `the site serves no namespace under the names of the vocabulary "${contract.vocabulary}", but it does under those of "${vocabulary}": use --vocabulary ${vocabulary}`,
  );
}

function namespacesServed({ namespaces: served }: SiteIndex, { namespaces }: Contract): number {
  return namespaces.filter(({ name, wire }) => name.startsWith('cms') && served.includes(wire)).length;
}

const LONGEST_WORD = 80;

/**
 * Names and words of a contract, such as those of parameters and members, of routes, and the values of enums. What a site
 * publishes is left out: it may be a secret that was sent to it.
 */
function wordsOf({ operations }: Contract): ReadonlySet<string> {
  const words = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && value.length <= LONGEST_WORD && !value.includes(' ')) words.add(value);
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) for (const name of Object.keys(value)) words.add(name);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(textsOf('observed'));
  for (const { basis, route, parameters, absent, answer } of operations)
    if (basis !== 'published') visit([route, parameters, absent, answer]);
  return words;
}
