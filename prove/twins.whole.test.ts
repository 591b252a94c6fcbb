import { describe, expect, it } from 'vitest';
import { readBase } from '../client/address.ts';
import { Client } from '../client/client.ts';
import { isObject } from '../client/json.ts';
import { redactorFor } from '../client/redact.ts';
import { fetchIndex } from '../client/site-index.ts';
import type { Comparison } from '../compare/comparison.ts';
import { askTwins } from '../compare/twin/ask.ts';
import { compareTwins, siteSide } from '../compare/twin/twin.ts';
import type { TwinSite } from '../compare/twin/two-sites.ts';
import { mutantsOf } from '../sites/alterations/catalogue.ts';
import { EXHIBITS } from '../sites/alterations/observed/exhibits.ts';
import { TWINS } from '../sites/alterations/observed/twins.ts';
import { ask } from '../sites/ask.fixture.ts';
import { loadContract as loadSite } from '../sites/reference/load-contract.ts';
import { type Served, type ServeOptions, serve } from '../sites/reference/serve.ts';
import { loadContract } from '../specs/contract.ts';
import { smallDeployment } from '../specs/small-deployment.fixture.ts';
import { ofToday } from './todays-share.fixture.ts';

/** Sets to draw for each list. */
const EXAMPLES = 3;
const SHARES = 24;
const deployment = smallDeployment(() => {});

type Behaviour = NonNullable<ServeOptions['behaviour']>;

/** A single difference between two sites of equal content, and what must be reported. */
interface SeededDifference {
  readonly id: string;
  readonly before: Behaviour;
  readonly after: Behaviour;
  /** Words that the only headline must hold: the argument or the member, without namespace or route. */
  readonly names: readonly string[];
}

/** Areas of mutants that alter reads, and what a headline must name for each. */
const AREAS: readonly (readonly [area: RegExp, names: (parts: RegExpExecArray) => readonly string[]])[] = [
  [
    /^[\w-]+\.list\/(?!tax_relation)(\w+)\/filters~(?:ignored|inverted|by-day|off-by-one|one-more|only-alone|first-only)$/,
    ([, name = '']) => [name],
  ],
  // If a member exists only there, the object around it is new.
  [/^[\w-]+\.(?:list|read)\/contexts\/(\w+)[\w.]*~/, ([, name = '']) => [name]],
  [
    /^[\w-]+\.list\/(?:author|author_exclude|exclude|include|order|orderby|page)\/default\/applied~another$/,
    () => ['without arguments'],
  ],
  [/^[\w-]+\.(?:list|read)\/answers~(?:refused|absent)$/, () => ['refused with']],
];

/** Exhibits for a site with posts only; those for pages are left out. */
const OF_PAGES =
  /pages|^(?:accepted-status|order-other|page-instead|page-repeats|record-as-list|byte-order-mark|notice-before|comment-after|login-instead|public-denied|denied-hidden)$/;
const OF_RECORDS_BESIDE = /^(?:order-fraction|order-text|parent-null|parent-false|media-null|file-dropped)$/;
/** Notes of many records, which two sites are not compared by. */
const OF_NOTES = /^(?:terms-renamed|terms-uncounted|two-terms-in-another-encoding|size-of-two-renamed)$/;
/** The links of two sites lead to their own addresses, so that only the form of links is compared. */
const OF_LINKS = /^collection-other$/;
/** Versions of answers differ between sites, so conditional requests are not compared. */
const OF_VERSIONS = 'answer-whole';

/**
 * Every difference that must be found between two reference sites, derived from mutants of reads and from
 * the exhibits of comparisons.
 */
function seededDifferences(): SeededDifference[] {
  const mutants = mutantsOf(loadSite(deployment)).flatMap(({ id, behaviour }): SeededDifference[] => {
    const found = AREAS.flatMap(([area, names]) => {
      const parts = area.exec(id);
      return parts === null ? [] : [names(parts)];
    });
    const [names] = found;
    return names === undefined ? [] : [{ id, before: {}, after: behaviour, names }];
  });
  const exhibits = EXHIBITS.filter(
    ({ id, shows: { kind } }) =>
      !(kind.startsWith('right-') || kind === OF_VERSIONS) &&
      ![OF_PAGES, OF_RECORDS_BESIDE, OF_NOTES, OF_LINKS].some((some) => some.test(id)),
  ).map((exhibit): SeededDifference => {
    const { id, before = {}, shows } = exhibit;
    return {
      id,
      before,
      after: exhibit.behaviour,
      names: shows.kind === 'answer-unreadable' ? ['cannot be read'] : wordsOf(shows.subject),
    };
  });
  return [...mutants, ...exhibits];
}

