import { expect, it } from 'vitest';
import { sectionName, sectionWithBasis } from './about-check.ts';

it('gives the sign to what is a number, and says a word once', () => {
  expect(sectionName('4.6')).toBe('§4.6');
  expect(sectionWithBasis({ section: '4.6', basis: 'implied' })).toBe('§4.6 (implied)');
  expect(sectionWithBasis({ section: 'published', basis: 'published' })).toBe('published');
});
