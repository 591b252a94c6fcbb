import { asObject, defined } from '../../client/json.ts';
import { redactJson } from '../../client/redact.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { plural, present } from '../../engine/text.ts';
import { textsOf } from '../../specs/texts.ts';
import { type Calls, type Change, type ChangeSpec, change } from '../change.ts';
import { type Comparison, concluded, sizeOf } from '../comparison.ts';
import { compareSurfaces } from '../declared/compare-surfaces.ts';
import { surfaceOf } from '../declared/surface.ts';
import { groupsOf } from '../groups/groups.ts';
import { compareAnswers } from '../observed/compare-answers.ts';
import { FEW } from '../observed/difference.ts';
import type { Side } from '../side.ts';
import { type ArgumentCause, describeCause } from './argument-search.ts';
import type { AskedTwins } from './ask.ts';
import type { OtherValue } from './values.ts';

/** Kinds of changes that `twin` measures in its own way: record by record, and times by turns. */
const COMPARED_OTHERWISE: ReadonlySet<string> = new Set(['answer-rendered', 'answer-order', 'answer-slower']);
const OF_MEMBERS = /^(?:answer-(?:type|value|member-removed|member-added)|field-)/;
const STATUS = / with status=\w+$/;
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
    { target: before, observed: answers.before },
    { target: after, observed: answers.after },
    [],
    declared,
  );
  const kept = observed.changes.filter(({ kind }) => !COMPARED_OTHERWISE.has(kind));
  const ids = new Set([...declared, ...kept].map(({ id }) => id));
  const seen = kept.map(({ cause, ...one }): Change => {
    return cause !== undefined && ids.has(cause) ? { ...one, cause } : one;
  });
  const known = [...declared, ...seen];
  const lists = withoutSaid(asked.causes).flatMap((one) => ofCause(one, known));
  const all = [
    ...known.map((one) =>
      following(following(one, known, isSameRight), lists, (list) => explainsPages(list, one)),
    ),
    ...lists.map((one) => following(following(one, seen, explainsList), lists, isSameOrder(lists))),
    ...asked.values.flatMap((one) => ofValue(one, seen)),
    ...asked.slower.map(ofPace),
  ];
  // Several records of one list may show the same.
  const changes = [...new Map(all.map((one) => [one.id, one])).values()];
  const side = ({ url, taken }: Side): Comparison['before'] => ({ kind: 'site', url, taken });
  return {
    ...concluded(changes),
    origin: 'twin',
    before: side(before),
    after: side(after),
    looked: { ...sizeOf(is), checks: 0, answers: observed.compared, sets: asked.sets },
    ...(asked.ended !== undefined && { inconclusive: [`not all was asked: ${asked.ended}`] }),
    notes: notesOf(asked),
    groups: groupsOf(changes),
  };
}

function withoutSaid(causes: readonly ArgumentCause[]): ArgumentCause[] {
  const plain = (one: ArgumentCause): boolean => Object.keys(one.args).length === 0;
  return causes.filter(
    (one) =>
      one.caller === undefined ||
      !causes.some((other) => other.caller === undefined && other.list === one.list && plain(other)),
  );
}

/** A change with the first other one of its place that explains it as its cause, unless it has one. */
function following(
  one: Change,
  others: readonly Change[],
  explains: (other: Change, one: Change) => boolean,
): Change {
  if (one.cause !== undefined) return one;
  const root = others.find((other) => other.place === one.place && explains(other, one));
  return root === undefined || root === one ? one : { ...one, cause: root.id };
}

/** Links between pages, totals, and repeated records follow from the records of a page, or from their order. */
function explainsPages({ kind, calls }: Change, one: Change): boolean {
  const isOfRecords = kind === 'list-records' || (kind === 'list-order' && one.kind === 'answer-repeated');
  return isOfRecords && parametersOf(one).includes(calls?.parameter ?? '');
}

/** The arguments of a list that explain a change. A list that differs without any, the empty name, also differs with each. */
function parametersOf({ kind, subject, calls }: Change): readonly (string | undefined)[] {
  if (kind === 'answer-filter' || kind === 'answer-fewer') return [subject, ''];
  if (kind === 'answer-refused') return calls?.parameter === undefined ? [] : [calls.parameter, ''];
  const { page, size } = textsOf('observed').totals;
  if (kind === 'answer-totals') return [page, size];
  const isOfLinks = kind === 'header-words' && subject === 'link';
  // A record that is twice on one page makes the records others, not the other way round.
  const isOfPages = kind === 'answer-repeated' && !explainsList({ kind, subject });
  return isOfPages || isOfLinks ? [page, size, ''] : [];
}

