import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closedAfter } from '../../client/server.fixture.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { readEvents } from '../../reports/read-events.ts';
import { serveMutant } from '../../sites/alterations/catalogue.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { readJson } from '../../specs/validators.ts';
import { tryMain, tryMainAs } from '../try-main.fixture.ts';

const MINUTE = 60_000;

async function runOn(mutant?: string): Promise<string> {
  const site = await closedAfter(
    serveMutant({ deployment: 'core', ...(mutant !== undefined && { mutant }) }),
  );
  const out = join(testFolder(), 'out');
  const { code, lines } = await tryMainAs(
    site,
    'run',
    ...['--target', site.url, '--deployment', 'core', '--user', site.user, '--out', out],
    ...['*/contexts/**', 'records/**'].flatMap((glob) => ['--only', glob]),
  );
  expect(code, lines.join('\n')).toBe(mutant === undefined ? 0 : 1);
  return out;
}

async function diff(before: string, after: string): Promise<Comparison> {
  const { stdout } = await tryMain('diff', before, after, '--json');
  return JSON.parse(stdout);
}

describe('fields of records from run to run', () => {
  it(
    'are unchanged on the same site, and reported with their check where one is lost',
    async () => {
      const [first, second, broken] = [
        await runOn(),
        await runOn(),
        await runOn('posts.list/contexts/title.raw~missing-in-edit'),
      ];
      const [same, lost] = [await diff(first, second), await diff(first, broken)];

      expect(same.changes).toEqual([]);
      expect(same.looked.fields).toBeGreaterThan(50);
      expect(lost.groups).toEqual([
        expect.objectContaining({
          id: 'fields/posts/title.raw',
          class: 'breaking',
          owner: 'cms/v2',
          sentence: 'posts: records no longer show the field title.raw in edit.',
          hanging: expect.arrayContaining(['checks/posts.list/contexts/title.raw']),
        }),
      ]);
    },
    4 * MINUTE,
  );

  it(
    'survive a crash in the events, and are in the results as the events have them',
    async () => {
      const out = await runOn();
      const { observed } = readEvents(join(out, 'events.ndjson'));

      expect(observed?.fields.map(({ resource, context }) => `${resource} ${context}`)).toEqual(
        ['media', 'pages', 'posts'].flatMap((resource) =>
          ['edit', 'embed', 'view'].map((context) => `${resource} ${context}`),
        ),
      );
      expect(readJson(join(out, 'results.json'))).toMatchObject({ observed });
      expect(readFileSync(join(out, 'events.ndjson'), 'utf8')).not.toContain('open sesame');
    },
    2 * MINUTE,
  );
});
