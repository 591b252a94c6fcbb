import { expect, it } from 'vitest';
import { readText } from '../../tests/project-files.ts';
import { examplesIn } from './examples.ts';

it('tries every example of docs/library.md where the package is installed', () => {
  const names = examplesIn(readText('docs/library.md')).map(({ name }) => name);

  expect(names).toEqual(['check.ts', 'site.test.ts', 'banner.ts', 'own-checks.ts', 'compare.ts']);
});
