import { describe, expect, it } from 'vitest';
import { sampleCheck } from '../../engine/result.fixture.ts';
import type { Verdict } from '../../engine/result.ts';
import { renderAreas } from './areas.ts';
import { createPaint } from './paint.ts';

const context = { paint: createPaint(false), width: 80 };

function table(rows: [string, Verdict][]): string[] {
  return renderAreas(
    rows.map(([id, verdict]) => sampleCheck({ id, verdict })),
    context,
  );
}

describe('renderAreas', () => {
  it('counts by area, broken areas first, with totals at the end', () => {
    const lines = table([
      ['index/a', 'pass'],
      ['posts.list/b', 'fail'],
      ['posts.read/c', 'skip'],
      ['batch/d', 'warn'],
      ['media.edit/e', 'error'],
    ]);

    expect(lines).toEqual([
      '        fail  error   warn  inconclusive   skip   pass',
      'media      ·      1      ·             ·      ·      ·',
      'posts      1      ·      ·             ·      1      ·',
      'batch      ·      ·      1             ·      ·      ·',
      'index      ·      ·      ·             ·      ·      1',
      'all        1      1      1             ·      1      1',
    ]);
  });

  it('makes one row of many areas in which nothing was tried', () => {
    const skipped = ['a', 'b', 'c', 'd'].map((id): [string, Verdict] => [id, 'skip']);

    const names = table([...skipped, ['index/x', 'inconclusive']]).map((line) => line.slice(0, 18).trim());

    expect(names).toEqual(['', 'index', '4 areas not tried', 'all']);
  });

  it('shows that there was nothing', () => {
    expect(table([]).at(-1)).toBe('all      ·      ·      ·             ·      ·      ·');
  });
});
