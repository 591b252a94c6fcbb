import { describe, expect, it } from 'vitest';
import { projectFiles, readText } from './project-files.ts';

const MOST_LINES = 300;
const LARGEST_MEDIAN = 100;

const SIZES = projectFiles()
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, lines: readText(file).trimEnd().split('\n').length }));

describe('source files', () => {
  it('are found', () => {
    expect(SIZES.length).toBeGreaterThan(100);
  });

  it('stay under 300 lines each', () => {
    expect(SIZES.filter(({ lines }) => lines >= MOST_LINES)).toEqual([]);
  });

  it('are mostly under 100', () => {
    const sorted = SIZES.map(({ lines }) => lines).toSorted((a, b) => a - b);

    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(LARGEST_MEDIAN);
  });
});
