import type { AnswerNotes } from '../../client/observed/document.ts';
import { INDEX } from '../../client/observed/recorder.ts';
import { listed, present } from '../../engine/text.ts';
import { textsOf } from '../../specs/texts.ts';
import {
  type Answers,
  type Difference,
  differing,
  either,
  evidence,
  FEW,
  isInside,
  MOST_NAMES,
  outOf,
  SUBJECTS,
  shares,
} from './difference.ts';
import { SharedRecords } from './shared-records.ts';

/**
 * A right that was lost or gained: answered before and always denied now, or the reverse. Mixed answers say nothing. A
 * gain of the run's own user is compatible, because nobody sees more; a gain of others is exposed.
 */
export function rightDifference({ was, is }: Answers, all: readonly Answers[] = []): Difference | undefined {
  const [then, now] = [denials(was), denials(is)];
  const caller = callerWords(was.caller);
  const right = rightOf(was);
  const found = (kind: 'right-lost' | 'right-exposed' | 'right-gained', seen?: string): Difference =>
    differing(kind, caller + right, true, {
      within: right === '' ? undefined : caller,
      evidence: seen,
      isRoot: seen !== undefined,
    });
  if (was.accepted > 0 && then === 0 && is.accepted === 0 && now > 0)
    return found('right-lost', evidence(`${was.accepted} answered`, `${now} denied`));
  if (!(was.accepted === 0 && then > 0 && is.accepted > 0 && now === 0)) return undefined;
  // A refusal with a status of success or a page, such as that of a login, shows no record, nor does an answer to HEAD.
  const { refusal = 0, unreadable = 0 } = is.forms;
  if (refusal + unreadable === is.accepted || isShownAnyway(is, all))
    return differing('refusal-changed', 'the status of "denied"', true, {
      before: either(Object.keys(was.statuses)),
      after: either(Object.keys(is.statuses)),
      isRoot: true,
    });
  if (was.caller === 'user' || is.method === 'HEAD' || isEmptyFor({ was, is }, all))
    return found('right-gained');
  return found('right-exposed', evidence(`${then} denied`, `${is.accepted} answered`));
}

/** Whether a request for more than public data shows public records, or only members that its caller was shown without asking. */
function isShownAnyway(notes: AnswerNotes, all: readonly Answers[]): boolean {
  const { route, method, caller, context, published, members = {} } = notes;
  const status = requestedStatus(notes);
  const isOfRights = status !== undefined || context === textsOf('observed').tour.rights.context;
  const isUsual = ({ was, is }: Answers): boolean =>
    [is.route, is.method, is.caller, rightOf(is)].join() === [route, method, caller, ''].join() &&
    was.accepted > 0;
  const usual = all.find(isUsual)?.is;
  if (!isOfRights || usual === undefined || method !== 'GET') return false;
  if (status !== undefined) return published?.hidden === 0;
  const names = Object.keys(members);
  return names.length > 0 && names.every((name) => usual.members?.[name]);
}

/** Whether an empty list shows nothing to its caller: the user sees records in it, or others of its route are empty now. */
function isEmptyFor(pair: Answers, all: readonly Answers[]): boolean {
  const { route, caller } = pair.is;
  const isEmptyList = ({ records, forms }: AnswerNotes): boolean => records === 0 && forms.list !== undefined;
  const isEmptied = ({ was, is }: Answers): boolean =>
    is.route === route && is.caller === caller && was.records > 0 && isEmptyList(is);
  const isFilled = (ofCaller('user', pair, all)?.is.records ?? 0) > 0;
  return isEmptyList(pair.is) && (isFilled || all.some(isEmptied));
}

function callerWords(caller: string): string {
  return caller === 'anonymous' ? 'an anonymous caller' : `the caller "${caller}"`;
}

/** The form of a request, if it is unusual: `a preflight`. */
export function howAsked({ with: others = [] }: AnswerNotes): string | undefined {
  return others.find((asked) => asked.includes(' '));
}

/** A request for more than public data: ` with context=edit`, ` with status=draft`. */
function rightOf(notes: AnswerNotes): string {
  const { context, tour } = textsOf('observed');
  if (notes.context === tour.rights.context) return ` with ${context}=${notes.context}`;
  const how = howAsked(notes) ?? notes.with?.join('&');
  return how === undefined ? '' : ` with ${how}`;
}

function lostRecords({ was, is }: Answers): Difference {
  const [what, where] = was.route === INDEX ? ['any route', 'the index'] : ['all records', 'the list'];
  return differing('right-lost', `${what} to ${callerWords(was.caller)}${rightOf(was)}`, true, {
    before: where,
    evidence: evidence(`${was.records} shown`, `${is.records} shown`),
  });
}

/** For a list of non-public records: some that the caller saw are still counted, but no longer shown. */
export function hiddenDifference({ was, is }: Answers): Difference | undefined {
  if (was.totals?.untrue !== 0 || (is.totals?.untrue ?? 0) === 0 || is.records >= was.records)
    return undefined;
  return lostRecords({ was, is });
}

