import { routeUrl } from '../../client/address.ts';
import { curlLine } from '../../client/curl-line.ts';
import { defined } from '../../client/json.ts';
import { isSafe } from '../../client/mode.ts';
import type { AnswerNotes, ObservedAnswers, RefusalNotes } from '../../client/observed/document.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { textsOf } from '../../specs/texts.ts';
import { type Calls, type Change, type Compared, change, type Exchange } from '../change.ts';
import type { Effect } from '../law.ts';
import { SITE } from '../surface.ts';
import { compareArguments, compareChosen, compareWholes, recordsRefused } from './answers.ts';
import { withCauses } from './causes.ts';
import { type Difference, FEW, isInside, outermost, type Pair, pairsOf, SOMETIMES } from './difference.ts';
import { compareHeaders } from './headers.ts';
import { compareMembers, NEVER } from './members.ts';
import { comparePace, paceOf } from './pace.ts';
import { compareRefusals } from './refusals.ts';
import { compareRights } from './rights.ts';
import { compareSamples, notesOnRecords } from './samples.ts';

interface Noted {
  readonly observed?: Partial<ObservedAnswers> | undefined;
  readonly target: { readonly url: string };
}

/** A machine that is slower by this factor deserves a note. */
const SLOWER = 2;
const STRENGTH: readonly Effect[] = ['unknown', 'none', 'narrows', 'widens', 'incomparable'];

const byStrength = (one: Effect, other: Effect): number => STRENGTH.indexOf(other) - STRENGTH.indexOf(one);

/** Kinds of changes whose subject is the path of a member. */
const OF_MEMBERS: ReadonlySet<string> = new Set([
  'answer-type',
  'answer-value',
  'answer-member-removed',
  'answer-member-added',
  'answer-rendered',
]);

/** Kinds of changes whose subject is the parameter that shows them. */
const OF_PARAMETERS: ReadonlySet<string> = new Set(['answer-filter', 'answer-fewer', 'default']);

type Sites = readonly [before: string, after: string];

type Place = Pick<AnswerNotes | RefusalNotes, 'route' | 'namespace' | 'method' | 'caller'> &
  Pick<AnswerNotes, 'with'>;

interface Shown extends Difference {
  readonly place: Place;
  readonly context?: string | undefined;
  readonly isRefusal?: true;
  /** Whether the user of the run read the same, so that it matters if only others are affected. */
  readonly ofUser?: boolean;
}

/**
 * Compares answers, as far as both runs sent the same requests. A difference in all contexts and for all callers
 * of a route is one change.
 * @param known changes of fields of records, which would be repeated here
 * @param declared changes of the index
 * @param isWritten whether callers may write a member at a route
 */
export function compareAnswers(
  before: Noted,
  after: Noted,
  known: readonly Change[] = [],
  declared: readonly Change[] = [],
  isWritten: (route: string, member: string) => boolean = () => false,
): Compared {
  const [was, is] = [before.observed, after.observed];
  if (was?.answers === undefined || is?.answers === undefined) {
    const when = was?.answers === undefined ? 'before' : 'after';
    const note = `answers are not compared: the run ${when} does not tell them`;
    return { changes: [], compared: 0, notes: was?.answers === is?.answers ? [] : [note] };
  }
  const answers = answerPairs(was.answers, is.answers);
  const refusals = pairsOf(groupsBy(was.refusals), groupsBy(is.refusals), ([key]) => key);
  const pace = paceOf(answers);
  const unstable = unstableOf([...was.answers, ...is.answers]);
  const all = [...answersThatDiffer(answers), ...refusals.flatMap(refusalsThatDiffer)];
  const lists = new Set(answers.flatMap(({ was: { forms, route } }) => (forms.list ? [route] : [])));
  const isCertain = (route: string, member: string): boolean => !lists.has(route) && isWritten(route, member);
  const stable = all.filter((difference) => !isUnstable(difference, unstable));
  const shown = stable.map((difference) => ifWritten(difference, isCertain));
  const changes = changesOf(withoutKnown(shown, known), [before.target.url, after.target.url]);
  const slow = `the later run was slower throughout, ${pace.toFixed(1)} times: single routes are compared with the answers around them`;
  return {
    changes: withCauses(changes, declared, known),
    compared: answers.length + refusals.length,
    notes: [...(pace < SLOWER ? [] : [slow]), ...notesOnRecords(answers)],
  };
}

