import { routeUrl } from '../../client/address.ts';
import { curlLine } from '../../client/curl-line.ts';
import { defined } from '../../client/json.ts';
import { isSafe } from '../../client/mode.ts';
import { PART } from '../../client/observed/batch-parts.ts';
import type { AnswerNotes, RefusalNotes } from '../../client/observed/document.ts';
import { WRITTEN } from '../../client/observed/unsent.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { groupsBy, joined, present } from '../../engine/text.ts';
import { type Calls, type Change, change, type Exchange } from '../change.ts';
import { SITE } from '../declared/surface.ts';
import { type Effect, KINDS, type Kind } from '../law.ts';
import { type Difference, FEW, SUBJECTS } from './difference.ts';
import { NEVER } from './members.ts';

const STRENGTH: readonly Effect[] = ['unknown', 'none', 'narrows', 'widens', 'incomparable'];

const byStrength = (one: Effect, other: Effect): number => STRENGTH.indexOf(other) - STRENGTH.indexOf(one);

/** Kinds of changes that any answer shows. */
const WHOLE: ReadonlySet<string> = new Set(['answer-refused', 'answer-unreadable', 'answer-status']);

/** Kinds of changes whose subject is the parameter that shows them. */
const OF_PARAMETERS: ReadonlySet<string> = new Set(['answer-filter', 'answer-fewer', 'default']);

type Sites = readonly [before: string, after: string];

type Place = Pick<AnswerNotes | RefusalNotes, 'route' | 'namespace' | 'method' | 'caller'> &
  Pick<AnswerNotes, 'with' | 'context'>;

/** A difference with the answers that show it. */
export interface Shown extends Difference {
  readonly place: Place;
  readonly isRefusal?: true;
  /** What others were answered to the same requests. */
  readonly peers?: readonly AnswerNotes[];
}

