import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunMode } from '../client/mode.ts';
import { type Served, serve } from '../sites/reference/serve.ts';
import { loadContract } from '../specs/contract.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { allChecks } from './all-checks.ts';
import { type Recorded, recorder } from './recorder.fixture.ts';
import { runInProcess } from './run-checks.ts';

const CONTRACT = loadContract({ deployment: 'b', vocabulary: 'neutral' });
const ALTERING = CONTRACT.operations
  .filter(({ effect }) => effect === 'alters-site')
  .map(({ methods, route }) => ({
    methods,
    pattern: new RegExp(`^${route.wire.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
const SAFE = ['GET', 'HEAD', 'OPTIONS'];
const LIMIT_MS = 120_000;

/** The content of the site before and after a run, and all requests of the run. */
interface Run {
  readonly seen: readonly Recorded[];
  readonly before: string;
  readonly after: string;
}

/** Runs checks, by default all, against a new deployment B with credentials, and records every request. */
async function runAll(mode: RunMode, checks = allChecks(CONTRACT)): Promise<Run> {
  const served = await serve({ deployment: 'b' });
  onTestFinished(() => served.close());
  const { user, password } = served;
  const { url, seen } = await recorder(served.url);
  const before = await contentOf(served);
  const folder = testFolder();
  await runInProcess({
    url,
    contract: CONTRACT,
    checks,
    mode,
    user: { user, password },
    ...(['write', 'full'].includes(mode) && {
      journal: { path: join(folder, 'journal.ndjson'), tag: `sc-${randomUUID().slice(0, 8)}` },
    }),
  });
  return { seen, before, after: await contentOf(served) };
}

/** All records of the site as editors see them. */
async function contentOf({ url, user, password }: Served): Promise<string> {
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  const query = 'context=edit&per_page=100&orderby=id';
  const lists = ['posts', 'pages', 'media'].map(async (name) => {
    const statuses = name === 'media' ? 'inherit,private,trash' : 'any,trash,inherit';
    const address = `${url}/index.php?rest_route=/cms/v2/${name}&${query}&status=${statuses}`;
    const response = await fetch(address, { headers });
    expect(response.status).toBe(200);
    return response.text();
  });
  return (await Promise.all(lists)).join('\n');
}

function alters(method: string, route: string): boolean {
  return ALTERING.some(({ methods, pattern }) => methods.includes(method) && pattern.test(route));
}

/** The requests inside of a batch; empty for other requests. */
function partsOf({ route, body }: Recorded): { method?: string; path?: unknown }[] {
  if (route !== '/batch/v1') return [];
  const { requests }: { requests?: unknown } = JSON.parse(body);
  return Array.isArray(requests) ? requests : [];
}

function inShort({ method, route, body, status }: Recorded): string {
  return `${method} ${route} ${body.slice(0, 100)} ${status}`;
}

describe.each<RunMode>(['read', 'validate', 'write'])('every check in mode %s', (mode) => {
  it(
    'changes no content of others, and sends no valid call that alters the site',
    async () => {
      const { seen, before, after } = await runAll(mode);

      const altering = seen.filter(({ method, route }) => alters(method, route));
      // Deployment B validates arguments before permissions: 400 means that an argument was invalid.
      expect(altering.filter(({ status }) => status !== 400).map(inShort)).toEqual([]);
      expect(altering.filter(({ headers }) => headers.authorization !== undefined).map(inShort)).toEqual([]);
      expect(altering.length > 50).toBe(mode !== 'read');
      const parts = seen.flatMap(partsOf);
      expect(
        parts.filter(({ method = 'POST', path }) => alters(method, String(path).split('?')[0] ?? '')),
      ).toEqual([]);

      expect(seen.filter(overrides).map(inShort)).toEqual([]);
      const sent = new Set(seen.map(({ method }) => method));
      expect([...sent].every((method) => SAFE.includes(method))).toBe(mode === 'read');
      expect(after === before).toBe(true);
    },
    LIMIT_MS,
  );
});

/** The header of a preflight, which names a method and overrides none. */
const PREFLIGHT = 'access-control-request-method';

/** Whether a request overrides its method, or a part of a batch does. */
function overrides({ query, headers, body }: Recorded): boolean {
  return (
    [...query.keys()].some((name) => /method/i.test(name)) ||
    Object.keys(headers).some((name) => name.toLowerCase() !== PREFLIGHT && /method/i.test(name)) ||
    /_method|method-override/i.test(body)
  );
}

describe('every check in mode full', () => {
  it(
    'sends valid calls that alter the site, unlike other modes',
    async () => {
      const altering = new Set(
        CONTRACT.operations.filter(({ effect }) => effect === 'alters-site').map(({ id }) => id),
      );
      const checks = allChecks(CONTRACT).filter(({ operation = '' }) => altering.has(operation));
      const { seen, before, after } = await runAll('full', checks);
      // Requests whose arguments are not refused are valid, even if the caller may not send them.
      const valid = seen.filter(({ method, route, status }) => alters(method, route) && status !== 400);

      expect(valid.length).toBeGreaterThan(20);
      expect(seen.filter(overrides).map(inShort)).toEqual([]);
      expect(after === before).toBe(true);
    },
    LIMIT_MS,
  );
});
