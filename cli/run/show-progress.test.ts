import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { plan } from '../../engine/plan.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { DEFAULTS } from '../../suites/run-config.ts';
import { showProgress } from './show-progress.ts';

/** The progress that is shown before the first result. */
function begin(only: readonly string[]): string {
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const planned = plan(allChecks(contract), { only, skip: [], mode: 'read', hasUser: false });
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  showProgress(
    { ...DEFAULTS, base: new URL('http://127.0.0.1:9'), seed: 1, plan: planned, contract },
    stream,
  ).stop();
  return text;
}

it('shows at once, without a progress bar, that checks are starting', () => {
  expect(begin(['index/name/**'])).toMatch(/^core: \d+ checks to ask\n$/);
  expect(begin(['nothing'])).toBe('');
});
