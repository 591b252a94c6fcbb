import type { AnswerNotes, ObservedAnswers, RefusalNotes } from '../../client/observed/document.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { present } from '../../engine/text.ts';
import { textsOf } from '../../specs/texts.ts';
import type { Change, Compared } from '../change.ts';
import { compareArguments, compareChosen, compareWholes, recordsRefused } from './answers.ts';
import { withCauses } from './cause-rules.ts';
import { changesOf, type Shown } from './changes.ts';
import { type Answers, type Difference, FEW, isInside, outermost, type Pair, pairsOf } from './difference.ts';
import { compareHeaders } from './headers.ts';
import { certain, compareMembers, NEVER } from './members.ts';
import { comparePace, paceOf } from './pace.ts';
import { compareRefusals } from './refusals.ts';
import { compareRights } from './rights.ts';
import { compareSamples, hasEdited, notesOnRecords } from './samples.ts';

interface Noted {
  readonly observed?: Partial<ObservedAnswers> | undefined;
  readonly target: { readonly url: string };
}

/** A machine that is slower by this factor deserves a note. */
const SLOWER = 2;

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
  const byPlace = Map.groupBy([...was.answers, ...is.answers], placeKey);
  const all = [...answersThatDiffer(answers, refusals), ...refusals.flatMap(refusalsThatDiffer)];
  const lists = new Set(answers.flatMap(({ was: { forms, route } }) => (forms.list ? [route] : [])));
  const isCertain = (route: string, member: string): boolean => !lists.has(route) && isWritten(route, member);
  const stable = all.filter((difference) => !isUnstable(difference, byPlace));
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
  { is }: Answers,
  list: Answers | undefined,
): boolean {
  if (list === undefined || effect !== 'unknown') return false;
  const known = list.was.members?.[subject]?.types;
  if (kind === 'answer-type' && known !== undefined)
    return Object.keys(is.members?.[subject]?.types ?? {}).every((type) => Object.hasOwn(known, type));
  if (kind !== 'answer-member-removed') return false;
  return [list.was, list.is].some(({ members = {} }) => members[subject]?.sometimes === true);
}

/** What every record of the list had and still has, no single one lacks or shows with another type by itself. */
function ifOfEvery(difference: Difference, list: Answers | undefined): Difference {
  const { kind, subject, before } = difference;
  const [then, now] = [list?.was.members?.[subject], list?.is.members?.[subject]];
  const isOfEvery = [then, now].every(
    (all) => all !== undefined && all.seen >= FEW && all.seen === all.of && all.sometimes === undefined,
  );
  const isKept = kind === 'answer-type' && Object.keys(now?.types ?? {}).join() === before;
  return isOfEvery && (kind === 'answer-member-removed' || isKept) ? certain(difference) : difference;
}

function answersThatDiffer(
  answers: readonly Answers[],
  refusals: readonly Pair<[string, RefusalNotes[]]>[],
): Shown[] {
  const { tour } = textsOf('observed');
  const refused = new Map(refusals.map(({ is }) => is));
  const wholes = new Map(
    answers.map((pair) => [pair, compareWholes(pair, answers, refused.get(groupKey(pair.is)))]),
  );
  const lists = new Map(answers.map((pair) => [answerKey(pair.is), pair]));
  const listOf = ({ is }: Answers): Answers | undefined =>
    is.route.endsWith('}') ? lists.get(answerKey(is, listRoute(is))) : undefined;
  const members = membersThatDiffer(answers, wholes, listOf);
  // If members differ in a list, they are not reported again for their values there, or for chosen members.
  const ofList = Map.groupBy(answers, ({ is }) => listRoute(is));
  const edited = new Set(answers.filter(hasEdited).map(({ is }) => is.namespace));
  const requests = Map.groupBy(answers, ({ is }) => answerKey({ ...is, caller: '' }));
  return answers.flatMap((pair) => {
    const ofSameList = ofList.get(listRoute(pair.is)) ?? [];
    const andAbove = answers.filter(({ is }) => `${listRoute(pair.is)}/`.startsWith(`${listRoute(is)}/`));
    const explaining = ofSameList.flatMap((other) => members.get(other) ?? []).filter(explainsValues);
    const explained = new Set(explaining.map(({ subject }) => outermost(subject)));
    const found = present([
      wholes.get(pair),
      recordsRefused(pair, listOf(pair)),
      compareHeaders(pair),
      compareRights(pair, answers),
      compareArguments(pair),
      asksFor(pair, tour.fields) ? compareChosen(pair, tour.fields, explained) : members.get(pair),
      compareSamples(pair, explained, ofSameList, andAbove, edited.has(pair.is.namespace)),
      comparePace(pair),
    ]);
    const same = requests.get(answerKey({ ...pair.is, caller: '' })) ?? [];
    const peers = same.flatMap(({ is }) => (is === pair.is ? [] : [is]));
    return found.map((one) => ({ ...one, place: pair.is, peers }));
  });
}