/** The names in a subject: quoted text, or a member or header. */
function wordsOf(subject: string): string[] {
  // Between two sites, the argument itself differs.
  if (subject === 'pages') return ['page'];
  // Where refusals of several kinds change alike, their member is named, and how many kinds.
  const [, member] = /^([\w.]+) of "/.exec(subject) ?? [];
  if (member !== undefined) return [member];
  const quoted = [...subject.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  if (quoted.length > 0) return quoted;
  return subject.includes(' ') ? [] : [subject];
}

/** One of two reference sites. */
type ReferenceSide = Pick<ServeOptions, 'behaviour' | 'now'>;

/** Twins about which live sites show more: one record by value, and noise of the second site. */
const SHOWN_BY_VALUE: readonly string[] = ['more-allowed', 'one-null', 'terms-change-by-themselves'];
const LATER = new Date('2031-05-01T10:00:00Z');

/** Sites for which only compatible changes may be reported. */
function harmlessTwins(): (Reference & { readonly id: string })[] {
  return [
    ...TWINS.filter(({ id }) => !SHOWN_BY_VALUE.includes(id)).map(({ before = {}, ...one }) => ({
      id: one.id,
      before: { behaviour: before },
      after: { behaviour: one.behaviour },
    })),
    { id: 'another clock', after: { now: LATER } },
    { id: 'more content', prepare: (_, second) => write(second, 'more', MORE) },
    {
      id: 'other ids of the same slugs',
      async prepare(first, second) {
        await write(second, 'before', 1);
        await Promise.all([write(first, 'shared', MORE), write(second, 'shared', MORE)]);
      },
    },
  ];
}

const MORE = 5;
/** A text that holds every id, and means none. */
const NUMBERS = [...Array(300).keys()].join(' ');

/** Creates posts. */
async function write(site: Served, word: string, many: number): Promise<void> {
  for (let at = 0; at < many; at += 1) {
    const about = { title: `${word} ${at}`, slug: `${word}-${at}`, date: `2024-03-0${at + 1}T10:00:00` };
    const body = { ...about, content: NUMBERS, status: 'publish' };
    await ask(site, { method: 'POST', route: '/cms/v2/posts', body });
  }
}

/** Options for comparing two reference sites. */
interface Reference {
  readonly before?: ReferenceSide;
  readonly after?: ReferenceSide;
  prepare?(first: Served, second: Served): Promise<void>;
  /** Runs during the comparison, until the signal. */
  during?(first: Served, second: Served, signal: AbortSignal): Promise<void>;
}

/** Compares two reference sites. */
async function compareReferences({ before, after, prepare, during }: Reference): Promise<Comparison> {
  const [first, second] = [await serve({ deployment, ...before }), await serve({ deployment, ...after })];
  const ending = new AbortController();
  try {
    await prepare?.(first, second);
    const [was, is] = [await siteOf(first), await siteOf(second)];
    const meanwhile = during?.(first, second, ending.signal);
    const asked = await askTwins(was, is, {
      contract: loadContract({ deployment, vocabulary: 'neutral' }),
      seed: 1,
      examples: EXAMPLES,
      callers: [],
      signal: new AbortController().signal,
    });
    ending.abort();
    await meanwhile;
    const [earlier, later] = [sideOf(was), sideOf(is)];
    return compareTwins(earlier, later, asked);
  } finally {
    ending.abort();
    await Promise.all([first.close(), second.close()]);
  }
}

async function siteOf({ url, user, password }: Served): Promise<TwinSite> {
  const login = { base: readBase(url), user, password };
  const options = { ...login, mode: 'read', concurrency: 8, timeout: 30 } as const;
  await using client = new Client(options);
  return { options, index: (await fetchIndex(client)).index };
}

function sideOf({ options, index }: TwinSite): ReturnType<typeof siteSide> {
  return siteSide(options.base.href, index.document, redactorFor(options), new Date(0).toISOString());
}

/**
 * Whether a difference is reported once and correctly: by one cause whose headline holds the names. A compatible
 * cause beside it is allowed.
 */
function isNamedOnce({ names }: Pick<SeededDifference, 'names'>, { groups }: Comparison): boolean {
  const others = groups.filter((one) => one.class !== 'compatible');
  const [group, ...more] = others.length > 0 ? others : groups;
  return (
    group !== undefined &&
    more.length === 0 &&
    group.headline.length <= 120 &&
    names.every((name) => group.headline.includes(name))
  );
}

const differences = seededDifferences();
const harmless = harmlessTwins();

/** A second writer on both sites, who creates, changes and deletes records on the second site a moment later. */
async function writeOn(first: Served, second: Served, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${first.url}/?rest_route=/cms/v2/posts`);
  const posts: unknown = await answer.json();
  const known = Array.isArray(posts) && isObject(posts[1]) ? posts[1].id : '';
  for (let at = 0; !signal.aborted; at += 1) {
    for (const site of [first, second]) {
      const draft = { title: `Draft ${at}`, status: 'publish' };
      const { text } = await ask(site, { method: 'POST', route: '/cms/v2/posts', body: draft });
      const changed = { title: `Changed ${at}`, sticky: at % 2 === 0 };
      await ask(site, { method: 'POST', route: `/cms/v2/posts/${String(known)}`, body: changed });
      const id = String(Object(JSON.parse(text)).id);
      await ask(site, { method: 'DELETE', route: `/cms/v2/posts/${id}`, body: { force: true } });
    }
  }
}

describe('two reference sites', { timeout: 120_000 }, () => {
  it('are held to a hundred differences at least, and to thirty that are harmless', () => {
    expect(differences.length).toBeGreaterThanOrEqual(100);
    expect(harmless.length).toBeGreaterThanOrEqual(30);
  });

  it.each(ofToday(differences, SHARES))('are distinguished once by $id', async (one) => {
    const comparison = await compareReferences({
      before: { behaviour: one.before },
      after: { behaviour: one.after },
    });
    expect([isNamedOnce(one, comparison), comparison.groups.map(({ headline }) => headline)]).toEqual([
      true,
      expect.arrayContaining([expect.any(String)]),
    ]);
  });

  it.each(ofToday(harmless, SHARES))('are alike to callers with $id', async (one) => {
    const comparison = await compareReferences(one);
    const others = comparison.groups.filter((group) => group.class !== 'compatible');
    expect(others.map(({ headline }) => headline)).toEqual([]);
  });

  it('are alike while somebody writes on both', async () => {
    const { groups } = await compareReferences({ during: writeOn });
    expect(groups.map(({ headline }) => headline)).toEqual([]);
  });
});
