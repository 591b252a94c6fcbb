import { setFlagsFromString } from 'node:v8';
import { showBase } from '../client/address.ts';
import { Client, type ClientOptions, type Traffic } from '../client/client.ts';
import { type FetchedIndex, findIndex, type SiteIndex } from '../client/site-index.ts';
import { TargetError } from '../client/target-error.ts';
import type { PlannedCheck } from '../engine/plan.ts';
import type { RunResult } from '../engine/result.ts';
import { type GivenHints, PASSWORD_VARIABLE } from '../engine/run-options.ts';
import { visibleLine } from '../engine/text.ts';
import type { RunWaivers } from '../engine/waivers.ts';
import { print } from '../reports/print.ts';
import { serve } from '../sites/reference/serve.ts';
import { loadContract } from '../specs/contract.ts';
import { namesIn } from '../specs/deployment.ts';
import type { Contract } from '../specs/model.ts';
import { clientOptions } from '../suites/run.ts';
import { verifyUser } from '../suites/verify-user.ts';
import type { ChosenTarget } from './choose-targets.ts';
import { UsageError } from './errors.ts';
import type { ResolvedTarget } from './resolve-targets.ts';

/** A target that has passed its preflight. */
export interface ReadyTarget extends ResolvedTarget, Preflight {
  readonly url: string;
  readonly contract: Contract;
  readonly hinted: GivenHints;
  readonly accepted: RunWaivers;
  /** When the run ends, in milliseconds since the epoch. */
  readonly deadline: number | undefined;
  readonly plan: readonly PlannedCheck[];
  /** The environment of its run alone: holds the password of its user under the one name that the checks read. */
  readonly env: NodeJS.ProcessEnv;
  /** The path of a recording of every exchange, where a reporter wants it. */
  readonly exchanges?: string;
  /** What its baseline holds; undefined without one. */
  readonly earlier: RunResult | undefined;
}

/**
 * Makes a target ready, starting the embedded one where none is named. From here on the time of its budget runs.
 * @param signal ends the preflight
 * @returns the target, and what takes down whatever was started
 * @throws TargetError, UsageError as the preflight does, with nothing left running
 */
export async function readyTarget(
  { target, contract, plan, hinted, accepted, earlier }: ChosenTarget,
  signal: AbortSignal,
): Promise<{ ready: ReadyTarget; close(): Promise<void> }> {
  if (target.unreachable !== undefined) throw target.unreachable;
  const isEmbedded = target.target === undefined;
  if (isEmbedded) growFreely();
  const site = isEmbedded ? await serve({ deployment: target.deployment }) : undefined;
  const close = async (): Promise<void> => site?.close();
  try {
    const url = target.target ?? site?.url ?? '';
    const user = target.user ?? site?.user;
    const password = site?.password ?? (user === undefined ? undefined : process.env[target.passwordFrom]);
    const env = password === undefined ? process.env : { ...process.env, [PASSWORD_VARIABLE]: password };
    const deadline = target.budget === undefined ? undefined : Date.now() + target.budget * 1000;
    const known = { ...target, url, user, hinted, accepted, deadline, env };
    const learned = await preflight(clientOptions({ ...known, target: url }, env), contract, signal);
    const found = showBase(learned.base);
    if (found !== url)
      print(process.stderr, `the index is found below ${visibleLine(found)}: every request goes there\n`);
    const { requests, retries } = learned.traffic;
    const traffic = { ...learned.traffic, requests: requests + (target.asked ?? 0), retries };
    return {
      ready: { ...known, ...learned, url: found, traffic, contract, plan, earlier },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the preflight learned, and the requests that it took. */
interface Preflight {
  /** Hands over the index, once: a large one is not held while the checks run in their own worker. */
  takeIndex(): FetchedIndex;
  readonly traffic: Traffic;
  /** The base under which the site serves its routes. */
  readonly base: URL;
}

/**
 * Asks a target for its index, and whether it accepts the user, before anything else happens, so that bad input ends in
 * one line with nothing written.
 * @param signal ends the waiting
 * @throws TargetError when nothing can be concluded; UsageError when the site speaks another vocabulary.
 */
async function preflight(
  options: ClientOptions,
  contract: Contract,
  signal: AbortSignal,
): Promise<Preflight> {
  const client = new Client(options);
  const stop = (): void => void client.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const found = await findIndex(client);
    guardVocabulary(found.index, contract);
    const { base } = found;
    const traffic = await verifyUserAt({ ...options, base }, contract, signal);
    return { takeIndex: handOver(found), traffic: sum(client.traffic, traffic), base };
  } catch (error) {
    throw signal.aborted ? new TargetError('gone', 'interrupted before the first check') : error;
  } finally {
    signal.removeEventListener('abort', stop);
    await client.close();
  }
}

/** Asks whether the site accepts the user, where it serves its routes. @returns the requests that it took */
async function verifyUserAt(
  options: ClientOptions,
  contract: Contract,
  signal: AbortSignal,
): Promise<Traffic> {
  const client = new Client(options);
  const stop = (): void => void client.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await verifyUser(client, contract);
    return client.traffic;
  } finally {
    signal.removeEventListener('abort', stop);
    await client.close();
  }
}

function sum(one: Traffic, other: Traffic): Traffic {
  return { requests: one.requests + other.requests, retries: one.retries + other.retries };
}

function handOver<T>(value: T): () => T {
  let held: { readonly value: T } | undefined = { value };
  return () => {
    if (held === undefined) throw new Error('handed over already');
    const taken = held.value;
    held = undefined;
    return taken;
  };
}

/** A contract in the wrong words would fail everywhere and say nothing: better one line that names the right ones. */
function guardVocabulary(index: SiteIndex, contract: Contract): void {
  if (namespacesServed(index, contract) > 0) return;
  for (const vocabulary of namesIn('vocabularies').filter((name) => name !== contract.vocabulary)) {
    const other = loadContract({ deployment: 'core', vocabulary });
    if (namespacesServed(index, other) > 1) {
      throw new UsageError(
        `the site serves no namespace under the names of the vocabulary "${contract.vocabulary}", but it does under those of "${vocabulary}": use --vocabulary ${vocabulary}`,
      );
    }
  }
}

function namespacesServed(index: SiteIndex, contract: Contract): number {
  return contract.namespaces.filter(
    ({ name, wire }) => name.startsWith('cms') && index.namespaces.includes(wire),
  ).length;
}

/**
 * Lets heaps grow in larger steps, those of threads that are started from now on too. The command keeps heaps small, for
 * sites with a huge index; the deployments that we serve are small, and collecting often takes a fifth of their run.
 */
function growFreely(): void {
  setFlagsFromString('--max-semi-space-size=16');
  setFlagsFromString('--heap-growing-percent=50');
}
