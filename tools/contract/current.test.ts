import { expect, it } from 'vitest';
import type { Check } from '../../engine/check.ts';
import { askedBy } from './current.ts';

const CHECK: Check = {
  area: 'posts',
  id: 'list/size/maximum',
  title: 'declares maximum 100 for size',
  section: '4',
  basis: 'stated',
  effect: 'reads',
  about: 'declaration',
  operation: 'list',
  run: () => [],
};
const { about: _, ...CONDUCT } = CHECK;

function asked(title: string): Record<string, string> {
  const checks: Check[] = [
    { ...CHECK, title },
    { ...CHECK, id: 'list/page/minimum', title: 'declares minimum 1 for page', dependsOn: [CHECK.id] },
    { ...CONDUCT, id: 'enforced', title: 'refuses one more', dependsOn: [CHECK.id] },
    { ...CONDUCT, id: 'page/enforced', title: 'refuses one less', dependsOn: ['list/page/minimum'] },
    { ...CONDUCT, id: 'fuzz', title: 'refuses anything invalid', fuzz: true },
    { ...CONDUCT, id: 'other/fuzz', title: 'refuses anything invalid', fuzz: true, operation: 'other' },
  ];
  return Object.fromEntries(checks.map((check) => [check.id, askedBy(checks)(check)]));
}

it('makes another question of whatever holds a site to a declaration that changed, and of nothing else', () => {
  const [was, is] = [asked('declares maximum 100 for size'), asked('declares maximum 50 for size')];

  expect(Object.keys(was).filter((id) => was[id] !== is[id])).toEqual([CHECK.id, 'enforced', 'fuzz']);
});
