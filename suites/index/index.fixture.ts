import { afterAll, beforeAll } from 'vitest';
import { readBase } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import { looksLikeIndex, readIndex, type SiteIndex } from '../../client/site-index.ts';
import type { CheckResult, Notice } from '../../engine/result.ts';
import { type Served, serve } from '../../sites/reference/serve.ts';
import type { Arg, Entry, IndexDocument } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import type { Contract } from '../../specs/model.ts';
import { runChecks } from '../run-checks.ts';
import { declaredChecks } from './declared-checks.ts';
import { noticesOf } from './notices.ts';

/** The results of the checks of the index for a changed index. */
interface DeclaredRun {
  readonly results: readonly CheckResult[];
  /** `verdict id` of all results that are neither passed nor skipped. */
  readonly problems: readonly string[];
  /** The distinct reasons of skipped checks. */
  readonly skips: readonly string[];
}

/** A reference deployment for all tests of a file, with an index that tests can change. */
interface TestIndex {
  readonly contract: Contract;
  /** Runs every check of the index with a changed copy; other requests go to the deployment. */
  run(change?: (document: IndexDocument) => void): Promise<DeclaredRun>;
  /** What a changed copy has beyond the contract. */
  notices(change?: (document: IndexDocument) => void): readonly Notice[];
}

/** Starts a deployment before the tests of a file, and stops it after them. */
export function testIndex(deployment: 'a' | 'b' | 'core'): TestIndex {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const checks = declaredChecks(contract);
  let served: Served | undefined;
  let text = '';
  beforeAll(async () => {
    served = await serve({ deployment });
    text = await (await fetch(`${served.url}/index.php?rest_route=/`)).text();
  });
  afterAll(() => served?.close());

  const changed = (change: (document: IndexDocument) => void = () => undefined): SiteIndex => {
    const document: IndexDocument = JSON.parse(text);
    change(document);
    if (!looksLikeIndex(document)) throw new Error('the change left no index');
    return readIndex(document, JSON.stringify(document));
  };

  return {
    contract,
    notices: (change) => noticesOf(contract, changed(change)),
    async run(change) {
      const index = changed(change);
      const client = new Client({
        base: readBase(served?.url ?? ''),
        mode: 'read',
        concurrency: 8,
        timeout: 10,
      });
      const ran = await runChecks({ client, contract, checks, index });
      const results = [...ran.results.values()];
      await client.close();
      return {
        results,
        problems: results
          .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skip')
          .map(({ verdict, id }) => `${verdict} ${id}`),
        skips: [
          ...new Set(results.flatMap(({ verdict, message = '' }) => (verdict === 'skip' ? [message] : []))),
        ],
      };
    },
  };
}

/** An entry of the index. */
export function entry(document: IndexDocument, route: string): Entry {
  return document.routes[route] ?? fail(route);
}

/** The endpoint that serves a method of a route. */
export function endpoint(document: IndexDocument, route: string, method = 'GET'): Entry['endpoints'][number] {
  return (
    entry(document, route).endpoints.find(({ methods }) => methods.includes(method)) ??
    fail(`${method} ${route}`)
  );
}

/** The declaration of a parameter. */
export function arg(document: IndexDocument, route: string, name: string, method = 'GET'): Arg {
  return endpoint(document, route, method).args[name] ?? fail(`${name} of ${method} ${route}`);
}

/** Gives a route another pattern. */
export function renameRoute(document: IndexDocument, from: string, to: string): void {
  document.routes[to] = entry(document, from);
  delete document.routes[from];
}

function fail(what: string): never {
  throw new Error(`the reference deployment has no ${what}`);
}
