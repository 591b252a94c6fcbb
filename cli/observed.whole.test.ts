import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Comparison, compareSides } from '../compare/comparison.ts';
import { readSide, type Side } from '../compare/side.ts';
import { type Alteration, altered } from '../sites/alterations/alteration.ts';
import { ANSWER_EXHIBITS } from '../sites/alterations/observed/answer-exhibits.ts';
import type { Exhibit } from '../sites/alterations/observed/exhibit.ts';
import { RECORD_EXHIBITS } from '../sites/alterations/observed/record-exhibits.ts';
import { REPORTED_ANSWERS } from '../sites/alterations/observed/reported-answers.ts';
import { REPORTED_RECORDS } from '../sites/alterations/observed/reported-records.ts';
import { REPORTED_TWINS } from '../sites/alterations/observed/reported-twins.ts';
import { RIGHT_EXHIBITS, RIGHT_TWINS } from '../sites/alterations/observed/right-exhibits.ts';
import { TOUR_EXHIBITS, TOUR_TWINS } from '../sites/alterations/observed/tour-exhibits.ts';
import { TWINS } from '../sites/alterations/observed/twins.ts';
import { type ServeOptions, serve } from '../sites/reference/serve.ts';
import { targetOf, temporaryFolder, tryMain } from './try-main.fixture.ts';

/** Checks that between them read lists, records, refusals and pages, of each resource and in each context. */
const ASKED = [
  '*/answers/**',
  '**/contexts/**',
  'posts.list/per_page/**',
  'posts.list/page/**',
  'pages.list/per_page/**',
  'pages.list/page/**',
  'pages.list/order/**',
];

/** A check that asks for little: the rest is read by the tour. */
const TOUR = ['--only', 'index/**', '--tour', 'full'];

/** The same, asked as three callers. */
const CALLERS = {
  callers: { anonymous: {}, editor: { passwordFrom: 'SITE_CONFORMANCE_EDITOR' } },
};

const EXHIBITS = [...RECORD_EXHIBITS, ...ANSWER_EXHIBITS];
const ON_TOUR = [...TOUR_EXHIBITS, ...REPORTED_RECORDS, ...REPORTED_ANSWERS];
const TWINS_ON_TOUR = [...TOUR_TWINS, ...REPORTED_TWINS];

/** A run in mode read of a site that behaves so, and the folder of its reports. */
async function ran(
  behaviour: NonNullable<ServeOptions['behaviour']>,
  asked: readonly string[],
): Promise<Awaited<ReturnType<typeof tryMain>> & { readonly out: string }> {
  const site = await serve({ deployment: 'core', behaviour });
  const out = temporaryFolder();
  process.env.SITE_CONFORMANCE_PASSWORD = site.password;
  process.env.SITE_CONFORMANCE_EDITOR = 'open sesame editor';
  try {
    const how = ['--mode', 'read', '--seed', '1', '--reporter', 'json', '--out', out];
    return { ...(await tryMain('run', ...targetOf(site), ...how, ...asked)), out };
  } finally {
    delete process.env.SITE_CONFORMANCE_PASSWORD;
    delete process.env.SITE_CONFORMANCE_EDITOR;
    await site.close();
  }
}

/** What such a run noted. */
async function seen(
  behaviour: NonNullable<ServeOptions['behaviour']> = {},
  asked: readonly string[] = ['--only', ...ASKED],
): Promise<Side> {
  return readSide((await ran(behaviour, [...asked, '--quiet'])).out);
}

/** What a full tour noted that asked as three callers. */
function seenByAll(behaviour: NonNullable<ServeOptions['behaviour']> = {}): Promise<Side> {
  const path = join(temporaryFolder(), 'config.json');
  writeFileSync(path, JSON.stringify(CALLERS));
  return seen(behaviour, [...TOUR, '--config', path]);
}