/** Whether a record lacks or has what only some records of its list had: it may be another record than before. */
function isOfRecord(
  { kind, effect, subject }: Difference,
  { is }: Pair<AnswerNotes>,
  list: Pair<AnswerNotes> | undefined,
): boolean {
  if (list === undefined || effect !== 'unknown') return false;
  const known = list.was.members?.[subject]?.types;
  if (kind === 'answer-type' && known !== undefined)
    return Object.keys(is.members?.[subject]?.types ?? {}).every((type) => Object.hasOwn(known, type));
  if (kind !== 'answer-member-removed') return false;
  return [list.was, list.is].some(({ members = {} }) => members[subject]?.sometimes === true);
}

/** What every record of the list had and still has, no single one lacks or shows with another type by itself. */
function ifOfEvery(difference: Difference, list: Pair<AnswerNotes> | undefined): Difference {
  const { kind, effect, subject, before, after } = difference;
  const [then, now] = [list?.was.members?.[subject], list?.is.members?.[subject]];
  const isOfEvery = [then, now].every(
    (all) => all !== undefined && all.seen >= FEW && all.seen === all.of && all.sometimes === undefined,
  );
  if (effect !== 'unknown' || after === SOMETIMES || !isOfEvery) return difference;
  if (kind === 'answer-member-removed') return { ...difference, effect: 'widens' };
  const isKept = kind === 'answer-type' && Object.keys(now?.types ?? {}).join() === before;
  return isKept ? { ...difference, effect: 'incomparable' } : difference;
}

function answersThatDiffer(answers: readonly Pair<AnswerNotes>[]): Shown[] {
  const { tour } = textsOf('observed');
  const asksFor = ({ is: { with: beside = [] } }: Pair<AnswerNotes>, name: string): boolean =>
    beside.some((asked) => asked === name || asked.startsWith(`${name}=`));
  const isChosen = (pair: Pair<AnswerNotes>): boolean => asksFor(pair, tour.fields);
  const wholes = new Map(answers.map((pair) => [pair, compareWholes(pair, answers)]));
  // Answers without their envelope lack its members.
  const wrapped = new Set(answers.filter((pair) => asksFor(pair, tour.envelope)));
  const isOther = (pair: Pair<AnswerNotes>): boolean =>
    wholes.get(pair)?.some(({ kind }) => kind === 'answer-form') === true;
  const isBare = [...wrapped].some(isOther);
  const lists = new Map(answers.map((pair) => [answerKey(pair.is), pair]));
  const listOf = ({ is }: Pair<AnswerNotes>): Pair<AnswerNotes> | undefined =>
    is.route.endsWith('}') ? lists.get(answerKey(is, listRoute(is))) : undefined;
  const members = new Map(
    answers.map((pair) => {
      if (isChosen(pair) || isOther(pair) || (isBare && wrapped.has(pair))) return [pair, []];
      const list = listOf(pair);
      const found = compareMembers(pair, (difference) => isOfRecord(difference, pair, list));
      return [pair, found.map((difference) => ifOfEvery(difference, list))];
    }),
  );
  // If members differ in a list, they are not reported again for their values there, or for chosen members.
  const ofList = Map.groupBy(members, ([{ is }]) => listRoute(is));
  const besides = ({ is }: Pair<AnswerNotes>): [Pair<AnswerNotes>, Difference[]][] =>
    ofList.get(listRoute(is)) ?? [];
  const explainedIn = (pair: Pair<AnswerNotes>): Set<string> => {
    const all = besides(pair).flatMap(([, found]) => found.filter(explainsValues));
    return new Set(all.map(({ subject }) => outermost(subject)));
  };
  const ofUser = new Set(answers.flatMap(({ is: notes }) => (notes.caller === 'user' ? [notes.route] : [])));
  return answers.flatMap((pair) =>
    [
      ...(wholes.get(pair) ?? []),
      ...recordsRefused(pair, listOf(pair)),
      ...compareHeaders(pair),
      ...compareRights(pair, answers),
      ...compareArguments(pair),
      ...(isChosen(pair) ? compareChosen(pair, tour.fields, explainedIn(pair)) : (members.get(pair) ?? [])),
      ...compareSamples(
        pair,
        explainedIn(pair),
        besides(pair).map(([other]) => other),
        answers.filter(({ is }) => `${listRoute(pair.is)}/`.startsWith(`${listRoute(is)}/`)),
      ),
      ...comparePace(pair),
    ].map((found) => ({
      ...found,
      place: pair.is,
      context: pair.is.context,
      ofUser: ofUser.has(pair.is.route),
    })),
  );
}

