import { Client, type ClientOptions } from '../client/client.ts';
import type { Observation, RequestSpec } from '../client/observation.ts';
import { encodeForm } from '../client/send.ts';
import type { Check } from '../engine/check.ts';
import type { JournalPlace } from '../engine/session.ts';
import { beginJournal } from '../probing/records/clean-up/census.ts';
import { cleanUp } from '../probing/records/clean-up/clean-up.ts';
import type { Contract } from '../specs/model.ts';
import { runChecks } from './run-checks.ts';

/** A request of a check, for people. */
export interface SentRequest {
  readonly method: string;
  /** The route in the words of the site, with its query. */
  readonly route: string;
  readonly as: 'user' | 'anonymous';
  readonly body?: string;
  readonly answer: Observation['answer'];
}

const LONGEST = 300;

/**
 * The requests of one check in order, found by running it alone. Requests of fixtures and clean-up are left out.
 * @param checks all checks; requests that a check shares with others are sent for it alone
 * @throws TargetError if the site has no index
 */
export async function sentRequests(
  id: string,
  checks: readonly Check[],
  contract: Contract,
  options: ClientOptions,
  journal: JournalPlace,
): Promise<SentRequest[]> {
  const sent: SentRequest[] = [];
  await using client = new Client({
    ...options,
    heard: (spec, answer) => void sent.push(sentRequest(spec, answer)),
  });
  const place = { target: client.base.href, user: options.user };
  await beginJournal(client, contract, journal, place);
  const before = sent.length;
  await runChecks({
    client,
    contract,
    checks,
    only: [id],
    seed: 1,
    journal,
    fuzz: { examples: 3, kept: [] },
  });
  const ofCheck = sent.slice(before);
  await cleanUp(client, contract, journal.path);
  return ofCheck;
}

function sentRequest(
  { method, route, query = [], as, body }: RequestSpec,
  { answer }: Observation,
): SentRequest {
  const asked = query.length === 0 ? '' : `?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;
  const shown = body === undefined ? undefined : bodyText(body);
  return {
    method,
    route: `${route}${asked}`.slice(0, LONGEST),
    as: as ?? 'anonymous',
    ...(shown !== undefined && { body: shown.slice(0, LONGEST) }),
    answer,
  };
}

function bodyText(body: NonNullable<RequestSpec['body']>): string {
  if ('json' in body) return JSON.stringify(body.json) ?? '';
  return 'form' in body ? encodeForm(body.form) : `${body.bytes.length} bytes of ${body.type}`;
}
