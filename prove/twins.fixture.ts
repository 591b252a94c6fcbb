import { readBase } from '../client/address.ts';
import { Client } from '../client/client.ts';
import { redactorFor } from '../client/redact.ts';
import { fetchIndex } from '../client/site-index.ts';
import type { Comparison } from '../compare/comparison.ts';
import { askTwins } from '../compare/twin/ask.ts';
import type { TwinSite } from '../compare/twin/asked.ts';
import { compareTwins, siteSide } from '../compare/twin/twin.ts';
import { altered } from '../sites/alterations/alteration.ts';
import { mutantsOf, variantsOf } from '../sites/alterations/catalogue.ts';
import { EXHIBITS } from '../sites/alterations/observed/exhibits.ts';
import { TWINS } from '../sites/alterations/observed/twins.ts';
import { loadContract as loadSite } from '../sites/reference/load-contract.ts';
import { type Served, type ServeOptions, serve } from '../sites/reference/serve.ts';
import { loadContract } from '../specs/contract.ts';

type Behaviour = NonNullable<ServeOptions['behaviour']>;

/** A difference between two sites of equal content, alone, and what must be said of it. */
interface SeededDifference {
  readonly id: string;
  readonly before: Behaviour;
  readonly after: Behaviour;
  /** Words that the one headline holds: the argument or the member, without a namespace or a route. */
  readonly names: readonly string[];
}

/** What came of asking two reference sites. */
interface TwinResult {
  readonly comparison: Comparison;
  readonly requests: number;
}

/** Areas of mutants that alter what reads answer, and what a headline must name of each. */
const AREAS: readonly (readonly [area: RegExp, names: (parts: RegExpExecArray) => readonly string[]])[] = [
  [
    /^[\w-]+\.list\/(?!tax_relation)(\w+)\/filters~(?:ignored|inverted|by-day|off-by-one|one-more|only-alone|first-only)$/,
    ([, name = '']) => [name],
  ],
  // Of a member that stands nowhere else the object around it is new.
  [/^[\w-]+\.(?:list|read)\/contexts\/(\w+)[\w.]*~/, ([, name = '']) => [name]],
  [
    /^[\w-]+\.list\/(?:author|author_exclude|exclude|include|order|orderby|page)\/default\/applied~another$/,
    () => ['without arguments'],
  ],
  [/^[\w-]+\.(?:list|read)\/answers~(?:refused|absent)$/, () => ['refused with']],
];

/** The exhibits that concern a site that has posts alone are all but those of pages. */
const OF_PAGES =
  /pages|^(?:accepted-status|order-other|page-instead|page-repeats|record-as-list|byte-order-mark|notice-before|comment-after|public-denied)$/;
const OF_RECORDS_BESIDE = /^(?:order-fraction|order-text|parent-null|parent-false|media-null|file-dropped)$/;
/** Two sites have other versions of what they answer, so that neither is asked for what changed since. */
const OF_VERSIONS = 'answer-whole';

/**
 * Every difference that two reference sites are held to, derived from the mutants of what reads answer and from what comparisons of
 * answers must notice.
 * @param deployment name or path
 */
export function seededDifferences(deployment: string): SeededDifference[] {
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
      !(kind.startsWith('right-') || kind === OF_VERSIONS || OF_PAGES.test(id) || OF_RECORDS_BESIDE.test(id)),
  ).map((exhibit): SeededDifference => {
    const { id, before = {}, shows } = exhibit;
    return {
      id,
      before,
      after: altered([exhibit]),
      names: shows.kind === 'answer-unreadable' ? ['cannot be read'] : wordsOf(shows.subject),
    };
  });
  return [...mutants, ...exhibits];
}