function listRoute({ route }: AnswerNotes): string {
  return shapeOf(route).replace(/\/\{\}$/, '');
}

/** A new member changes no other one, and unmodified records show best whether they lost one. */
function explainsValues({ kind, subject, effect }: Difference): boolean {
  if (kind === 'answer-member-removed') return effect !== 'unknown';
  return kind !== 'answer-member-added' || subject !== outermost(subject);
}

/** A single object proves nothing, unless callers may write the member that it lacks or shows with another type. */
function ifWritten(difference: Shown, isWritten: (route: string, member: string) => boolean): Shown {
  const { kind, effect, subject, before = '', after, place } = difference;
  const isKnown = after !== SOMETIMES && !before.startsWith(NEVER) && isWritten(place.route, subject);
  if (effect !== 'unknown' || place.method !== 'GET' || !isKnown) return difference;
  if (kind === 'answer-type') return { ...difference, effect: 'incomparable' };
  return kind === 'answer-member-removed' ? { ...difference, effect: 'widens' } : difference;
}

function refusalsThatDiffer({ was: [, was], is: [, is] }: Pair<[string, RefusalNotes[]]>): Shown[] {
  const [place] = is;
  if (place === undefined) return [];
  return compareRefusals({ was, is }).map((difference) => ({ ...difference, place, isRefusal: true }));
}

/** Notes on the same requests. Names of path parameters count only where both sides know the route by them. */
export function answerPairs(was: readonly AnswerNotes[], is: readonly AnswerNotes[]): Pair<AnswerNotes>[] {
  const [then, now] = [was, is].map((all) => new Set(all.map(({ route }) => route)));
  const isShared = (route: string): boolean => then?.has(route) === true && now?.has(route) === true;
  return pairsOf(was, is, (notes) => answerKey(notes, isShared(notes.route) ? notes.route : undefined));
}

function answerKey(notes: AnswerNotes, route = shapeOf(notes.route)): string {
  const { method, caller, context, with: others } = notes;
  return JSON.stringify([route, method, caller, context, others]);
}

function groupsBy(refusals: readonly RefusalNotes[] = []): [string, RefusalNotes[]][] {
  const keyOf = ({ route, method, caller }: RefusalNotes): string =>
    JSON.stringify([shapeOf(route), method, caller]);
  return [...Map.groupBy(refusals, keyOf)];
}

/** What changed by itself during a run, by method and route. */
function unstableOf(answers: readonly AnswerNotes[]): ReadonlyMap<string, readonly string[]> {
  const byPlace = Map.groupBy(answers, placeKey);
  return new Map([...byPlace].map(([key, all]) => [key, all.flatMap(({ unstable = [] }) => unstable)]));
}

function isUnstable({ place, subject }: Shown, known: ReadonlyMap<string, readonly string[]>): boolean {
  return (known.get(placeKey(place)) ?? []).some(
    (name) => name === '*' || subject === name || subject.startsWith(`${name}: `) || isInside(subject, name),
  );
}

function placeKey({ route, method }: Pick<Place, 'route' | 'method'>): string {
  return `${method} ${shapeOf(route)}`;
}