/** Differences in members, except where others were chosen, or the answer as a whole has another form. */
function membersThatDiffer(
  answers: readonly Answers[],
  wholes: ReadonlyMap<Answers, readonly Difference[]>,
  listOf: (pair: Answers) => Answers | undefined,
): Map<Answers, Difference[]> {
  const { tour } = textsOf('observed');
  const isOther = (pair: Answers): boolean =>
    wholes.get(pair)?.some(({ kind }) => kind === 'answer-form') === true;
  // Answers without their envelope lack its members.
  const wrapped = answers.filter((pair) => asksFor(pair, tour.envelope));
  const bare = new Set(wrapped.some(isOther) ? wrapped : []);
  const compared = answers.filter((pair) => !asksFor(pair, tour.fields) && !isOther(pair) && !bare.has(pair));
  return new Map(
    compared.map((pair) => {
      const list = listOf(pair);
      const found = compareMembers(pair, (difference) => isOfRecord(difference, pair, list));
      return [pair, found.map((difference) => ifOfEvery(difference, list))];
    }),
  );
}

function asksFor({ is: { with: asked = [] } }: Answers, name: string): boolean {
  return asked.some((argument) => argument === name || argument.startsWith(`${name}=`));
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
  const { kind, subject, before = '', place } = difference;
  const isKnown = !before.startsWith(NEVER) && place.method === 'GET' && isWritten(place.route, subject);
  const isOfMember = kind === 'answer-type' || kind === 'answer-member-removed';
  return isKnown && isOfMember ? certain(difference) : difference;
}

function refusalsThatDiffer({ was: [, was], is: [, is] }: Pair<[string, RefusalNotes[]]>): Shown[] {
  const [place] = is;
  if (place === undefined) return [];
  return compareRefusals({ was, is }).map((difference) => ({ ...difference, place, isRefusal: true }));
}

/** Notes on the same requests. Names of path parameters count only where both sides know the route by them. */
export function answerPairs(was: readonly AnswerNotes[], is: readonly AnswerNotes[]): Answers[] {
  const [then, now] = [was, is].map((all) => new Set(all.map(({ route }) => route)));
  const isShared = (route: string): boolean => then?.has(route) === true && now?.has(route) === true;
  return pairsOf(was, is, (notes) => answerKey(notes, isShared(notes.route) ? notes.route : undefined));
}

function answerKey(notes: AnswerNotes, route = shapeOf(notes.route)): string {
  const { method, caller, context, with: others } = notes;
  return JSON.stringify([route, method, caller, context, others]);
}

function groupsBy(refusals: readonly RefusalNotes[] = []): [string, RefusalNotes[]][] {
  return [...Map.groupBy(refusals, groupKey)];
}

function groupKey({ route, method, caller }: Pick<RefusalNotes, 'route' | 'method' | 'caller'>): string {
  return JSON.stringify([shapeOf(route), method, caller]);
}

/** Whether something changed by itself during a run. @param known the answers by method and route */
function isUnstable({ place, subject }: Shown, known: ReadonlyMap<string, readonly AnswerNotes[]>): boolean {
  const names = (known.get(placeKey(place)) ?? []).flatMap(({ unstable = [] }) => unstable);
  return names.some(
    (name) => name === '*' || subject === name || subject.startsWith(`${name}: `) || isInside(subject, name),
  );
}

function placeKey({ route, method }: Pick<AnswerNotes, 'route' | 'method'>): string {
  return `${method} ${shapeOf(route)}`;
}

function withoutKnown(shown: readonly Shown[], known: readonly Change[]): Shown[] {
  const certain = known.filter(({ kind }) => kind !== 'field-doubtful');
  // Another list may have lost a member of the same name for itself.
  const isSaid = ({ route }: Shown['place'], name: string, all: readonly Change[]): boolean =>
    all.some(({ subject, calls }) => {
      const list = calls && shapeOf(calls.route);
      return subject === name && list !== undefined && [list, `${list}/{}`].includes(shapeOf(route));
    });
  // Changed preflights follow from changes of their route, and from OPTIONS of other routes, which
  // the site answers in one place.
  const keysOf = ({ route, method }: Shown['place'], kind: string, subject: string): string[] => {
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
