import { expect, it } from 'vitest';
import { includesLevel } from '../specs/releases.ts';
import { levelOf } from './plan.ts';

it('requires for level index the declarations of the index, and no check of another route', () => {
  expect([levelOf({ about: 'declaration' }), levelOf({ about: 'answer' }), levelOf({})]).toEqual([
    'index',
    'read',
    'read',
  ]);
});

it('requires each other check at the level of its mode', () => {
  expect((['read', 'validate', 'write', 'full'] as const).map((mode) => levelOf({ mode }))).toEqual([
    'read',
    'write',
    'write',
    'full',
  ]);
});

it('never assigns a declaration that needs more than reads to level index', () => {
  expect(levelOf({ about: 'declaration', mode: 'full' })).toBe('full');
});

it('includes every lower level in a higher one', () => {
  expect([includesLevel('write', 'index'), includesLevel('write', 'write')]).toEqual([true, true]);
  expect(includesLevel('read', 'write')).toBe(false);
});
