import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../compare/comparison.ts';
import { altered } from '../sites/alterations/alteration.ts';
import { findMutant } from '../sites/alterations/catalogue.ts';
import { RECORD_EXHIBITS } from '../sites/alterations/observed/record-exhibits.ts';
import { TOUR_EXHIBITS } from '../sites/alterations/observed/tour-exhibits.ts';
import { TWINS } from '../sites/alterations/observed/twins.ts';
import { loadContract } from '../sites/reference/load-contract.ts';
import { type ServeOptions, serve } from '../sites/reference/serve.ts';
import { validatorOf } from '../specs/validators.ts';
import { temporaryFolder, tryMain } from './try-main.fixture.ts';

type Behaviour = NonNullable<ServeOptions['behaviour']>;

/** What twin says of two sites that behave so. */
async function twin(
  before: Behaviour,
  after: Behaviour,
  ...more: string[]
): Promise<Awaited<ReturnType<typeof tryMain>> & { readonly comparison: Comparison }> {
  const [first, second] = [
    await serve({ deployment: 'core', behaviour: before }),
    await serve({ deployment: 'core', behaviour: after }),
  ];
  const out = temporaryFolder();
  process.env.SITE_CONFORMANCE_PASSWORD = first.password;
  try {
    const how = ['--user', first.user, '--deployment', 'core', '--vocabulary', 'neutral', '--out', out];
    const tried = await tryMain('twin', first.url, second.url, ...how, '--concurrency', '8', ...more);
    const comparison: unknown = JSON.parse(readFileSync(join(out, 'comparison.json'), 'utf8'));
    const validate = validatorOf<Comparison>('comparison.schema.json');
    if (!validate(comparison)) throw new Error(JSON.stringify(validate.errors));
    return { ...tried, comparison };
  } finally {
    delete process.env.SITE_CONFORMANCE_PASSWORD;
    await first.close();
    await second.close();
  }
}

/** The causes that are not compatible: class, and the kind and subject of the first change. */
function causesOf({ groups, changes }: Comparison): string[] {
  const known = new Map(changes.map((one) => [one.id, one]));
  return groups
    .filter((group) => group.class !== 'compatible')
    .map((group) => `${group.class} ${known.get(group.id)?.kind} ${known.get(group.id)?.subject}`);
}

const SEEDED: readonly (readonly [mutant: string, cause: string])[] = [
  ['posts.list/search/filters~ignored', 'breaking list-records `search`'],
  ['posts.list/search/filters~only-alone', 'breaking list-records `search` beside other arguments'],
  ['posts.list/after/filters~inverted', 'breaking list-records `after`'],
  ['posts.list/author/filters~ignored', 'breaking list-records `author`'],
  ['posts.list/sticky/filters~inverted', 'breaking list-records `sticky`'],
  ['posts.list/order/filters~ignored', 'unknown list-records `order=asc`'],
  ['posts.list/orderby/filters/author~ignored', 'unknown list-records `orderby=author`'],
  ['posts.list/page/filters~off-by-one', 'unknown list-records `page`'],
  ['posts.list/per_page/filters~one-more', 'unknown list-records `per_page`'],
  ['posts.list/orderby/default/applied~another', 'unknown list-records without arguments'],
  ['pages.list/modified_before/filters~ignored', 'breaking list-records `modified_before`'],
  ['pages.list/parent/filters~ignored', 'breaking list-records `parent`'],
  ['pages.list/order/filters~ignored', 'unknown list-order `order=asc`'],
  ['pages.list/orderby/filters/menu_order~ignored', 'unknown list-order `orderby=menu_order`'],
  ['pages.list/page/filters~skips-one', 'unknown list-records `per_page` with `page`'],
  ['posts.list/page/default~another', 'breaking default page default'],
];

const EXHIBITS = [...TOUR_EXHIBITS, ...RECORD_EXHIBITS].filter(({ id }) =>
  [
    'head-without-total',
    'author-text',
    'media-null',
    'tags-map',
    'date-zone',
    'href-renamed',
    'status-list',
    'order-fraction',
    'link-relative',
  ].includes(id),
);

const HARMLESS = TWINS.filter(({ id }) =>
  [
    'plugin-members',
    'reversed-records',
    'slow',
    'gzip',
    'escaped',
    'age',
    'cache-hit',
    'other-server',
    'etag',
    'other-titles',
    'other-authors',
    'other-words',
  ].includes(id),
);

describe('two sites that are asked at once', () => {
  it.each(SEEDED)('are distinguished once by %s, with no argument too many', async (id, cause) => {
    const { behaviour } = findMutant(loadContract('core'), id);
    expect(causesOf((await twin({}, behaviour)).comparison)).toEqual([cause]);
  });

  it.each(EXHIBITS)('are distinguished once where $title', async ({ shows, before = {}, ...exhibit }) => {
    const { comparison } = await twin(before, altered([exhibit]));
    expect(causesOf(comparison)).toEqual([`${shows.class} ${shows.kind} ${shows.subject}`]);
  });

  it.each(HARMLESS)('are alike to callers where $title', async (harmless) => {
    const { code, comparison } = await twin({}, altered([harmless]));
    expect([code, causesOf(comparison)]).toEqual([0, []]);
  });

  it('are the same where nothing differs but the address', async () => {
    const { code, stdout, comparison } = await twin({}, {});

    expect([code, comparison.origin, comparison.changes, comparison.notes]).toEqual([0, 'twin', [], []]);
    expect(stdout).toContain('Nothing changed');
    expect(comparison.looked.sets).toBeGreaterThan(200);
  });

  it('are one document on standard output with --json', async () => {
    const { stdout, comparison } = await twin({}, {}, '--json');

    expect(JSON.parse(stdout)).toEqual(comparison);
  });

  it('end as a run does where one is down, and say which', async () => {
    const site = await serve({ deployment: 'core' });
    try {
      const { code, lines } = await tryMain(
        'twin',
        site.url,
        'http://127.0.0.1:9',
        '--vocabulary',
        'neutral',
      );

      expect(code).toBe(3);
      expect(lines.join(' ')).toContain('after, http://127.0.0.1:9');
    } finally {
      await site.close();
    }
  });

  it('are only read, whatever the configuration says', async () => {
    const methods = new Set<string>();
    const path = join(temporaryFolder(), 'config.json');
    writeFileSync(path, JSON.stringify({ mode: 'full' }));
    const { code } = await twin(
      {},
      ({ send }) => ({
        send: (message, response, answer) => {
          methods.add(message.method ?? '');
          return send(message, response, answer);
        },
      }),
      '--config',
      path,
    );

    expect([code, [...methods].sort()]).toEqual([0, ['GET', 'HEAD', 'OPTIONS']]);
  });

  it('allow no conclusion where the time is over before all is asked', async () => {
    const { code, comparison } = await twin({}, {}, '--rate', '40', '--budget', '3');

    expect([code, comparison.inconclusive?.length, comparison.changes]).toEqual([3, 1, []]);
  });
});