/** What a caller may see now and could not see before, and the reverse. */
export function compareRights(pair: Answers, all: readonly Answers[]): Difference[] {
  return present([
    comparePersonal(pair),
    compareLocked(pair),
    comparePublished(pair),
    compareEditing(pair, all),
    hiddenFrom(pair, all),
    hiddenAmong(pair, all),
  ]);
}

/** Unmodified records that the user of the run sees before and after, and another caller only on one side, or the reverse. */
function hiddenAmong(pair: Answers, all: readonly Answers[]): Difference | undefined {
  const isOfUser = pair.was.caller === 'user';
  const whole = ofCaller(isOfUser ? 'anonymous' : 'user', pair, all);
  if (whole === undefined) return undefined;
  const { unmodified, order } = new SharedRecords(whole);
  const { was: then, is: now } = new SharedRecords(pair).order;
  if ([order.was, order.is, then, now].some((ids) => ids.length === 0)) return undefined;
  const same = new Set(unmodified.map(({ id }) => id));
  // What comes after all that this caller sees may be on the next page, and what is new may be missing in a cache.
  const missing = (all: readonly string[], seen: readonly string[]): string[] =>
    all.slice(0, all.findLastIndex((id) => seen.includes(id)) + 1).filter((id) => !seen.includes(id));
  const [before, after] = [missing(order.was, then), missing(order.is, now)];
  const to = callerWords(pair.was.caller);
  const seen = (ids: readonly string[], of: readonly string[]): string =>
    `${outOf(ids.length, of.length, 'record')} of the first page, such as ${ids.slice(0, MOST_NAMES).join(', ')}`;
  const lost = after.filter((id) => same.has(id) && then.includes(id));
  // Others, such as pictures, are as public as the record to which they belong.
  const isPublic = (whole.is.published?.public ?? 0) > 0;
  if (before.length === 0 && lost.length >= FEW)
    return differing('right-lost', `some records to ${to}`, isPublic, {
      before: 'the list',
      evidence: seen(lost, order.is),
      isRoot: true,
    });
  const found = before.filter((id) => same.has(id) && now.includes(id));
  const isAmong = !isOfUser && then.some((id) => order.was[0] === id);
  if (after.length > 0 || found.length < FEW || !isAmong) return undefined;
  return differing('right-gained', `more records to ${to}`, false, {
    after: 'the list',
    evidence: seen(found, order.is),
  });
}

/** The notes on the same requests of another caller. @param context another one; default: the same */
function ofCaller(caller: string, { was }: Answers, all: readonly Answers[], context = was.context) {
  const same = ({ route, method, with: others }: AnswerNotes): string =>
    JSON.stringify([route, method, others]);
  return all.find(
    (other) => other.was.caller === caller && other.was.context === context && same(other.was) === same(was),
  );
}

/** Members that only those who may edit were shown, and that another caller is shown now without asking for them. */
function compareEditing(pair: Answers, all: readonly Answers[]): Difference | undefined {
  const { was, is } = pair;
  const { context } = textsOf('observed').tour.rights;
  if (was.caller === 'user' || was.context === context || was.records === 0) return undefined;
  const [usual, editing] = [ofCaller('user', pair, all), ofCaller('user', pair, all, context)];
  const personal = Object.values(is.personal ?? {}).flat();
  const isForEditors = (path: string): boolean =>
    [was, usual?.was].every((one) => one?.members !== undefined && one.members[path] === undefined) &&
    editing?.was.members?.[path] !== undefined &&
    !personal.includes(path);
  const shown = Object.entries(is.members ?? {}).flatMap(([path, { seen }]) =>
    seen >= FEW && isForEditors(path) ? [path] : [],
  );
  const outer = shown.filter((path) => !shown.some((other) => isInside(path, other)));
  if (outer.length === 0) return undefined;
  const subject = `${SUBJECTS.ofEditing} ${textsOf('observed').context}=${context} to ${callerWords(was.caller)}`;
  return differing('right-gained', subject, false, { after: listed(outer, MOST_NAMES) });
}

/** A list, or the index, that became empty for one caller, and not for the user of the run. So the content is not the reason. */
function hiddenFrom(pair: Answers, all: readonly Answers[]): Difference | undefined {
  const { was, is } = pair;
  const isEmptied =
    was.records > 0 &&
    is.records === 0 &&
    is.accepted > 0 &&
    (was.route === INDEX ? is.forms.object : is.forms.list) !== undefined;
  if (!isEmptied) return undefined;
  const lost: Difference = { ...lostRecords(pair), isRoot: true };
  // Content may be the reason, but then it is that of all that depends on these records.
  if (was.caller === 'user')
    return was.records < FEW || isShownElsewhere(is, all) ? undefined : { ...lost, effect: 'unknown' };
  const whole = ofCaller('user', pair, all);
  return whole === undefined || whole.is.records < was.records ? undefined : lost;
}

