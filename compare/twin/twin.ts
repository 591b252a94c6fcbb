import { asObject } from '../../client/json.ts';
import { redactJson } from '../../client/redact.ts';
import { parseRoutePattern, skeletonOf } from '../../client/route-pattern.ts';
import { productTool } from '../../engine/version.ts';
import { loadObservedNames } from '../../specs/texts.ts';
import { type Change, change } from '../change.ts';
import { compareSurfaces } from '../compare-surfaces.ts';
import { type Comparison, sizeOf } from '../comparison.ts';
import { groupsOf } from '../groups.ts';
import { CLASSES, countClasses } from '../law.ts';
import { compareAnswers } from '../observed/compare-answers.ts';
import type { Side } from '../side.ts';
import { surfaceOf } from '../surface.ts';
import type { AskedTwins } from './ask.ts';
import { type Cause, describeCause } from './causes.ts';
import type { OtherValue } from './values.ts';

/** Kinds of changes that `twin` measures in its own way: record by record, and times by turns. */
const COMPARED_OTHERWISE: ReadonlySet<string> = new Set(['answer-rendered', 'answer-order', 'answer-slower']);
const OF_MEMBERS = /^(?:answer-(?:type|value|member-removed|member-added)|field-)/;
/** The status in the subject of a right. */
const STATUS = / with status=(?<status>\w+)$/;
const MOST_IDS = 5;

/** A site that is slower by this factor deserves a note. */
const SLOWER = 2;

/** One site as a side of a comparison. @param redact masks its secrets @param taken when it was read, as an ISO date */
export function siteSide(
  url: string,
  index: object,
  redact: (text: string) => string,
  taken: string,
): Side & { readonly index: NonNullable<Side['index']> } {
  return { path: url, url, taken, index: asObject(redactJson(index, redact)) ?? {}, run: undefined };
}

/** Compares two sites by their answers. */
export function compareTwins(
  before: ReturnType<typeof siteSide>,
  after: ReturnType<typeof siteSide>,
  asked: AskedTwins,
): Comparison {
  const [was, is] = [surfaceOf(before.index, before.url), surfaceOf(after.index, after.url)];
  const declared = compareSurfaces(was, is);
  const { answers } = asked;
  const observed = compareAnswers(
    observedOf(before, answers.before),
    observedOf(after, answers.after),
    [],
    declared,
  );
  const seen = observed.changes.filter(({ kind }) => !COMPARED_OTHERWISE.has(kind));
  const known = [...declared, ...seen];
  const lists = withoutSaid(asked.causes).flatMap((one) => ofCause(one, known));
  const all = [
    ...known.map((one) => dependingOnPages(dependingOnStatus(one, known), lists)),
    ...lists.map((one) => dependingOnForm(one, seen)),
    ...asked.values.flatMap((one) => ofValue(one, seen)),
    ...asked.slower.map(ofPace),
  ];
  // Several records of one list may show the same.
  const changes = [...new Map(all.map((one) => [one.id, one])).values()];
  const side = ({ url, taken }: Side): Comparison['before'] => ({ kind: 'site', url, taken });
  return {
    format: 1,
    kind: 'comparison',
    origin: 'twin',
    tool: productTool(),
    before: side(before),
    after: side(after),
    looked: { ...sizeOf(is), checks: 0, answers: observed.compared, sets: asked.sets },
    ...(asked.ended !== undefined && { inconclusive: [`not all was asked: ${asked.ended}`] }),
    notes: notesOf(asked),
    counts: countClasses(changes),
    groups: groupsOf(changes),
    changes: changes.toSorted((one, other) => CLASSES.indexOf(one.class) - CLASSES.indexOf(other.class)),
  };
}

function observedOf(
  { url }: Side,
  { answers, refusals }: AskedTwins['answers']['before'],
): Parameters<typeof compareAnswers>[0] {
  return { target: { url }, observed: { answers, refusals } };
}

/** Leaves out differences for anonymous callers that the user has too. */
function withoutSaid(causes: readonly Cause[]): Cause[] {
  const plain = (one: Cause): boolean => Object.keys(one.args).length === 0;
  return causes.filter(
    (one) =>
      one.caller === undefined ||
      !causes.some((other) => other.caller === undefined && other.list === one.list && plain(other)),
  );
}

/** The argument of a change of a list; undefined if it is about none. */
function argumentOf({ kind, subject, calls }: Change): string | undefined {
  if (kind === 'answer-filter' || kind === 'answer-fewer') return subject;
  return kind === 'answer-refused' ? calls?.parameter : undefined;
}

/** Links between pages, totals, and repeated records follow from the records of a page. */
function dependingOnPages(one: Change, lists: readonly Change[]): Change {
  const { page, size } = loadObservedNames().totals;
  const isOfPages =
    one.kind === 'answer-totals' ||
    one.kind === 'answer-repeated' ||
    (one.kind === 'header-words' && one.subject === 'link');
  const argument = argumentOf(one);
  if ((!isOfPages && argument === undefined) || one.cause !== undefined) return one;
  // A list that differs without arguments also differs with each; the empty name stands for none.
  const parameters = argument === undefined ? [page, size] : [argument, ''];
  const cause = lists.find(
    ({ place, kind, calls }) =>
      place === one.place && kind === 'list-records' && parameters.includes(calls?.parameter ?? ''),
  );
  return cause === undefined ? one : { ...one, cause: cause.id };
}

