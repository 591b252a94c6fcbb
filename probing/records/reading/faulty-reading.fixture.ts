import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import type { Check } from '../../../engine/check.ts';
import type { CheckResult, Verdict } from '../../../engine/result.ts';
import { type Served, serve } from '../../../sites/reference/serve.ts';
import { type Answer, Text } from '../../../sites/reference/site.ts';
import { loadContract } from '../../../specs/contract.ts';
import type { Contract } from '../../../specs/model.ts';
import { type InProcessRun, runInProcess } from '../../../suites/run-checks.ts';

/** How a faulty site differs from a healthy one: it changes arguments or answers. */
export interface Mutant {
  /** Changes the parameters of a read before the healthy site gets them; the route is in `rest_route`. */
  readonly asks?: (query: URLSearchParams) => void;
  /** Changes the answer to a read. */
  readonly answers?: (json: unknown, query: URLSearchParams) => unknown;
  /** The status of the answer, if it differs from the healthy one. */
  readonly status?: (query: URLSearchParams, isAnonymous: boolean, method?: string) => number | undefined;
}

/** Ignores a parameter, or a member of one, such as `tags[operator]`. */
export const ignoring = (name: string): Mutant => ({
  asks: (query) => {
    for (const key of [...query.keys()]) if (key === name || key.startsWith(`${name}[`)) query.delete(key);
  },
});

/** Results of checks by id. */
export type Results = ReadonlyMap<string, CheckResult>;

/** A reference deployment that can have a mutant. */
interface FaultySite {
  /** Runs checks against it with a mutant; default caller: its user. */
  results(
    mutant: Mutant,
    checks: (contract: Contract) => readonly Check[],
    as?: 'anonymous',
    given?: Pick<InProcessRun, 'fuzz' | 'knownFailures'>,
  ): Promise<Results>;
}

/** Starts a faulty site before the tests of a file and stops it after them. */
export function faultySite(deployment: string): FaultySite {
  let mutant: Mutant = {};
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  let site: Served | undefined;
  /** The original arguments of requests that the mutant changes. */
  const asked = new WeakMap<IncomingMessage, URLSearchParams>();
  beforeAll(async () => {
    site = await serve({
      deployment,
      before(message) {
        const url = new URL(message.url ?? '/', 'http://127.0.0.1');
        asked.set(message, new URLSearchParams(url.searchParams));
        mutant.asks?.(url.searchParams);
        message.url = `${url.pathname}${url.search}`;
      },
      behaviour: ({ send }) => ({
        send: (message, response, { status, headers, body }) => {
          const query = asked.get(message) ?? new URLSearchParams();
          const shown = mutant.answers === undefined ? body : changed(mutant.answers, body, query);
          const altered = mutant.status?.(query, message.headers.authorization === undefined, message.method);
          return send(message, response, { status: altered ?? status, headers, body: shown });
        },
      }),
    });
  });
  afterAll(() => site?.close());
  return {
    async results(next, checks, as, given) {
      mutant = next;
      const run = {
        url: site?.url ?? '',
        contract,
        checks: checks(contract),
        mode: 'read',
        ...given,
      } as const;
      const user = as === 'anonymous' ? undefined : site;
      return (await runInProcess({ ...run, ...(user !== undefined && { user }) })).results;
    },
  };
}

/** The body that a mutant makes of a copy, so that the records of the site are unchanged. */
function changed(
  answers: NonNullable<Mutant['answers']>,
  body: Answer['body'],
  query: URLSearchParams,
): Text {
  const json: unknown = body instanceof Text ? undefined : JSON.parse(JSON.stringify(body));
  return new Text('application/json; charset=UTF-8', JSON.stringify(answers(json, query)));
}

/** The ids of the checks that ended in one of the verdicts. */
export function idsWith(results: Results, ...verdicts: Verdict[]): string[] {
  return [...results.values()].filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