function withoutKnown(shown: readonly Shown[], known: readonly Change[]): Shown[] {
  const certain = known.filter(({ kind }) => kind !== 'field-doubtful');
  // Another list may have lost a member of the same name for itself.
  const isSaid = ({ route }: Place, name: string, all: readonly Change[]): boolean =>
    all.some(({ subject, calls }) => {
      const list = calls && shapeOf(calls.route);
      return subject === name && list !== undefined && [list, `${list}/{}`].includes(shapeOf(route));
    });
  // Changed preflights follow from changes of their route, and from OPTIONS of other routes, which
  // the site answers in one place.
  const keysOf = ({ route, method }: Place, kind: string, subject: string): string[] => {
    const wheres = [shapeOf(route), ...(method === 'OPTIONS' ? [method] : [])];
    return wheres.map((where) => JSON.stringify([where, kind, subject]));
  };
  const said = new Set(shown.flatMap(({ place, kind, subject }) => keysOf(place, kind, subject)));
  return shown.filter(({ place, kind, subject, within, effect }) => {
    if (within !== undefined && keysOf(place, kind, within).some((key) => said.has(key))) return false;
    const same = effect === 'unknown' ? known : certain;
    return !(kind.startsWith('answer-member-') && isSaid(place, subject, same));
  });
}

/** One change for each thing on each method of a route. */
function changesOf(shown: readonly Shown[], sites: Sites): Change[] {
  const byPlace = Map.groupBy(withOneBefore(shown), ({ place, kind, subject }) =>
    JSON.stringify([shapeOf(place.route), place.method, kind, subject]),
  );
  const found = [...byPlace.values()].flatMap((all) => {
    const [first] = all.toSorted((one, other) => byStrength(one.effect, other.effect));
    if (first === undefined) return [];
    // Headers do not depend on the records, so that few answers of each kind count together.
    const isOften = first.kind.startsWith('header-') && all.length >= FEW;
    return [{ first: isOften ? { ...first, effect: strongest(first) } : first, all }];
  });
  const causes = causesOf(found.map(({ first }) => first));
  return found.map(({ first, all }) => changeOf(first, all, causes, sites));
}

/** If a type was added in one list and replaced another in a second list, no record of either had it before. */
function withOneBefore(shown: readonly Shown[]): Shown[] {
  const typeKey = ({ kind, subject, after }: Difference): string => JSON.stringify([kind, subject, after]);
  const added = shown.filter(({ kind, before }) => kind === 'answer-type' && before?.startsWith(NEVER));
  const never = new Map(added.map((difference) => [typeKey(difference), difference.before]));
  return shown.map((found) => ({ ...found, before: never.get(typeKey(found)) ?? found.before }));
}

function strongest({ effect, together = effect }: Difference): Effect {
  return byStrength(effect, together) > 0 ? together : effect;
}

interface Cause {
  readonly owners: ReadonlySet<string>;
  readonly effect: Effect;
}

function causeKey({ kind, subject, before, after }: Difference): string {
  return JSON.stringify([kind, subject, before, after]);
}

function causesOf(shown: readonly Shown[]): ReadonlyMap<string, Cause> {
  const alike = Map.groupBy(shown, causeKey);
  return new Map(
    [...alike].map(([key, all]): [string, Cause] => {
      const effects = all.map((found, at) => (at + 1 >= FEW ? strongest(found) : found.effect));
      const [effect = 'unknown'] = effects.toSorted(byStrength);
      return [key, { owners: new Set(all.map(({ place }) => place.namespace)), effect }];
    }),
  );
}

