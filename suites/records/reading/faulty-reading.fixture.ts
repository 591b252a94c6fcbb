import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import type { Check } from '../../../engine/check.ts';
import type { CheckResult, Verdict } from '../../../engine/result.ts';
import { loadContract } from '../../../specs/contract.ts';
import type { Contract } from '../../../specs/model.ts';
import { runInProcess } from '../../run-in-process.ts';

/** What a faulty site makes of a healthy one: other arguments, or another answer. */
export interface Fault {
  /** The parameters of a read as the healthy site gets them; the route stands in `rest_route`. */
  readonly asks?: (query: URLSearchParams) => void;
  /** The answer to a read as the caller gets it. */
  readonly answers?: (json: unknown, query: URLSearchParams) => unknown;
  /** The status of the answer to a read, when it is not the healthy one. */
  readonly status?: (query: URLSearchParams) => number | undefined;
}

/** Drops a parameter, or a member of one, such as `tags[operator]`. */
export const ignoring = (name: string): Fault => ({
  asks: (query) => {
    for (const key of [...query.keys()]) if (key === name || key.startsWith(`${name}[`)) query.delete(key);
  },
});

/** The site that a faulty one stands in front of. */
export interface HealthySite {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Results of checks by id. */
export type Results = ReadonlyMap<string, CheckResult>;

/** A site in front of a healthy one. */
export interface FaultySite {
  /** Runs checks against it while it has a fault, as the user of the healthy site unless told otherwise. */
  results(fault: Fault, checks: (contract: Contract) => readonly Check[], as?: 'anonymous'): Promise<Results>;
}

/**
 * Starts a faulty site before the tests of a file and stops it after them.
 * @param healthy the site behind it, asked for when it is needed; @param deployment what that one serves
 */
export function faultySite(healthy: () => HealthySite | undefined, deployment: string): FaultySite {
  let fault: Fault = {};
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  let url = '';
  const server = createServer((message, response) => forward(healthy()?.url ?? '', fault, message, response));
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    async results(next, checks, as) {
      fault = next;
      const user = as === 'anonymous' ? undefined : healthy();
      const run = { url, contract, checks: checks(contract), mode: 'read' } as const;
      return (await runInProcess({ ...run, ...(user !== undefined && { user }) })).results;
    },
  };
}

function forward(healthy: string, fault: Fault, message: IncomingMessage, response: ServerResponse): void {
  const url = new URL(message.url ?? '/', healthy);
  const asked = new URLSearchParams(url.searchParams);
  fault.asks?.(url.searchParams);
  const sent = request(url, { method: message.method ?? 'GET', headers: message.headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const json: unknown = JSON.parse(text);
      const body = JSON.stringify(fault.answers === undefined ? json : fault.answers(json, asked));
      const { 'content-length': _, ...headers } = answer.headers;
      response.writeHead(fault.status?.(asked) ?? answer.statusCode ?? 500, headers);
      response.end(body);
    });
  });
  sent.end();
}

/** The ids of the checks that ended in one of the verdicts. */
export function idsWith(results: Results, ...verdicts: Verdict[]): string[] {
  return [...results.values()].filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
