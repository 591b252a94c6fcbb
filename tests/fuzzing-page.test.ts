import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROFILES } from '../engine/fuzz-options.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', 'docs', 'fuzzing.md'), 'utf8');

it.each(Object.entries(PROFILES))('the page on fuzzing says how much the profile %s tries', (name, count) => {
  const [, stated] = new RegExp(`\\| \`--profile ${name}\` +\\| (\\d+)`).exec(PAGE) ?? [];

  expect(Number(stated)).toBe(count);
});
