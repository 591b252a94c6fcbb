import type { Change } from '../../compare/change.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { countedOf } from '../../compare/groups/acceptance.ts';
import type { Group } from '../../compare/groups/groups.ts';
import { brief, changeInWords, saidAt } from '../../compare/groups/words.ts';
import { type ChangeClass, CLASSES } from '../../compare/law.ts';
import { grouped, joined, listed, type Maybe, plural, present } from '../../engine/text.ts';
import { linkTo } from '../about-check.ts';
import type { Block, Item, Span, Text, View } from './blocks.ts';
import { code, details, EVERY, facts, list, notesSection, quoted, section, text } from './blocks.ts';
import { clientBlocks, clientsHeading } from './clients.ts';

/** For each class: its title, what it means, and how many causes are open, because an upgrade has many compatible ones. */
const ABOUT = {
  exposed: { title: 'Exposed', lead: 'Callers see what they were not to see.', open: 30 },
  breaking: { title: 'Breaking', lead: 'Callers that work today may fail.', open: 30 },
  unknown: { title: 'Unknown', lead: 'Whether callers notice is unknown.', open: 10 },
  compatible: { title: 'Compatible', lead: 'Callers that work today go on working.', open: 3 },
} as const;
const MOST_LISTED = 100;
const MOST_DEPENDENTS = 3;
/** A sentence names the first few places only. */
const MOST_NAMES = 20;
/** Values that look like code: a list, an object, a group of a pattern. */
const STRUCTURE = /^[[{(]/;
const ARTICLE = /^the (route|namespace|scheme) /;

interface Cause extends Group {
  readonly own: readonly Change[];
  readonly dependents: readonly Change[];
}

/** A comparison for people, by root cause. @param document the file with all of it, if there is one */
export function comparisonView(comparison: Comparison, document?: string): View {
  const { counts, groups, notes, before, after } = comparison;
  const heading = headingOf(comparison);
  const obstacle =
    comparison.inconclusive && `nothing can be concluded: ${comparison.inconclusive.join('; ')}`;
  const owners = [...new Set(groups.map(({ owner }) => owner.slice(0, 120)))];
  const causes = causesOf(comparison);
  const changed = [
    CLASSES.map((name) => classSection(name, causes, counts[name])),
    allChanges(comparison.changes),
  ];
  const { clients } = comparison;
  return {
    heading,
    title: `${heading}: ${after.url}`,
    tone: toneOf(comparison),
    lead: [
      obstacle !== undefined && text(obstacle, { tone: 'inconclusive' }),
      facts([
        ['before', sideOf(before)],
        ['after', sideOf(after)],
      ]),
    ],
    summary: [text(countsOf(comparison), { tone: toneOf(comparison) })],
    blocks: [
      notesSection([...notes, ...acceptanceNotes(comparison)]),
      clients === undefined ? changed : clientBlocks(comparison, clients, changed),
    ],
    search: {
      noun: 'changes',
      choices: [
        { name: 'state', label: 'Class', values: CLASSES.map((name) => [name, ABOUT[name].title]) },
        { name: 'area', label: 'Namespace', values: owners.map((owner) => [owner, owner]) },
      ],
    },
    source: document,
    foot:
      document === undefined
        ? `${comparison.origin ?? 'diff'} --out keeps everything that stands here as data.`
        : `${document} contains everything shown here.`,
  };
}

function causesOf({ changes, groups }: Comparison): Cause[] {
  const known = new Map(changes.map((change) => [change.id, change]));
  const changesOf = (ids: readonly string[]): Change[] => ids.flatMap((id) => known.get(id) ?? []);
  return groups.map((group) => {
    return { ...group, own: changesOf(group.changes), dependents: changesOf(group.hanging) };
  });
}

function headingOf(comparison: Comparison): string {
  const { counts, acceptance, inconclusive } = comparison;
  const [breaking, unknown] = [countedOf(comparison, 'breaking'), unknownOf(comparison)];
  const exposed = countedOf(comparison, 'exposed');
  const accepted = acceptance?.counts.breaking ?? 0;
  const also = accepted === 0 ? '' : `, ${accepted} accepted`;
  if (inconclusive !== undefined) return 'Nothing can be concluded';
  if (comparison.clients !== undefined) return clientsHeading(comparison.clients);
  if (exposed > 0 && breaking === 0) return `${plural(exposed, 'right')} exposed${also}`;
  const and = exposed === 0 ? '' : ` and ${plural(exposed, 'right')} exposed`;
  if (breaking > 0) return `${plural(breaking, 'breaking change')}${and}${also}`;
  if (accepted > 0) return `No breaking change but ${accepted} accepted`;
  if (unknown > 0) return `Nothing known to break, ${plural(unknown, 'unknown change')}`;
  return counts.compatible + counts.unknown > 0 ? 'No breaking change' : 'Nothing changed';
}

/** How many changes are unknown; none if all of them only depend on compatible causes, under which they stand. */
function unknownOf(comparison: Comparison): number {
  const hasCause = comparison.groups.some((group) => group.class === 'unknown');
  return hasCause ? countedOf(comparison, 'unknown') : 0;
}

function toneOf(comparison: Comparison): 'pass' | 'fail' | 'inconclusive' {
  if (comparison.inconclusive !== undefined) return 'inconclusive';
  if (comparison.clients !== undefined) {
    if (comparison.clients.some(({ breaking }) => breaking.length > 0)) return 'fail';
    return comparison.clients.some(({ unknown }) => unknown.length > 0) ? 'inconclusive' : 'pass';
  }
  if (countedOf(comparison, 'exposed') + countedOf(comparison, 'breaking') > 0) return 'fail';
  return unknownOf(comparison) > 0 ? 'inconclusive' : 'pass';
}

function acceptanceNotes({ acceptance }: Comparison): string[] {
  if (acceptance === undefined) return [];
  const { expired, needless } = acceptance;
  return [
    ...expired.map((id) => `the acceptance of ${id} has expired: it counts again`),
    ...needless.map((id) => `the acceptance of ${id} is about nothing that changed: it can go`),
  ];
}

function sideOf({ url, kind, taken }: Comparison['before']): Text {
  return [code(url), url === '' ? '' : ', ', `${kind} of ${taken}`];
}

function classSection(name: ChangeClass, causes: readonly Cause[], number: number): Maybe<Block> {
  const own = causes.filter((cause) => cause.class === name);
  const reasons = own.filter((cause) => reasonOf(cause) !== undefined);
  const alone = reasons.length < 2 ? own : own.filter((cause) => !reasons.includes(cause));
  const every = name === 'compatible' ? 20 : EVERY;
  const { title, lead, open } = ABOUT[name];
  if (own.length === 0) return undefined;
  return section(
    {
      id: name,
      way: [title, grouped(number)],
      title: `${title}: ${plural(number, 'change')} from ${plural(own.length, 'cause')}`,
      tone: name,
    },
    text(lead, { quiet: true }),
    list(alone.map(itemOf), {
      open: { screen: every, comment: open, page: 60 },
      most: { screen: every, comment: EVERY, page: 3000 },
      noun: `${name} cause`,
      as: 'cards',
    }),
    alone.length < own.length && list([incomparable(reasons)], { as: 'cards' }),
  );
}

/** Why the checks of a cause cannot be compared; undefined for other causes. */
function reasonOf({ id, own }: Cause): string | undefined {
  return own.find((change) => change.id === id)?.reason;
}

/** All checks that cannot be compared: a line for each reason, below the verdict that is no verdict on the site. */
function incomparable(reasons: readonly Cause[]): Item {
  const number = (causes: readonly Cause[]): number => causes.reduce((sum, { own }) => sum + own.length, 0);
  const whyOf = (cause: Cause): readonly [verdict: string, why: string] => {
    const [verdict = '', ...why] = (reasonOf(cause) ?? '').split(': ');
    return [verdict, why.length === 0 ? verdict : why.join(': ')];
  };
  const lineOf = (cause: Cause): Item => {
    const { own, hanging, id, digest } = cause;
    const checks = listed(
      own.map(({ place }) => place),
      MOST_DEPENDENTS,
    );
    const rest = [hanging.length > 0 && `${dependingOn(cause)}${suchAs(cause)}. `, acceptedWords(cause)];
    const more = text([checks, '; id ', code(digest), '. ', ...rest], { quiet: true, from: 'comment' });
    return { text: `${own.length}: ${brief(whyOf(cause)[1])}`, elsewhere: id, blocks: [more] };
  };
  const byVerdict = Map.groupBy(reasons, (cause) => whyOf(cause)[0]);
  return {
    text: `${plural(number(reasons), 'check')} cannot be compared, for ${plural(reasons.length, 'reason')}`,
    notes: [reasons[0]?.advice],
    tone: 'unknown',
    blocks: [...byVerdict].map(([verdict, all]) => {
      const lines = all.toSorted((one, other) => other.changes.length - one.changes.length).map(lineOf);
      return list([{ text: `${verdict}: ${plural(number(all), 'check')}`, blocks: [list(lines)] }]);
    }),
  };
}

function itemOf(group: Cause): Item {
  const { own } = group;
  const [first] = own;
  const isGrave = group.class !== 'compatible';
  return {
    text: headlineSpans(group),
    notes: [
      isGrave && spansOf(group),
      isGrave && group.advice,
      group.hanging.length > 0 && `${dependingOn(group)}${suchAs(group)}.`,
      group.everywhere !== undefined && `This is what ${group.everywhere} does everywhere.`,
      acceptedWords(group),
      isGrave && ['id ', code(group.digest)],
    ],
    tone: group.class,
    elsewhere: group.id,
    group: group.owner,
    blocks: [
      facts(
        [
          ['Before', quoted(first?.before)],
          ['After', quoted(first?.after)],
          ['Lost', quoted(first?.lost?.join(', '))],
          ['Gained', quoted(first?.gained?.join(', '))],
          ['Seen', first?.evidence],
          ['Request before', quoted(first?.exchange?.before)],
          ['Request after', quoted(first?.exchange?.after)],
          ['What to do', isGrave ? undefined : group.advice],
        ],
        { from: 'page' },
      ),
      placesOf(`In ${plural(own.length, 'place')}`, own.length > 1 ? own.map(placeOf) : []),
      placesOf(
        dependingOn(group),
        group.hanging.map((id) => [id, id]),
      ),
    ],
  };
}

function placeOf({ id, place, subject }: Change): readonly [id: string, words: string] {
  return [id, `${place} ${subject}`];
}

function placesOf(summary: string, places: readonly (readonly [id: string, words: string])[]): Maybe<Block> {
  const items = places.map(([id, words]) => ({ text: [{ text: words, to: linkTo(id) }] }));
  return details(summary, [list(items, { most: { page: MOST_LISTED } })], { from: 'page' });
}

function allChanges(changes: readonly Change[]): Maybe<Block> {
  const sorted = changes.toSorted((one, other) =>
    one.owner < other.owner ? -1 : Number(one.owner > other.owner),
  );
  const items = sorted.map(({ id, class: tone, owner, place, subject, before, after }): Item => {
    const isOfValues = (before ?? after) !== undefined;
    const notes = [subject, isOfValues && `${before ?? 'nothing'} → ${after ?? 'nothing'}`];
    return { text: place, notes, tone, id, group: owner };
  });
  const way = ['All changes', grouped(changes.length)] as const;
  return section(
    { id: 'changes', way, title: 'All changes', from: 'page' },
    list(items, { most: { page: 3000 }, searched: true }),
  );
}

/** What was compared, in words: `17 namespaces, 204 routes, 2,310 parameters and 3,412 checks`. */
function lookedAt({ looked }: Comparison): string {
  const parts = present([
    looked.routes > 0 && [
      plural(looked.namespaces, 'namespace'),
      plural(looked.routes, 'route'),
      plural(looked.parameters, 'parameter'),
    ],
    looked.fields !== undefined && `${plural(looked.fields, 'field')} of records`,
    looked.answers !== undefined && `${plural(looked.answers, 'kind')} of answers`,
    looked.sets !== undefined && `${plural(looked.sets, 'set')} of arguments`,
    looked.checks > 0 && plural(looked.checks, 'check'),
  ]);
  return parts.length === 0 ? 'nothing that both sides have' : joined(parts, 'and');
}

function countsOf(comparison: Comparison): string {
  const { exposed = 0, breaking, unknown, compatible } = comparison.counts;
  if (exposed + breaking + unknown + compatible === 0) {
    return `${comparison.inconclusive === undefined ? 'nothing changed' : 'no change seen'}: ${lookedAt(comparison)} compared`;
  }
  const causes = plural(comparison.groups.length, 'cause');
  const { breaking: accepted = 0 } = comparison.acceptance?.counts ?? {};
  const also = accepted === 0 ? '' : ` (${accepted} accepted)`;
  const seen = exposed === 0 ? '' : `${exposed} exposed, `;
  return `changes: ${seen}${breaking} breaking${also}, ${unknown} unknown, ${compatible} compatible, from ${causes}; ${lookedAt(comparison)} compared`;
}

/** A headline. Text between grave accents is code. */
export function headlineSpans({ headline }: Pick<Group, 'headline'>): Span[] {
  return headline
    .split('`')
    .flatMap((part, at) => (at % 2 === 0 ? withRoutes(part) : [code(part)]))
    .filter(({ text }) => text !== '');
}

/** Marks routes as code. Splitting by a group leaves its matches at every other place. */
function withRoutes(text: string): Span[] {
  return text
    .split(/((?:\b[A-Z]+ )?\/[^\s:,]+)/)
    .map((part, at): Span => (at % 2 === 0 ? { text: part } : code(part)));
}

function acceptedWords({ accepted, own }: Cause): string | undefined {
  if (accepted !== undefined)
    return `Accepted until ${accepted.until} by ${accepted.owner}: ${accepted.reason}`;
  const few = own.filter((one) => one.accepted !== undefined).length;
  return few === 0 ? undefined : `Accepted in ${few} of ${own.length} places.`;
}

function dependingOn({ hanging }: Group): string {
  return `${plural(hanging.length, 'other change depends', 'other changes depend')} on it`;
}

/** The dependents that callers notice, each once. Checks only show them. */
function suchAs({ dependents }: Cause): string {
  const noticed = dependents.filter((one) => one.class !== 'compatible' && !one.kind.startsWith('check-'));
  const said = noticed.map((one) => [changeInWords(one), saidAt(one)] as const);
  const named = [...new Map(said.toReversed()).values()].toReversed();
  return named.length === 0 ? '' : `, such as ${listed(named, MOST_DEPENDENTS)}`;
}

/** A sentence with its places, such as `GET /wp/v2/posts`, and their values as code. */
function spansOf({ sentence, own }: Cause): Span[] {
  const names = own.slice(0, MOST_NAMES).flatMap(({ place, before = '', after = '' }) => {
    const values = [before, after].map(brief).filter((value) => STRUCTURE.test(value));
    return [place.replace(ARTICLE, ''), ...values];
  });
  const marked = [...new Set(names)].filter((one) => /[/.[{(]/.test(one));
  let rest: Span[] = [{ text: sentence }];
  for (const name of marked.sort((one, other) => other.length - one.length)) {
    rest = rest.flatMap((span): Span[] => {
      if (span.as !== undefined) return [span];
      return span.text.split(name).flatMap((part, at) => present([at > 0 && code(name), { text: part }]));
    });
  }
  return rest.filter(({ text }) => text !== '');
}
