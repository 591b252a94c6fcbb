import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { STANDARD_FUZZ } from '../engine/fuzz-options.ts';
import { plan } from '../engine/plan.ts';
import { testCheck } from '../engine/session.fixture.ts';
import { sampleCheck } from '../reports/result.fixture.ts';
import { loadContract } from '../specs/contract.ts';
import { showProgress } from './show-progress.ts';

afterEach(() => vi.restoreAllMocks());

it('says that the stage is set, or that failures are asked again, while it is so', () => {
  const planned = plan([testCheck('a', () => []), testCheck('b', () => [])], {
    only: [],
    skip: [],
    mode: 'read',
    hasUser: true,
  });
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const stream = new PassThrough();
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const progress = showProgress({ plan: planned, contract, fuzz: STANDARD_FUZZ }, stream);
  const live = { requests: 1, searches: [] };
  for (const step of [
    () => progress.result(sampleCheck({ id: 'a' }), 1),
    () => progress.live({ ...live, interlude: 'stage' }),
    () => progress.live({ ...live, interlude: 'again' }),
    () => progress.live(live),
  ]) {
    // Lines of a log are ten seconds apart.
    now += 11_000;
    step();
  }
  progress.stop();

  const phases = [...String(stream.read()).matchAll(/^core: (.*?): \d/gm)].map(([, phase]) => phase);
  expect(phases).toEqual(['reading', 'setting the stage', 'asking again what failed', 'reading', 'reading']);
});
