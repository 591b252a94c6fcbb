import { shapeOf } from '../../client/route-pattern.ts';
import type { CheckResult, OperationPlace } from '../../engine/result.ts';
import { textsOf } from '../../specs/texts.ts';
import type { Change, IndexPlace } from '../change.ts';
import { SITE } from '../declared/surface.ts';
import { FEW, outermost, SUBJECTS } from '../observed/difference.ts';
import { fieldChangeId, operationPlace, type Places } from './places.ts';

/**
 * Finds the change that explains the change of a check: a changed field of records, a removed namespace, route or
 * method, or a changed declaration. Additions explain only fixed checks, and that an index declares more.
 * @returns a function from a check to the id of that change
 */
export function causeFinder(
  changes: readonly Change[],
  places: Places,
): (check: CheckResult, isFixed: boolean) => string | undefined {
  const known = explaining(changes);
  return (check, isFixed) => {
    const named = namedIn(check, isFixed).find((id) => known.ids.has(id));
    if (named !== undefined) return named;
    const place = operationPlace(check.operation, places);
    const about = aboutOf(place, check);
    const found: Finder = (some) => about.map((one) => some.get(keyOf(one))).find((id) => id !== undefined);
    // A member of the index has no place of its own, but its check expects its name.
    const inIndex = place?.namespace === '' ? known.newInIndex.get(check.expected ?? '') : undefined;
    const gain = isFixed ? (found(known.added) ?? inIndex) : undefined;
    if (gain !== undefined) return gain;
    if (place !== undefined) return causeInOperation(check, place, found, known);
    return isFixed ? undefined : found(known.harmful);
  };
}

type Explaining = ReturnType<typeof explaining>;

/** The changes that may explain those of checks, by what they are about. */
function explaining(changes: readonly Change[]) {
  const grave = changes.filter((change) => change.class !== 'compatible');
  const harmful = grave.filter(({ kind, subject }) => !OF_PAGES.has(kind) || subject === SUBJECTS.onePage);
  const ofMembers = grave.filter(({ kind }) => MEMBER_KINDS.has(kind));
  const ofEditing = grave.filter(
    ({ kind, subject }) => kind === 'right-gained' && subject.startsWith(SUBJECTS.ofEditing),
  );
  const ofLists = [...ofMembers, ...grave.filter(isOfList)];
  const inIndex = changes.filter(({ kind }) => kind === 'member-added');
  return {
    ids: new Set(changes.map(({ id }) => id)),
    withPages: byPlace(grave),
    harmful: byPlace(harmful),
    ofArguments: byPlace(harmful.filter(({ kind, subject }) => !OF_HEADERS.test(kind) || subject === TYPE)),
    added: byPlace(changes.filter((change) => change.class === 'compatible' && change.effect === 'widens')),
    widened: byPlace(changes.filter(({ kind, effect }) => kind === 'constraint' && effect === 'widens')),
    newInIndex: new Map(inIndex.map(({ subject, id }) => [subject, id])),
    members: new Map(ofMembers.map(({ id, owner, subject }) => [memberKey(owner, subject), id])),
    ofMembers,
    ofLists,
    ofRecords: [...ofLists, ...ofEditing],
    ofOrder: grave.filter(({ kind }) => kind === 'answer-order'),
  };
}

function causeInOperation(
  check: CheckResult,
  place: OperationPlace,
  found: Finder,
  known: Explaining,
): string | undefined {
  const { parameter, verdict, about, field } = check;
  // The parameters that choose a page of a list, or move its records to others.
  const { page, size, shifting } = textsOf('observed').totals;
  const isOfPages = parameter === undefined || [page, size, ...shifting].includes(parameter);
  const ofField =
    field && [place.namespace, SITE].map((owner) => known.members.get(memberKey(owner, field.field)));
  const cause =
    ofField?.find((id) => id !== undefined) ??
    found(isOfPages ? known.withPages : verdict === 'fail' ? known.ofArguments : known.harmful) ??
    missed(check, place, known.ofLists) ??
    shownIn(check, place, known.ofRecords);
  if (cause !== undefined) return cause;
  const isHere = ({ calls }: Change): boolean => calls?.route === shapeOf(place.route);
  // An omitted argument means another order.
  if (check.kind === 'defaults') return known.ofOrder.find(isHere)?.id;
  // If several members of its records changed, they may be the reason of what no parameter is about.
  const changed = known.ofMembers.filter(isHere);
  const isOfRecords = parameter === undefined || verdict === 'inconclusive';
  if (isOfRecords && changed.length >= FEW) return changed[0]?.id;
  // A parameter that is declared wider explains failing checks of its declaration.
  return about === 'declaration' && parameter !== undefined ? found(known.widened) : undefined;
}