/** Whether the children of records still show in another context: each run reads those of other records in some contexts. */
function isShownElsewhere({ route, method, caller }: AnswerNotes, all: readonly Answers[]): boolean {
  const isOther = ({ is }: Answers): boolean =>
    is.route === route && is.method === method && is.caller === caller;
  return route.includes('{') && all.some((other) => isOther(other) && other.is.records > 0);
}

/** Texts behind a password that show without it now, or no longer show to those who may edit them. */
function compareLocked({ was, is }: Answers): Difference | undefined {
  if (isLockedForEditors(was, is)) {
    const before = `the context ${was.context}`;
    return differing('right-lost', `protected texts to ${callerWords(is.caller)}`, true, { before });
  }
  if (was.locked === undefined || is.locked === undefined || was.locked.shown > 0 || is.locked.shown === 0)
    return undefined;
  const { shown, hidden } = is.locked;
  const seen = shares('record', [0, was.locked.hidden], [shown, shown + hidden]);
  // If as many are hidden as before, others only say that they are protected.
  if (hidden >= was.locked.hidden) return undefined;
  return exposed('protected texts without their password', seen);
}

function isLockedForEditors({ locked: was, context }: AnswerNotes, { locked: is }: AnswerNotes): boolean {
  const { context: editing } = textsOf('observed').tour.rights;
  const isShown = was?.hidden === 0 && was.shown >= FEW;
  return context === editing && isShown && is?.shown === 0 && is.hidden >= FEW;
}

function exposed(what: string, seen: string): Difference {
  return differing('right-exposed', what, true, { after: 'an answer', evidence: seen, isRoot: true });
}

/** Non-public records that other callers see now among public ones. */
function comparePublished({ was, is }: Answers): Difference | undefined {
  const [then, now] = [was.published, is.published];
  if (was.caller === 'user' || then === undefined || now === undefined) return undefined;
  if (then.public === 0 || then.hidden > 0 || now.hidden === 0) return undefined;
  const seen = shares('record', [0, then.public], [now.hidden, now.public + now.hidden]);
  return exposed(`records that are not public to ${callerWords(was.caller)}`, seen);
}

/** The status in a request for records. */
export function requestedStatus({ with: others = [] }: AnswerNotes): string | undefined {
  const { parameter } = textsOf('observed').tour.rights;
  return others.find((asked) => asked.startsWith(`${parameter}=`));
}

/** How often a caller was denied. Some software treats a forbidden status as an invalid argument. */
function denials(notes: AnswerNotes): number {
  const { 401: unknown = 0, 403: forbidden = 0, 400: invalid = 0 } = notes.statuses;
  return unknown + forbidden + (requestedStatus(notes) === undefined ? 0 : invalid);
}

/** Personal data that a caller sees now and did not see before, and the reverse. */
function comparePersonal({ was, is }: Answers): Difference[] {
  const areAlike = (was.forms.list === undefined) === (is.forms.list === undefined);
  if (was.records === 0 || is.records === 0 || !areAlike) return [];
  const shown = (notes: AnswerNotes, other: AnswerNotes): [what: string, path: string][] =>
    Object.entries(notes.personal ?? {}).flatMap(([what, paths]) => {
      // Inside another member it is the same.
      const isKnown = (path: string): boolean =>
        other.personal?.[what]?.some((known) => `.${path}`.endsWith(`.${known}`)) === true;
      return paths.filter((path) => !isKnown(path)).map((path): [string, string] => [what, path]);
    });
  const to = callerWords(was.caller);
  return [
    ...(was.caller === 'user' ? [] : shown(is, was)).map(([what, path]): Difference => {
      const [then, now] = [was.members?.[path], is.members?.[path]];
      // Only records that ask for a password have one.
      const isOfAll = now?.sometimes !== true || path.split('.').at(-1) === textsOf('observed').locked.key;
      // If a member existed and was empty, several records must have had it, and most must be filled now.
      const isEvident = then === undefined ? isOfAll : isOfMost(is, path) && then.seen >= FEW;
      const evidence = shares('record', [0, was.records], [filledOf(is, path), is.records]);
      const kind = isEvident ? 'right-exposed' : 'right-gained';
      return differing(kind, `${what} to ${to}`, isEvident, { after: path, evidence });
    }),
    ...shown(was, is).flatMap(([what, path]): Difference[] => {
      const now = is.members?.[path];
      if (now === undefined || filledOf(is, path) > 0 || now.seen < FEW || !isOfMost(was, path)) return [];
      const evidence = shares('record', [filledOf(was, path), was.records], [0, is.records]);
      return [differing('right-lost', `${what} to ${to}`, true, { before: path, evidence })];
    }),
  ];
}

function filledOf({ members = {} }: AnswerNotes, path: string): number {
  const { empty: _, ...filled } = members[path]?.texts ?? {};
  return Object.values(filled).reduce((sum, count) => sum + count, 0);
}

function isOfMost(notes: AnswerNotes, path: string): boolean {
  const filled = filledOf(notes, path);
  return filled >= FEW && filled * 2 >= (notes.members?.[path]?.seen ?? 0);
}
