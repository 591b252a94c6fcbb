import { expect, it } from 'vitest';
import { includesLevel } from '../specs/releases.ts';
import { levelOf } from './plan.ts';

it('requires for level index the declarations of the index, and no check of another route', () => {
  expect([
    levelOf({ about: 'declaration', effect: 'reads' }),
    levelOf({ about: 'answer', effect: 'reads' }),
    levelOf({ effect: 'reads' }),
  ]).toEqual(['index', 'read', 'read']);
});

it('requires each other check at the level of its effect', () => {
  expect(
    (['reads', 'validates', 'writes', 'alters-site'] as const).map((effect) => levelOf({ effect })),
  ).toEqual(['read', 'write', 'write', 'full']);
});

it('never assigns a declaration that needs more than reads to level index', () => {
  expect(levelOf({ about: 'declaration', effect: 'alters-site' })).toBe('full');
});

it('includes every lower level in a higher one', () => {
  expect([includesLevel('write', 'index'), includesLevel('write', 'write')]).toEqual([true, true]);
  expect(includesLevel('read', 'write')).toBe(false);
});
