import { expect, it } from 'vitest';
import type { CallChange } from '../../compare/comparison.ts';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import { sampleComparison } from '../page/documents.fixture.ts';
import { renderTerminal } from '../renderers/terminal.ts';
import { clientBlocks } from './clients.ts';
import { runView } from './run/run.ts';

it('merges calls into one line that differ only in the members that they read', () => {
  const rendered = (id: string, names: string): CallChange => ({
    id,
    cause: id,
    class: 'unknown',
    says: `unmodified records are rendered differently: ${names}`,
    instead: 'Look at one of them.',
  });
  const client = {
    name: 'app',
    calls: 1,
    breaking: [],
    unknown: [
      { call: 'GET /wp/v2/posts', changes: [rendered('a', 'content'), rendered('b', 'content, title')] },
    ],
    refused: [],
  };
  const blocks = clientBlocks(sampleComparison(), [client], []);
  const text = renderTerminal(
    { heading: '', tone: 'plain', lead: [], foot: '', blocks: [blocks] },
    { width: 200 },
  );

  expect(text).toContain('unmodified records are rendered differently: content, title. Look at one of them.');
  expect(text.match(/rendered differently/g)).toHaveLength(1);
});

it('shows which client each failure of a run concerns', () => {
  const fails = (id: string, ...clients: string[]): ReturnType<typeof sampleCheck> =>
    sampleCheck({ id, verdict: 'fail', clients });
  const result = sampleResult([fails('posts.list/a', 'app', 'shop'), fails('posts.list/b', 'shop')]);
  const text = renderTerminal(runView(result), { width: 120 });

  expect(text).toMatch(/check +app +shop\n/);
  expect(text).toMatch(/posts\.list\/a +fails +fails\n/);
  expect(text).toMatch(/posts\.list\/b {2,} +fails\n/);
});
