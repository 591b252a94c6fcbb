import { describe, expect, it } from 'vitest';
import { projectFiles, readText } from './project-files.ts';

describe('reports/print.ts', () => {
  it('is the only way to the standard streams', () => {
    const others = projectFiles()
      .filter((path) => /^(cli|reports)\/.*\.ts$/.test(path) && !/\.(?:test|fixture)\.ts$/.test(path))
      .filter((path) => /\bstd(out|err)\.write\(|\bstream\.write\(|console\./.test(readText(path)));

    expect(others).toEqual(['reports/print.ts']);
  });
});