/** A list that does not hold records, or holds one twice on a page, differs with any argument. */
const explainsList = ({ kind, subject }: Pick<Change, 'kind' | 'subject'>): boolean =>
  kind === 'answer-form' || (kind === 'answer-repeated' && subject === 'one page');

/** A list that has another order with several arguments has it with any. */
function isSameOrder(lists: readonly Change[]): (other: Change, one: Change) => boolean {
  const orders = lists.filter(({ kind }) => kind === 'list-order');
  const isOften = ({ place }: Change): boolean => orders.filter((one) => one.place === place).length >= FEW;
  return (other, one) => orders.includes(other) && one.kind === other.kind && isOften(one);
}

/** Rights for several statuses change for the same cause. */
function isSameRight({ kind, subject, cause }: Change, one: Change): boolean {
  const isRight = kind === one.kind && kind.startsWith('right-') && cause === undefined;
  const areOfStatus = STATUS.test(subject) && STATUS.test(one.subject);
  return isRight && areOfStatus && subject.replace(STATUS, '') === one.subject.replace(STATUS, '');
}

/** The changes of a cause. They depend on a declaration or a right, if those explain them. */
function ofCause(one: ArgumentCause, known: readonly Change[]): Change[] {
  const { found, args, exchange } = one;
  const { kind, effect, evidence } = found;
  const { template: route } = one.list;
  const subject = describeCause(one);
  const names = Object.keys(args);
  const own = known.filter(({ about, place }) => about?.route === shapeOf(route) || place === route);
  if (kind === 'list-totals' && own.some((other) => other.kind === 'answer-totals')) return [];
  const cause = own.find(
    ({ about, kind: other, calls }) =>
      other.startsWith('right-') ||
      (other === 'answer-refused' && calls?.parameter === undefined) ||
      (other === 'answer-totals' && names.length === 0) ||
      (about?.parameter !== undefined && names.includes(about.parameter)),
  );
  const calls = defined({ parameter: names[0] });
  return [changeOf(route, { kind, subject, effect, calls, evidence, exchange, cause: cause?.id })];
}

/** A change of a route that both sites have. @param area the beginning of its id */
function changeOf(
  route: string,
  about: Omit<ChangeSpec, 'id' | 'owner' | 'place' | 'calls'> & { readonly calls?: Partial<Calls> },
  area: 'lists' | 'answers' = 'lists',
): Change {
  return change({
    owner: route.split('/').slice(1, 3).join('/'),
    place: route,
    id: `${area}/GET ${route}/${about.kind}/${about.subject}`,
    ...about,
    calls: { route: shapeOf(route), methods: ['GET'], ...about.calls },
  });
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
    changeOf(route, {
      kind: 'record-value',
      subject: path,
      calls: { below: true, member: path },
      evidence: `${plural(ids.size, 'unmodified record')}, such as ${few}`,
      exchange,
    }),
  ];
}

function ofPace({ route, evidence, exchange }: AskedTwins['slower'][number]): Change {
  const about = { kind: 'answer-slower', subject: 'the route', calls: {}, evidence, exchange } as const;
  return changeOf(route, about, 'answers');
}

/** Notes for the reader: what only one site has, and what a site did not show twice. */
function notesOf({ pairs, noise, changing, pace }: AskedTwins): string[] {
  const notes = [...pairs].map(([route, { counts, steady, isEqual, before, sameIds }]) => {
    const { both } = counts;
    const most = Math.max(counts.before, counts.after);
    const changed = before.size - steady.size;
    return [
      (both < most || counts.before !== counts.after) &&
        `${route}: ${both} of ${most} records are on both sites: the others are left out`,
      changed > 0 &&
        `${route}: ${changed} of ${both} say another date of change, or have none and differ: their values are not compared`,
      !sameIds && `${route}: the sites have other ids: orders and filters by id are not compared`,
      !isEqual && both >= most && changed <= 0 && `${route}: not all records were read`,
    ];
  });
  return present([
    notes,
    changing.map((route) => `${route}: somebody changed records meanwhile: these are left out`),
    pace >= SLOWER && `the second site is slower throughout, ${pace.toFixed(1)} times`,
    noise > 0 &&
      `${plural(noise, 'thing was', 'things were')} not said the same way twice by one site: not compared`,
  ]);
}