/** One change for each thing on each method of a route. */
export function changesOf(shown: readonly Shown[], sites: Sites): Change[] {
  const byPlace = groupsBy(withOneBefore(shown), ({ place, kind, subject }) =>
    JSON.stringify([shapeOf(place.route), place.method, kind, subject]),
  );
  const found = byPlace.map((all) => {
    const [first = all[0]] = all.toSorted((one, other) => byStrength(one.effect, other.effect));
    // Headers do not depend on the records, so that few answers of each kind count together.
    const isOften = first.kind.startsWith('header-') && all.length >= FEW;
    return { first: isOften ? { ...first, effect: strongest(first) } : first, all };
  });
  const alike = alikeOf(found.map(({ first }) => first));
  return found.map(({ first, all }) => changeOf(first, all, alike, sites));
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

/** Differences of one kind in the same values, wherever they are, and refusals of one parameter with any value. */
interface Alike {
  readonly owners: ReadonlySet<string>;
  readonly effect: Effect;
}

function alikeKey({ kind, subject, before, after }: Difference): string {
  // A list is asked for values of its own, such as other members with `_fields`.
  const about = kind === 'answer-refused' ? subject.replaceAll(/=\S*/g, '') : subject;
  return JSON.stringify([kind, about, before, after]);
}

function alikeOf(shown: readonly Shown[]): ReadonlyMap<string, Alike> {
  const alike = Map.groupBy(shown, alikeKey);
  return new Map(
    [...alike].map(([key, all]): [string, Alike] => {
      const effects = all.map((found, at) => (at + 1 >= FEW ? strongest(found) : found.effect));
      const [effect = 'unknown'] = effects.toSorted(byStrength);
      return [key, { owners: new Set(all.map(({ place }) => place.namespace)), effect }];
    }),
  );
}

function changeOf(
  first: Shown,
  all: readonly Shown[],
  allAlike: ReadonlyMap<string, Alike>,
  sites: Sites,
): Change {
  const { place, kind, subject, before, after, evidence, isRoot } = first;
  const { namespace, method, route } = place;
  const alike = allAlike.get(alikeKey(first));
  const isOfSite = (alike?.owners.size ?? 0) > 1 || namespace === '';
  const about = { namespace, route: shapeOf(route), method };
  const isOfBatch = all.every(({ place: { with: others } }) => others?.includes(PART));
  return change({
    id: `answers/${method} ${route}/${kind}/${subject}`,
    kind,
    owner: isOfSite ? SITE : namespace,
    place: route === '*' ? 'unknown routes' : `${method === 'GET' ? '' : `${method} `}${route}`,
    subject,
    effect: alike?.effect,
    isText: true,
    about: isRoot
      ? defined({ ...about, parameter: OF_FIELD.test(subject) ? parameterOf(subject) : undefined })
      : undefined,
    calls: callsThatShow(first, all, about.route),
    before,
    after,
    example: kind === 'answer-refused' ? first.asked : undefined,
    evidence: present([evidence, isOfBatch && 'in batches only']).join(', ') || undefined,
    whom: whomOf(kind, all),
    exchange: exchangeOf(first, sites),
    with: sorted(all.map(({ place: { caller, context } }) => (context ? `${context}, ${caller}` : caller))),
  });
}

/** What follows the name of a field in subjects. */
const OF_FIELD = new RegExp(` default$|${WRITTEN}.*$`);

function parameterOf(subject: string): string {
  return subject.replace(OF_FIELD, '');
}

function sorted<T>(words: readonly T[]): T[] {
  return [...new Set(words)].sort();
}

function callsThatShow({ kind, subject }: Shown, all: readonly Shown[], route: string): Calls {
  const contexts = all.map(({ place: { context } }) => context);
  const callers = all.map(({ place: { caller } }) => (caller === 'anonymous' ? 'anonymous' : 'user'));
  const [, asked] = kind === 'answer-refused' ? (/^with (\w+)/.exec(subject) ?? []) : [];
  const parameter = OF_PARAMETERS.has(kind) ? parameterOf(subject) : asked;
  const isOfMember = KINDS[kind].joinedAs === 'member';
  return defined({
    route,
    // Single reads show records as their list does.
    below: isOfMember && !route.endsWith('}') ? (true as const) : undefined,
    methods: [...new Set(all.map(({ place: { method } }) => method))],
    contexts: contexts.every((context) => context !== undefined) ? sorted(contexts) : undefined,
    callers: sorted(callers),
    member: isOfMember ? subject : undefined,
    parameter,
  });
}

/** The callers who see it, if others who sent the same do not. */
function whomOf(kind: Kind, all: readonly Shown[]): string | undefined {
  const callers = sorted(all.map(({ place }) => place.caller));
  const isOther = ({ caller, accepted }: AnswerNotes): boolean => accepted > 0 && !callers.includes(caller);
  const others = all.flatMap(({ subject, peers = [] }) =>
    peers.filter(isOther).map((peer) => isUnlike(kind, subject, peer)),
  );
  const isOfFurther = !callers.some((caller) => caller === 'user' || caller === 'anonymous');
  if (kind.startsWith('right-') || !(isOfFurther || others.length > 0) || others.includes(false))
    return undefined;
  return `${joined(callers.map(whomInWords), 'and')} only`;
}

/** Whether another caller was answered enough to say that it is not affected. */
function isUnlike(
  kind: Kind,
  subject: string,
  { caller, members, headers, sample, accepted }: AnswerNotes,
): boolean {
  // What the user alone is refused, others may not have asked for.
  if (subject === SUBJECTS.someRequests) return caller === 'user' && accepted >= FEW;
  if (kind === 'answer-rendered') return sample?.members.includes(subject) === true;
  if (kind === 'answer-order') return sample?.order !== undefined;
  if (KINDS[kind].joinedAs === 'member') return (members?.[subject]?.seen ?? 0) >= FEW;
  if (kind.startsWith('header-')) return headers[subject] !== undefined;
  return WHOLE.has(kind) && accepted > 0;
}

/** A field that records lost for the user of the runs only, if other callers are still shown it. */
export function withWhom(change: Change, answers: readonly AnswerNotes[] = []): Change {
  const { kind, subject, calls: { route = '', contexts = [] } = {} } = change;
  const isStillShown = ({ caller, context = '', members, ...notes }: AnswerNotes): boolean =>
    caller !== 'user' &&
    notes.method === 'GET' &&
    shapeOf(notes.route) === shapeOf(route) &&
    contexts.includes(context) &&
    (members?.[subject]?.seen ?? 0) >= FEW;
  const isOfUser = kind === 'field-removed' && answers.some(isStillShown);
  return isOfUser ? { ...change, whom: `${whomInWords('user')} only` } : change;
}

/** A caller in the words of a headline. */
function whomInWords(caller: string): string {
  if (caller === 'anonymous') return 'anonymous callers';
  return caller === 'user' ? 'the user' : `"${caller}"`;
}

/** A request for each side that shows the difference; none for writes, which would not be safe. */
function exchangeOf({ place, asked, isRefusal }: Shown, sites: Sites): Exchange | undefined {
  const { route, method, caller, context, with: shaping = [] } = place;
  if (!isSafe(method) || (isRefusal && asked === undefined)) return undefined;
  const [path = route, refused] = isRefusal ? (asked ?? '').split('?') : [route, asked];
  const noted = context === undefined ? shaping : [`context=${context}`, ...shaping];
  const isWhole = isRefusal || asked !== undefined;
  const pairs = isWhole ? (refused?.split('&') ?? []) : noted.filter((pair) => !pair.includes(' '));
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
