import { readFileSync } from 'node:fs';
import { loadContract } from '../specs/contract.ts';
import { readBase } from '../target/address.ts';
import { Client } from '../target/client.ts';
import { looksLikeIndex, readIndex } from '../target/site-index.ts';
import { createSession } from './create-session.ts';
import { PASSWORD_VARIABLE, type RunOptions } from './run-options.ts';
import type { Session } from './session.ts';

/**
 * Opens the session that the checks of a run share.
 * @param env where the password is
 * @throws Error when the file with the index is not one: a fault of the suite, because it was read before.
 */
export function openSession(options: RunOptions, env: NodeJS.ProcessEnv): Session {
  const text = readFileSync(options.indexFile, 'utf8');
  const document: unknown = JSON.parse(text);
  if (!looksLikeIndex(document)) throw new Error(`${options.indexFile} holds no index`);
  return createSession({
    contract: loadContract(options),
    index: readIndex(document, text),
    client: new Client(clientOptions(options, env)),
    seed: options.seed,
    journal: options.journal,
  });
}

/** What the client needs, from the options of a run and the environment. */
export function clientOptions(
  options: Omit<RunOptions, 'indexFile'>,
  env: NodeJS.ProcessEnv,
): ConstructorParameters<typeof Client>[0] {
  return {
    base: readBase(options.target),
    mode: options.mode,
    user: options.user,
    password: options.user === undefined ? undefined : env[PASSWORD_VARIABLE],
    headers: options.headers,
    concurrency: options.concurrency,
    rate: options.rate,
    timeout: options.timeout,
    deadline: options.deadline,
  };
}