/** A list that does not hold records, or holds one twice on a page, differs with any argument. */
function dependingOnForm(one: Change, seen: readonly Change[]): Change {
  const cause = seen.find(
    ({ place, kind, subject }) =>
      place === one.place &&
      (kind === 'answer-form' || (kind === 'answer-repeated' && subject === 'one page')),
  );
  return cause === undefined || one.cause !== undefined ? one : { ...one, cause: cause.id };
}

/** Rights for several statuses change for the same cause. */
function dependingOnStatus(one: Change, known: readonly Change[]): Change {
  const { status } = STATUS.exec(one.subject)?.groups ?? {};
  if (status === undefined || one.cause !== undefined || !one.kind.startsWith('right-')) return one;
  const isAlike = ({ kind, place, subject, cause }: Change): boolean =>
    kind === one.kind &&
    place === one.place &&
    cause === undefined &&
    STATUS.test(subject) &&
    subject.replace(STATUS, '') === one.subject.replace(STATUS, '');
  const first = known.find(isAlike);
  return first === undefined || first === one ? one : { ...one, cause: first.id };
}

/** The changes of a cause. They depend on a declaration or a right, if those explain them. */
function ofCause(one: Cause, known: readonly Change[]): Change[] {
  const { list, found, args, exchange } = one;
  const { kind, effect, evidence } = found;
  const { template: route } = list;
  const subject = describeCause(one);
  const names = Object.keys(args);
  const own = known.filter(({ about, place }) => about?.route === routeOf(route) || place === route);
  if (kind === 'list-totals' && own.some((other) => other.kind === 'answer-totals')) return [];
  const cause = own.find(
    ({ about, kind: other, calls }) =>
      other.startsWith('right-') ||
      (other === 'answer-refused' && calls?.parameter === undefined) ||
      (other === 'answer-totals' && names.length === 0) ||
      (about?.parameter !== undefined && names.includes(about.parameter)),
  );
  const [parameter] = names;
  return [
    {
      ...change({
        id: `lists/GET ${route}/${kind}/${subject}`,
        kind,
        owner: namespaceOf(route),
        place: route,
        subject,
        effect,
        calls: {
          route: routeOf(route),
          methods: ['GET'],
          ...(parameter !== undefined && { parameter }),
        },
        evidence,
        exchange,
      }),
      ...(cause !== undefined && { cause: cause.id }),
    },
  ];
}

function ofValue({ list, path, ids, exchange }: OtherValue, seen: readonly Change[]): Change[] {
  const { template: route } = list;
  const isSaid = seen.some(
    ({ kind, subject }) =>
      OF_MEMBERS.test(kind) && [path, path.split('.')[0]].some((name) => name === subject.split(/[.[]/)[0]),
  );
  if (isSaid) return [];
  const few = [...ids].slice(0, MOST_IDS).join(', ');
  return [
    change({
      id: `lists/GET ${route}/record-value/${path}`,
      kind: 'record-value',
      owner: namespaceOf(route),
      place: route,
      subject: path,
      calls: { route: routeOf(route), below: true, methods: ['GET'], member: path },
      evidence: `${ids.size} unmodified ${ids.size === 1 ? 'record' : 'records'}, such as ${few}`,
      exchange,
    }),
  ];
}

function ofPace({ route, evidence, exchange }: AskedTwins['slower'][number]): Change {
  return change({
    id: `answers/GET ${route}/answer-slower/the route`,
    kind: 'answer-slower',
    owner: namespaceOf(route),
    place: route,
    subject: 'the route',
    effect: 'unknown',
    calls: { route: routeOf(route), methods: ['GET'] },
    evidence,
    exchange,
  });
}

function routeOf(route: string): string {
  return skeletonOf(parseRoutePattern(route));
}

/** The first two parts of a route. */
function namespaceOf(route: string): string {
  return route.split('/').slice(1, 3).join('/');
}

/** Notes for the reader: what only one site has, and what a site did not show twice. */
function notesOf({ pairs, noise, changing, pace }: AskedTwins): string[] {
  const notes = [...pairs].flatMap(([route, { counts, steady, isEqual, before, sameIds }]) => {
    const { both } = counts;
    const most = Math.max(counts.before, counts.after);
    const changed = before.size - steady.size;
    return [
      ...(both < most || counts.before !== counts.after
        ? [`${route}: ${both} of ${most} records are on both sites: the others are left out`]
        : []),
      ...(changed > 0
        ? [
            `${route}: ${changed} of ${both} say another date of change, or have none and differ: their values are not compared`,
          ]
        : []),
      ...(sameIds ? [] : [`${route}: the sites have other ids: orders and filters by id are not compared`]),
      ...(isEqual || both < most || changed > 0 ? [] : [`${route}: not all records were read`]),
    ];
  });
  return [
    ...notes,
    ...changing.map((route) => `${route}: somebody changed records meanwhile: these are left out`),
    ...(pace < SLOWER ? [] : [`the second site is slower throughout, ${pace.toFixed(1)} times`]),
    ...(noise === 0
      ? []
      : [
          `${noise} ${noise === 1 ? 'thing was' : 'things were'} not said the same way twice by one site: not compared`,
        ]),
  ];
}
