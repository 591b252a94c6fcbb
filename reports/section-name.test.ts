import { expect, it } from 'vitest';
import { sectionName, sectionWithBasis } from './about-check.ts';

it('puts the section sign before numbers only, and repeats no word', () => {
  expect(sectionName('4.6')).toBe('§4.6');
  expect(sectionWithBasis({ section: '4.6', basis: 'implied' })).toBe('§4.6 (implied)');
  expect(sectionWithBasis({ section: 'published', basis: 'published' })).toBe('published');
});
