import { join } from 'node:path';
import { expect, it } from 'vitest';
import { programIn } from './program.ts';

it('names the command that is there: of the package where it is installed, of npm in a checkout', () => {
  expect(programIn(join('/srv', 'node_modules', 'site-conformance', 'dist', 'reports'))).toBe(
    'npx site-conformance',
  );
  expect(programIn(join('/srv', 'my_node_modules', 'checkout', 'reports'))).toBe('npm start --');
});