function changeOf(
  first: Shown,
  all: readonly Shown[],
  causes: ReadonlyMap<string, Cause>,
  sites: Sites,
): Change {
  const { place, kind, subject, before, after, evidence, isRoot } = first;
  const { namespace, method, route } = place;
  const cause = causes.get(causeKey(first));
  const isOfSite = (cause?.owners.size ?? 0) > 1 || namespace === '';
  const about = { namespace, route: shapeOf(route), method };
  return change({
    id: `answers/${method} ${route}/${kind}/${subject}`,
    kind,
    owner: isOfSite ? SITE : namespace,
    place: route === '*' ? 'unknown routes' : `${method === 'GET' ? '' : `${method} `}${route}`,
    subject,
    effect: cause?.effect,
    isText: true,
    about: isRoot
      ? defined({ ...about, parameter: kind === 'default' ? parameterOf(subject) : undefined })
      : undefined,
    calls: callsThatShow(all, about.route),
    before,
    after,
    evidence: evidence && evidence + toWhom(kind, all),
    exchange: exchangeOf(first, sites),
    with: sorted(all.map(({ place: { caller }, context }) => (context ? `${context}, ${caller}` : caller))),
  });
}

function parameterOf(subject: string): string {
  return subject.replace(/ default$/, '');
}

function sorted<T>(words: readonly T[]): T[] {
  return [...new Set(words)].sort();
}

function callsThatShow(all: readonly Shown[], route: string): Calls {
  const contexts = all.map(({ context }) => context);
  const callers = all.map(({ place: { caller } }) => (caller === 'anonymous' ? 'anonymous' : 'user'));
  const [{ kind = '', subject: member = '' } = {}] = all;
  const [, asked] = kind === 'answer-refused' ? (/^with (\w+)/.exec(member) ?? []) : [];
  const parameter = OF_PARAMETERS.has(kind) ? parameterOf(member) : asked;
  const isOfMember = OF_MEMBERS.has(kind);
  return defined({
    route,
    // Single reads show records as their list does.
    below: isOfMember && !route.endsWith('}') ? (true as const) : undefined,
    methods: [...new Set(all.map(({ place: { method } }) => method))],
    contexts: contexts.every((context) => context !== undefined) ? sorted(contexts) : undefined,
    callers: sorted(callers),
    member: isOfMember ? member : undefined,
    parameter,
  });
}

/** The callers who see it, unless it is the user of the run or everybody. */
function toWhom(kind: string, all: readonly Shown[]): string {
  const callers = sorted(all.map(({ place }) => place.caller));
  const isNamed = kind === 'answer-refused' || (OF_MEMBERS.has(kind) && all.some(({ ofUser }) => ofUser));
  if (isNamed && callers.join() === 'anonymous') return ', to an anonymous caller';
  if (kind.startsWith('right-') || callers.some((caller) => caller === 'user' || caller === 'anonymous'))
    return '';
  return `, to ${callers.map((caller) => `"${caller}"`).join(' and ')} only`;
}

/** A request for each side that shows the difference; none for writes, which would not be safe. */
function exchangeOf({ place, context, asked, isRefusal }: Shown, sites: Sites): Exchange | undefined {
  const { route, method, caller, with: shaping = [] } = place;
  if (!isSafe(method) || (isRefusal && asked === undefined)) return undefined;
  const [path = route, refused] = isRefusal ? (asked ?? '').split('?') : [route];
  const noted = context === undefined ? shaping : [`context=${context}`, ...shaping];
  const pairs = isRefusal ? (refused?.split('&') ?? []) : noted.filter((pair) => !pair.includes(' '));
  const query = pairs.map(asPair);
  // A condition is noted by its header.
  const [, name, value] = /^([\w-]+): ([A-Z-]+)$/.exec(shaping[0] ?? '') ?? [];
  const headers = name === undefined || value === undefined ? {} : { [name]: value };
  const [before, after] = sites.map((site) => {
    if (!URL.canParse(site)) return undefined;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
    const url = routeUrl(new URL(site), filled, query);
    const user = caller === 'anonymous' ? undefined : caller.toUpperCase();
    return curlLine({ method, url, headers, user });
  });
  return before === undefined || after === undefined ? undefined : { before, after };
}

function asPair(noted: string): readonly [string, string] {
  const [name = '', ...value] = noted.split('=');
  if (value.length > 0) return [name, value.join('=')];
  return [name, name === '_embed' ? '1' : name.replace(/^_/, '').toUpperCase()];
}
