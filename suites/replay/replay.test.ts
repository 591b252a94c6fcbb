import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyOf } from '../../scripts/exchanges/exchange.ts';
import { readRecording } from '../../scripts/exchanges/read-recording.ts';
import { serveExchanges } from '../../scripts/exchanges/serve-exchanges.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';
import { runInProcess } from '../run-in-process.ts';
import { noteUnknown } from './note-unknown.ts';

const FILE = join(import.meta.dirname, 'wordpress-7.1.1.ndjson');
const RECORDING = readRecording(FILE);

describe('the recording of a real WordPress 7.1.1', () => {
  it('leads to the verdicts that the site itself led to', async () => {
    const replay = await serveExchanges(RECORDING.exchanges);
    onTestFinished(() => replay.close());
    const contract = loadContract({ deployment: 'core', vocabulary: 'wordpress' });
    const { checks, untold } = noteUnknown(allChecks(contract), (method, address, isUser) =>
      replay.knows(keyOf(method, address, isUser ? 'any' : undefined, replay.url)),
    );
    const { results } = await runInProcess({
      url: replay.url,
      contract,
      checks,
      mode: 'read',
      user: { user: 'somebody', password: 'anything' },
      seed: RECORDING.seed,
    });
    // A check that asks for more than was recorded can tell nothing here until somebody records again.
    const blocked = (id: string): string => results.get(id)?.message?.replace(/^blocked by /, '') ?? '';
    const expected = Object.entries(RECORDING.verdicts).filter(
      ([id]) => results.has(id) && !untold.has(id) && !untold.has(blocked(id)),
    );
    const told = expected.map(([id]) => [id, results.get(id)?.verdict]);

    expect(told).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0.97 * Object.keys(RECORDING.verdicts).length);
  }, 60_000);

  it('shows another interface in other words than its own', async () => {
    const replay = await serveExchanges(RECORDING.exchanges);
    onTestFinished(() => replay.close());
    const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
    const only = ['namespaces/**', 'routes/**'];
    const run = { url: replay.url, contract, checks: allChecks(contract), mode: 'read', only } as const;
    const { results } = await runInProcess(run);

    expect(results.get('namespaces/oembed/1.0/served')?.verdict).toBe('pass');
    expect(results.get('namespaces/cms/v2/served')?.verdict).toBe('fail');
  });

  it('holds no trace of the machine and the site that it was made with', () => {
    const text = readFileSync(FILE, 'utf8');
    const traces = /(?:\d{1,3}\.){3}\d{1,3}|localhost|"\/(?:tmp|var|home|usr)\/|[\w.-]+@[\w-]+\.|Basic /;

    expect(traces.exec(text)?.[0]).toBeUndefined();
    expect(text.length).toBeLessThan(1_500_000);
  });
});