/** Finds the change of what a check is about among changes by their place. */
type Finder = (known: ReadonlyMap<string, string>) => string | undefined;

/** Whether a change is of records of a list, or of requests for it, but not of its members as they are. */
function isOfList({ kind, subject }: Change): boolean {
  return kind === 'field-removed' || kind === 'answer-rendered' || subject === SUBJECTS.someRequests;
}

/** The ids of changes that are of nothing else: of the member or the whole field, and of the part of the index. */
function namedIn({ id, field }: CheckResult, isFixed: boolean): string[] {
  const ofField = field === undefined ? [] : [field, { ...field, member: '' }].map(fieldChangeId);
  return isFixed ? ofField : [...ofField, `index/root/${id.split('/')[1]}`];
}

/**
 * The changed member that a check did not find in the records of its list, according to its reason, or filters by; or
 * the list that refuses some requests, which leaves checks of it and of what is below it open.
 */
function missed(
  { observed = '', message = '', parameter = '', verdict }: CheckResult,
  { route, methods }: OperationPlace,
  ofLists: readonly Change[],
): string | undefined {
  const shape = shapeOf(route);
  const words = new Set(verdict === 'inconclusive' ? `${message} ${observed}`.split(/[^\w-]+/) : []);
  // `parent_exclude` needs `parent`.
  const isNamed = (name: string): boolean => words.has(name) || `${parameter}_`.startsWith(`${name}_`);
  const isMissed = ({ kind, calls, subject }: Change): boolean => {
    if (subject === SUBJECTS.someRequests)
      return verdict === 'inconclusive' && `${shape}/`.startsWith(`${calls?.route}/`);
    const isShown = kind !== 'answer-rendered' || methods.includes('GET');
    return isShown && calls?.route === shape && isNamed(outermost(subject));
  };
  return ofLists.find(isMissed)?.id;
}

/** The changed member that a check of records names, such as one that is shown in a list but not by its record alone. */
function shownIn(
  { verdict, parameter, field, expected = '', observed = '', message = '' }: CheckResult,
  { route }: OperationPlace,
  ofMembers: readonly Change[],
): string | undefined {
  if (verdict !== 'fail' || parameter !== undefined || field !== undefined) return undefined;
  const words = new Set(`${message} ${expected} ${observed}`.split(/[^\w-]+/));
  const shape = shapeOf(route);
  return ofMembers.find(({ kind, subject, after = '', calls }) => {
    const member = kind === 'right-gained' ? after : subject;
    return [shape, `${shape}/{}`].includes(calls?.route ?? '') && words.has(outermost(member));
  })?.id;
}

/** Kinds of changes of pages and their totals, which explain no filter unless one page is wrong by itself. */
const OF_PAGES: ReadonlySet<string> = new Set(['answer-totals', 'answer-repeated']);

/** No argument is ignored, or refused, because of a header; but nothing can be read by the type of a page. */
const OF_HEADERS = /^header-/;
const TYPE = 'content-type';

function byPlace(changes: readonly Change[]): ReadonlyMap<string, string> {
  return new Map(
    changes
      .toReversed()
      .flatMap(({ id, about }) => (about === undefined ? [] : [[keyOf(about), id] as const])),
  );
}

function aboutOf(
  place: OperationPlace | undefined,
  { parameter, namespace: served, expected: listed, verdict }: CheckResult,
): IndexPlace[] {
  if (place === undefined)
    return served === undefined
      ? []
      : [{ namespace: served }, { namespace: served, ...(listed && { route: listed }) }];
  const { namespace, methods } = place;
  const route = shapeOf(place.route);
  const calls = methods.flatMap((method): IndexPlace[] => [
    { namespace, route, method },
    ...(parameter === undefined ? [] : [{ namespace, route, method, parameter }]),
  ]);
  // What holds for the records of a list is also tried by reading them.
  const record = parameter === undefined ? [{ namespace, route: `${route}/{}`, method: 'GET' }] : [];
  // If no record was found, the list of the records may be the reason.
  const lists = verdict === 'inconclusive' ? above(place) : [];
  return [{ namespace }, { namespace, route }, ...calls, ...record, ...lists];
}

function above({ namespace, route }: OperationPlace): IndexPlace[] {
  const parts = shapeOf(route).split('/');
  return parts.map((_, end) => ({ namespace, route: parts.slice(0, -end - 1).join('/'), method: 'GET' }));
}

const MEMBER_KINDS: ReadonlySet<string> = new Set(['answer-type', 'answer-value', 'answer-member-removed']);

function memberKey(owner: string, path: string): string {
  return JSON.stringify([owner, outermost(path)]);
}

function keyOf({ namespace = '', route, method = '', parameter = '' }: IndexPlace): string {
  const shape = route === undefined ? '' : shapeOf(route);
  return JSON.stringify([namespace, shape, method, parameter]);
}
