import { describe, expect, it } from 'vitest';
import { isSpecialName } from './unusual-values.ts';
import { equalForms, rawForm, rawValues, wireForm } from './wire-forms.ts';

const ARGS = { include: [1, 2], order: 'asc', filter: { terms: [3], flag: true } };

describe('wireForm', () => {
  it('writes the same arguments as a query, a form and JSON', () => {
    const pairs = [
      ['include[]', '1'],
      ['include[]', '2'],
      ['order', 'asc'],
      ['filter[terms][]', '3'],
      ['filter[flag]', 'true'],
    ];

    expect(wireForm(ARGS, 'query')).toEqual({ encoding: 'query', pairs });
    expect(wireForm(ARGS, 'form')).toEqual({ encoding: 'form', pairs });
    expect(wireForm(ARGS, 'json')).toEqual({ encoding: 'json', json: ARGS });
  });
});

describe('equalForms', () => {
  it('writes the arguments in every other form once', () => {
    const forms = equalForms({ page: 1, include: [1, 2] });

    expect(forms.map(({ encoding }) => encoding)).toEqual([
      'json',
      ...Array(3).fill('query'),
      ...Array(3).fill('form'),
    ]);
    expect(forms.flatMap((one) => (one.encoding === 'form' ? [one.pairs.join('&')] : []))).toEqual([
      'page,1&include[],1&include[],2',
      'include[],1&include[],2&page,1',
      'page,1&include,1,2',
    ]);
    expect(equalForms({ page: 1 }).map(({ encoding }) => encoding)).toEqual(['query', 'form']);
  });

  it.each([null, [], {}, '\ud800'])('has no query and no form for %j, which they cannot express', (value) => {
    const forms = equalForms({ title: value });

    expect(forms.filter(({ encoding }) => encoding !== 'json')).toEqual([]);
  });
});

describe('raw values', () => {
  it('are sent unchanged', () => {
    expect(rawForm([['a b', '&']], 'page', '%zz')).toBe('a%20b=%26&page=%zz');
  });

  it('never use names that have a meaning for the software', () => {
    const names = rawValues('page').flatMap((value) => value.split('&').slice(1));

    expect(names.filter((pair) => isSpecialName(pair.split('=')[0] ?? ''))).toEqual([]);
  });
});
