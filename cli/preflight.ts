import { Client, type ClientOptions, type Traffic } from '../client/client.ts';
import { type FetchedIndex, findIndex, type SiteIndex } from '../client/site-index.ts';
import { TargetError } from '../client/target-error.ts';
import { loadContract } from '../specs/contract.ts';
import { namesIn } from '../specs/deployment.ts';
import type { Contract } from '../specs/model.ts';
import { verifyUser } from '../suites/verify-user.ts';
import { UsageError } from './usage-error.ts';

/** What the preflight learned, and the requests that it took. */
export interface Preflight {
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
export async function preflight(
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
