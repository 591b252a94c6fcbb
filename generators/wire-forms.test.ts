import { describe, expect, it } from 'vitest';
import { duplicated, equalForms, isSayable, nested, RAW_SEQUENCES, rawForm, wireForm } from './wire-forms.ts';

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

  it('leaves out what is undefined', () => {
    expect(wireForm({ page: undefined }, 'json')).toEqual({ encoding: 'json', json: {} });
    expect(wireForm({ page: undefined }, 'query')).toEqual({ encoding: 'query', pairs: [] });
  });
});

describe('equalForms', () => {
  it('writes the arguments in every other way, each way once', () => {
    const forms = equalForms({ page: 1, include: [1, 2] }, 'query', ['query']);

    expect(forms).toEqual([
      {
        encoding: 'query',
        pairs: [
          ['include[]', '1'],
          ['include[]', '2'],
          ['page', '1'],
        ],
      },
      {
        encoding: 'query',
        pairs: [
          ['page', '1'],
          ['include', '1,2'],
        ],
      },
    ]);
    expect(equalForms({ page: 1 }, 'query', ['query'])).toEqual([]);
  });

  it.each([null, [], {}, '\ud800'])('has no query and no form for %j, which they cannot say', (value) => {
    const forms = equalForms({ title: value }, 'json', ['query', 'form', 'json']);

    expect(forms.filter(({ encoding }) => encoding !== 'json')).toEqual([]);
  });
});

describe('isSayable', () => {
  it.each([['a'], [1], [{ a: ['b'] }], [[1, { a: true }]]])('takes %j', (value) => {
    expect(isSayable(value)).toBe(true);
  });

  it.each([[null], [{ a: null }], [{ a: [] }], [[{}]]])('does not take %j', (value) => {
    expect(isSayable(value)).toBe(false);
  });
});

describe('strange forms', () => {
  const PAIRS = [
    ['page', '1'],
    ['order', 'asc'],
  ] as const;

  it('give a name twice', () => {
    expect(duplicated(PAIRS, 'page', '2')).toEqual([
      ['page', '1'],
      ['page', '2'],
      ['order', 'asc'],
    ]);
  });

  it('put a name in brackets', () => {
    expect(nested(PAIRS, 'order', 2)).toEqual([
      ['page', '1'],
      ['order[a][a]', 'asc'],
    ]);
  });

  it.each(RAW_SEQUENCES)('carry %s as it is', (sequence) => {
    expect(rawForm([['a b', '&']], 'page', sequence)).toBe(`a%20b=%26&page=${sequence}`);
  });
});
