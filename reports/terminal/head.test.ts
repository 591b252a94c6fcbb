import { expect, it } from 'vitest';
import { sampleResult } from '../../engine/result.fixture.ts';
import { createPaint } from './paint.ts';
import { renderHead } from './terminal.ts';

const context = { paint: createPaint(false), width: 80 };

it('names what was checked, in which mode, and what it cost', () => {
  expect(renderHead(sampleResult([]), context)).toEqual([
    'site-conformance 0.1.0, contract sha256:c0c0c0c0c0c0',
    '  target      https://staging.example.test/',
    '  deployment  a, vocabulary wordpress',
    '  mode        write (could create, change and delete records of its own)',
    '  run         4f1c2a90, started 2025-03-04T05:06:07.000Z, seed 42',
    '  cost        1530 requests, 3 of them repeated, 1 min 23 s',
  ]);
});

it('does not claim a cost that an interrupted run never recorded', () => {
  const result = sampleResult([]);
  const run = { ...result.run, seconds: 0, requests: 0, retries: 0, ended: 'interrupted' };

  expect(renderHead({ ...result, run }, context).at(-1)).toBe('  cost        not recorded');
});