/** The names in a subject: what stands between quotes, or a member or header. */
function wordsOf(subject: string): string[] {
  // Two sites are told apart by the argument itself.
  if (subject === 'pages') return ['page'];
  const quoted = [...subject.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  if (quoted.length > 0) return quoted;
  return subject.includes(' ') ? [] : [subject];
}

/** A site that differs in nothing that callers notice, and what is done to it before it is asked. */
interface HarmlessTwin {
  readonly id: string;
  readonly before?: ReferenceSide;
  readonly after: ReferenceSide;
  prepare?(first: Served, second: Served): Promise<void>;
}

/** One of two reference sites. */
type ReferenceSide = Pick<ServeOptions, 'behaviour' | 'now'>;

/** Variants of what writes answer, which no read shows. */
const OF_WRITES: readonly string[] = [
  'no-trash',
  'no-deletion-of-revisions',
  'slug-conflicts',
  'empty-deletions',
  'bare-deletions',
  'ok-for-created',
  'batch-answers',
];
/** Twins of which two sites that are asked at once say more: one record by its value, and noise of the second site alone. */
const SHOWN_BY_VALUE: readonly string[] = ['more-allowed', 'one-null', 'terms-change-by-themselves'];
const LATER = new Date('2031-05-01T10:00:00Z');

/** Sites of which nothing may be said but what is compatible. */
export function harmlessTwins(deployment: string): HarmlessTwin[] {
  const variants = variantsOf(deployment).filter(({ id }) => OF_WRITES.includes(id));
  return [
    ...TWINS.filter(({ id }) => !SHOWN_BY_VALUE.includes(id)).map(({ before = {}, ...one }) => ({
      id: one.id,
      before: { behaviour: before },
      after: { behaviour: altered([one]) },
    })),
    ...variants.map((one) => ({ id: one.id, after: { behaviour: altered([one]) } })),
    { id: 'another clock', after: { now: LATER } },
    { id: 'more content', after: {}, prepare: (_, second) => write(second, 'more', MORE) },
    {
      id: 'other ids of the same slugs',
      after: {},
      async prepare(first, second) {
        await write(second, 'before', 1);
        await Promise.all([write(first, 'shared', MORE), write(second, 'shared', MORE)]);
      },
    },
  ];
}

const MORE = 5;

/** Creates posts. */
async function write(site: Served, word: string, many: number): Promise<void> {
  for (let at = 0; at < many; at += 1) {
    const body = {
      title: `${word} ${at}`,
      slug: `${word}-${at}`,
      status: 'publish',
      date: `2024-03-0${at + 1}T10:00:00`,
    };
    await send(site, 'POST', '/cms/v2/posts', body);
  }
}

/** Sends a write as the administrator. @returns what came, as JSON */
export async function send(
  { url, user, password }: Served,
  method: string,
  route: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const answer = await fetch(`${url}/?rest_route=${route}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return answer.json();
}

/** What two reference sites are asked with. */
interface Reference {
  readonly deployment: string;
  readonly before: ReferenceSide;
  readonly after: ReferenceSide;
  /** Sets that are drawn for each list. */
  readonly examples: number;
  prepare?(first: Served, second: Served): Promise<void>;
  /** Goes on while both are asked, until the signal. */
  during?(first: Served, second: Served, signal: AbortSignal): Promise<void>;
}

/** Asks two reference sites the same. */
export async function compareReferences(reference: Reference): Promise<TwinResult> {
  const { deployment, before, after, examples, prepare, during } = reference;
  const [first, second] = [await serve({ deployment, ...before }), await serve({ deployment, ...after })];
  const ending = new AbortController();
  try {
    await prepare?.(first, second);
    const [was, is] = [await siteOf(first), await siteOf(second)];
    const meanwhile = during?.(first, second, ending.signal);
    const asked = await askTwins(was, is, {
      contract: loadContract({ deployment, vocabulary: 'neutral' }),
      seed: 1,
      examples,
      callers: [],
      signal: new AbortController().signal,
    });
    ending.abort();
    await meanwhile;
    const [earlier, later] = [sideOf(was), sideOf(is)];
    return { comparison: compareTwins(earlier, later, asked), requests: asked.requests };
  } finally {
    ending.abort();
    await Promise.all([first.close(), second.close()]);
  }
}

async function siteOf({ url, user, password }: Served): Promise<TwinSite> {
  const options: TwinSite['options'] = {
    base: readBase(url),
    mode: 'read',
    concurrency: 8,
    timeout: 30,
    user,
    password,
  };
  await using client = new Client(options);
  return { options, index: (await fetchIndex(client)).index };
}

function sideOf({ options, index }: TwinSite): ReturnType<typeof siteSide> {
  return siteSide(options.base.href, index.document, redactorFor(options), new Date(0).toISOString());
}

/**
 * Whether a difference is found, and named once and truly: one cause, whose headline holds what it must name. What took its place may
 * be a compatible one beside it.
 */
export function isNamedOnce({ names }: Pick<SeededDifference, 'names'>, { groups }: Comparison): boolean {
  const others = groups.filter((one) => one.class !== 'compatible');
  const [group, ...more] = others.length > 0 ? others : groups;
  return (
    group !== undefined &&
    more.length === 0 &&
    group.headline.length <= 120 &&
    names.every((name) => group.headline.includes(name))
  );
}
