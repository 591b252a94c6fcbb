import { describe, expect, it } from 'vitest';
import { projectFiles, readText } from './project-files.ts';

const MOST_LINES = 400;

const SIZES = projectFiles()
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, lines: readText(file).trimEnd().split('\n').length }));

describe('source files', () => {
  it('are found', () => {
    expect(SIZES.length).toBeGreaterThan(100);
  });

  it('have at most 400 lines each', () => {
    expect(SIZES.filter(({ lines }) => lines > MOST_LINES)).toEqual([]);
  });
});
