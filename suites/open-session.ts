import { readFileSync } from 'node:fs';
import { readBase } from '../client/address.ts';
import { Client } from '../client/client.ts';
import { looksLikeIndex, readIndex } from '../client/site-index.ts';
import { createSession } from '../engine/create-session.ts';
import { type GivenHints, PASSWORD_VARIABLE, type RunOptions } from '../engine/run-options.ts';
import type { OwnerHints, Session } from '../engine/session.ts';
import { loadContract } from '../specs/contract.ts';

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
    fuzz: options.fuzz,
    hints: resolveHints(options.hinted ?? {}, env),
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
    secrets: secretsOf(options.hinted ?? {}, env),
    deadline: options.deadline,
    exchanges: options.exchanges,
  };
}

/** The values of hints, those that the environment holds too. */
function resolveHints(given: GivenHints, env: NodeJS.ProcessEnv): OwnerHints {
  return Object.fromEntries(
    Object.entries(given).map(([id, hints]) => [
      id,
      Object.fromEntries(
        Object.entries(hints).map(([name, values]) => [
          name,
          values.map((one) => ('env' in one ? env[one.env] : one.value)),
        ]),
      ),
    ]),
  );
}

function secretsOf(given: GivenHints, env: NodeJS.ProcessEnv): string[] {
  const values = Object.values(given).flatMap((hints) => Object.values(hints).flat());
  return values.flatMap((one) => ('env' in one ? (env[one.env] ?? []) : []));
}