/** The causes that are not compatible, by what their first change is. */
function causesOf({ groups, changes }: Comparison): unknown[] {
  const known = new Map(changes.map((one) => [one.id, one]));
  return groups
    .filter((group) => group.class !== 'compatible')
    .map((group) => {
      const { kind, subject } = known.get(group.id) ?? {};
      return { class: group.class, kind, subject };
    });
}

/** Whether a line fits, and has no expressions of routes. */
function isHeadline(text: string): boolean {
  return text.length <= 120 && !text.includes('(?P<');
}

/** Holds a comparison to one cause, or to none that matters. */
function expectCauses(was: Side, is: Side, causes: readonly unknown[]): void {
  const comparison = compareSides(was, is, '0.0.0');
  expect(causesOf(comparison)).toEqual(causes);
  expect(comparison.groups.filter(({ headline }) => !isHeadline(headline))).toEqual([]);
}

type Look = (behaviour?: NonNullable<ServeOptions['behaviour']>) => Promise<Side>;

describe.each<[string, Look, readonly Exhibit[], readonly (Alteration & Pick<Exhibit, 'before'>)[]]>([
  ['two runs', seen, EXHIBITS, TWINS],
  ['two tours', (behaviour) => seen(behaviour, TOUR), ON_TOUR, TWINS_ON_TOUR],
  ['two tours of several callers', seenByAll, RIGHT_EXHIBITS, RIGHT_TWINS],
])('a comparison of what %s noted', (_whose, look, exhibits, twins) => {
  let usual: Promise<Side> | undefined;
  const earlier = (before: Exhibit['before']): Promise<Side> => {
    if (before !== undefined) return look(before);
    usual ??= look();
    return usual;
  };

  it.each(exhibits)('names once that $title', async ({ shows, before, ...alteration }) => {
    expectCauses(await earlier(before), await look(altered([alteration])), [shows]);
  });

  it.each(twins)('says nothing that breaks where $title', async ({ before, ...twin }) => {
    expectCauses(await earlier(before), await look(altered([twin])), []);
  });
});

describe('a comparison of what two runs noted', () => {
  it('says nothing of what only one of two tours asked', async () => {
    const none = await seen({}, [...TOUR.slice(0, 2), '--tour', 'none']);
    const { counts } = compareSides(await seen({}, TOUR), none, '0.0.0');

    expect(counts).toEqual({ exposed: 0, breaking: 0, unknown: 0, compatible: 0 });
  });

  it('says nothing at all of the same site under another address', async () => {
    const { counts } = compareSides(await seen(), await seen(), '0.0.0');

    expect(counts).toEqual({ exposed: 0, breaking: 0, unknown: 0, compatible: 0 });
  });

  it('looks at enough alterations and twins', () => {
    const ids = [...EXHIBITS, ...ON_TOUR, ...RIGHT_EXHIBITS, ...TWINS, ...TWINS_ON_TOUR, ...RIGHT_TWINS].map(
      ({ id }) => id,
    );

    expect(new Set(ids).size).toBe(ids.length);
    expect(EXHIBITS.length).toBeGreaterThanOrEqual(60);
    expect(TWINS.length).toBeGreaterThanOrEqual(25);
  });
});

describe('a run beside a baseline', () => {
  it('says what changed in answers, and is red for it only where it is told to be', async () => {
    const [exhibit] = TOUR_EXHIBITS;
    if (exhibit === undefined) throw new Error('no exhibit');
    const { out } = await ran(exhibit.before ?? {}, TOUR);
    const beside = (...more: readonly string[]): ReturnType<typeof ran> =>
      ran(altered([exhibit]), [...TOUR, '--baseline', out, ...more]);
    const [green, red] = [await beside(), await beside('--fail-on', 'changes')];

    expect([green.code, red.code]).toEqual([0, 1]);
    expect(green.stdout).toContain('nothing new, 1 change in answers');
    expect(green.stdout).toContain('breaking: ');
  });
});
