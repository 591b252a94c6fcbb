import { describe, expect, it } from 'vitest';
import { sampleCheck } from '../../engine/result.fixture.ts';
import { groupByReason, renderReasons } from './news.ts';
import { createPaint } from './paint.ts';

const context = { paint: createPaint(false), width: 80 };

describe('renderReasons', () => {
  it('groups by reason with a count and an example', () => {
    const checks = ['a/1', 'a/2', 'b/1'].map((id) =>
      sampleCheck({ id, verdict: 'skip', message: id.startsWith('a') ? 'mode read' : 'blocked by\u0007 x' }),
    );

    const lines = renderReasons('skip', [...checks, sampleCheck({ verdict: 'inconclusive' })], context);

    expect(lines[0]).toMatch(/^── 3 checks skipped, by reason ─+$/);
    expect(lines.slice(1)).toEqual([
      '      2  mode read',
      '         such as a/1',
      '      1  blocked by\\x07 x',
      '         b/1',
    ]);
  });

  it('never lists more than ten reasons, and counts the others', () => {
    const checks = Array.from({ length: 1000 }, (_, index) =>
      sampleCheck({ verdict: 'inconclusive', message: `reason ${index % 500}` }),
    );

    const lines = renderReasons('inconclusive', checks, context);

    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe('    980  for 490 further reasons, see results.json');
  });

  it('says nothing without such checks', () => {
    expect(renderReasons('skip', [sampleCheck({})], context)).toEqual([]);
  });
});

it('counts checks that share a reason and shows the largest group first', () => {
  const { message: _none, ...silent } = sampleCheck({ id: 'd', verdict: 'skip' });
  const checks = [
    sampleCheck({ id: 'a', verdict: 'skip', message: 'mode read' }),
    sampleCheck({ id: 'b', verdict: 'skip', message: 'blocked' }),
    sampleCheck({ id: 'c', verdict: 'skip', message: 'blocked' }),
    silent,
  ];

  expect(groupByReason(checks)).toEqual([
    { reason: 'blocked', count: 2, example: 'b' },
    { reason: 'mode read', count: 1, example: 'a' },
    { reason: 'no reason given', count: 1, example: 'd' },
  ]);
});
