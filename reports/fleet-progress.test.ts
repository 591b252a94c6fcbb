import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createFleetProgress } from './progress.ts';

it('the progress of a fleet is one last line in a log, even if many targets end within seconds', () => {
  const stream = new PassThrough({ encoding: 'utf8' });
  const progress = createFleetProgress({ stream, total: 4 });
  for (const [at, name] of ['a', 'b', 'c'].entries()) {
    progress.begins(name);
    progress.ended(name, at);
  }
  progress.begins('d');
  progress.stop();
  progress.stop();

  expect(stream.read()).toMatch(/^3\/4 targets, 1 failing, 1 not evaluated, 1 under way \(d\), .* left\n$/);
});
