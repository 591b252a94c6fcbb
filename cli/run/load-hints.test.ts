import { describe, expect, it } from 'vitest';
import { loadContract } from '../../specs/contract.ts';
import { UsageError } from '../../specs/validators.ts';
import { testFile, tryMain } from '../try-main.fixture.ts';
import { loadHints } from './load-hints.ts';

const CONTRACTS = ['a', 'b'].map((deployment) => loadContract({ deployment, vocabulary: 'neutral' }));
const ACTIVE = 'seo.integrations.set-active';

function hintsFile(operations: unknown): string {
  return testFile('hints.json', { operations });
}

describe('loadHints', () => {
  it('gives each contract the values about its own operations, of path parameters too', () => {
    const path = hintsFile({
      [ACTIVE]: { integration: { values: ['one', 'two'] } },
      'seo.{keywordtool,ranktracker}.authenticate': { code: { env: 'CODE' } },
      'builder.settings.*': { key: 'title' },
      'seo.complete-task': { options: { value: { task: 'first' } } },
    });

    expect(loadHints(path, CONTRACTS, { CODE: 'secret' })).toEqual([
      { hinted: {}, secrets: ['secret'] },
      {
        hinted: {
          [ACTIVE]: { integration: ['one', 'two'] },
          'seo.keywordtool.authenticate': { code: ['secret'] },
          'seo.ranktracker.authenticate': { code: ['secret'] },
          'seo.complete-task': { options: [{ task: 'first' }] },
          'builder.settings.read': { key: ['title'] },
          'builder.settings.update': { key: ['title'] },
        },
        secrets: ['secret'],
      },
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    [
      'an operation that no contract has',
      { 'seo.integration.set-active': { integration: 'one' } },
      /has no operation "seo\.integration\.set-active"; did you mean "seo\.integrations\.set-active"\?$/,
    ],
    [
      'a parameter that the operation does not have',
      { [ACTIVE]: { integratoin: 'one' } },
      /"seo\.integrations\.set-active" has no parameter "integratoin"; did you mean "integration"\?$/,
    ],
    ['a variable that is not set', { [ACTIVE]: { integration: { env: 'UNSET' } } }, /variable UNSET is not/],
  ])('refuses %s', (_, operations, message) => {
    const load = (): unknown => loadHints(hintsFile(operations), CONTRACTS, {});

    expect(load).toThrow(UsageError);
    expect(load).toThrow(message);
  });

  it.each<[string, unknown]>([
    ['a list where one value or several could be meant', { [ACTIVE]: { integration: ['one'] } }],
    ['a value that says two things', { [ACTIVE]: { integration: { value: 1, env: 'CODE' } } }],
    ['an operation without a hint', { [ACTIVE]: {} }],
  ])('refuses %s', (_, operations) => {
    expect(() => loadHints(hintsFile(operations), CONTRACTS, {})).toThrow(UsageError);
  });
});

describe('plan --hints-wanted', () => {
  const wanted = async (...args: string[]): Promise<{ operation: string; parameters: string[] }[]> => {
    const { stdout } = await tryMain('plan', '--hints-wanted', '--json', '--deployment', 'b', ...args);
    return JSON.parse(stdout);
  };

  it('lists values that neither schema nor name gives, and how many checks need them', async () => {
    const rows = await wanted();
    const find = (id: string): unknown => rows.find(({ operation }) => operation === id);

    expect(find('seo.ranktracker.authenticate')).toEqual({
      deployment: 'b',
      operation: 'seo.ranktracker.authenticate',
      parameters: ['code', 'websiteId'],
      checks: expect.any(Number),
    });
    expect(find('seo.get-head')).toBeUndefined();
    expect(find('posts.list')).toBeUndefined();
  });

  it('leaves out values of the hints file, and of checks that the mode does not run', async () => {
    const path = hintsFile({ 'seo.ranktracker.authenticate': { code: 'one', websiteId: '1' } });
    const ids = (await wanted('--hints', path)).map(({ operation }) => operation);
    const reads = (await wanted('--mode', 'read')).map(({ operation }) => operation);

    expect(ids).toContain('seo.keywordtool.authenticate');
    expect(ids).not.toContain('seo.ranktracker.authenticate');
    expect(reads).toContain('seo.keywordtool.related-keyphrases');
    expect(reads).not.toContain('seo.keywordtool.authenticate');
  });
});
