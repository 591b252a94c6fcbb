import type { AnswerNotes, RefusalNotes, Tallies } from '../../client/observed/document.ts';
import { DATE, WRITTEN } from '../../client/observed/unsent.ts';
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
  isReadableNow,
  MOST_NAMES,
  OTHERS,
  outermost,
  outOf,
  SUBJECTS,
  shares,
} from './difference.ts';
import { hiddenDifference, howAsked, requestedStatus, rightDifference } from './rights.ts';

/** Changes of whole answers: who receives them, their form, status and totals. @param refusals of the same calls now */
export function compareWholes(
  pair: Answers,
  all: readonly Answers[] = [],
  refusals: readonly RefusalNotes[] = [],
): Difference[] {
  const whole = rightDifference(pair, all) ?? refusedDifference(pair, all);
  if (whole !== undefined) return [whole];
  if (pair.was.accepted === 0 || pair.is.accepted === 0) return [];
  const unreadable = unreadableDifference(pair);
  if (unreadable !== undefined) return [unreadable];
  return present([
    formDifference(pair) ?? wrappedDifference(pair),
    statusDifference(pair),
    unsentDifferences(pair),
    totalsDifference(pair, all),
    repeatedDifference(pair),
    partlyRefused(pair, refusals),
  ]);
}

/** Limits that people choose are multiples of this. */
const ROUND = 5;
/** Statuses that are not temporary: the route is gone, elsewhere, or not implemented. */
const LASTING = /^(?:3\d\d|404|405|410|501)$/;
const WHOLE = 'the request';

/** A route that mostly answered and always refuses now. */
function refusedDifference({ was, is }: Answers, all: readonly Answers[]): Difference | undefined {
  const statuses = Object.keys(is.statuses);
  const [asked, refused] = [sumOf(was.statuses), sumOf(is.statuses)];
  if (refused === 0 || is.accepted > 0 || was.accepted * 2 < asked || was.accepted === 0) return undefined;
  const isFew = Math.min(was.accepted, refused) < FEW;
  const isBelow = isListBelow(was) && statuses.join() === '404' && !isFew;
  if (mayBeOfContent({ was, is }, isBelow) || isMissingPage({ was, is }, refused, all)) return undefined;
  // Both sides send such requests in the same way.
  const isLasting = (status: string): boolean =>
    LASTING.test(status) || (was.with !== undefined && status === '400');
  const how = isUnmatched(was)
    ? NOTHING_FOUND
    : (howAsked(was) ?? (was.with && `with ${was.with.join(' and ')}`));
  const isOften = refused >= FEW && statuses.join() !== '503';
  const isSure = !isBelow && (isOften || statuses.every(isLasting));
  return differing('answer-refused', how ?? WHOLE, isSure, {
    together: isBelow ? undefined : 'narrows',
    within: how && WHOLE,
    before: either(successesOf(was)),
    after: either(statuses),
    evidence: shares('request', [was.accepted, asked], [is.accepted, refused]),
    isRoot: true,
  });
}

/** A list below records. If there is none for several of them, it is gone, unless all these records are. */
function isListBelow({ route, forms }: AnswerNotes): boolean {
  return forms.list !== undefined && route.includes('{') && !route.endsWith('}');
}

/** Whether the content may explain that nothing is answered: it is as before, or a record or an address is missing. */
function mayBeOfContent({ was, is }: Answers, isBelow: boolean): boolean {
  const statuses = Object.keys(is.statuses);
  if (statuses.includes('304')) return true;
  // A refused method is no matter of the record.
  const isOfRecord = was.route.includes('{') && !statuses.includes('405');
  if (isOfRecord && !isBelow && statuses.some((status) => status.startsWith('4'))) return true;
  // The description of a route without path parameters depends on no record.
  if (was.method === 'OPTIONS') return false;
  return was.forms.object !== undefined && statuses.every((status) => status === '400' || status === '404');
}

/** A shorter list no longer has every page that is asked for. */
function isMissingPage({ was, is }: Answers, refused: number, all: readonly Answers[]): boolean {
  const isPage = was.forms.list !== undefined && was.with === undefined;
  if (!isPage || refused >= FEW || Object.keys(is.statuses).join() !== '400') return false;
  return all.some((one) => one.is.route === is.route && one.is.method === is.method && one.is.accepted > 0);
}

const NOTHING_FOUND = 'a list that finds nothing';

/** Whether a list was asked for a value that no record has. */
function isUnmatched({ with: others = [], records }: AnswerNotes): boolean {
  const values = Object.values(textsOf('observed').tour.unmatched);
  return records === 0 && others.some((one) => values.some((value) => one.endsWith(`=${value}`)));
}

/** One of so many requests may fail by accident. */
const OFTEN = 10;
const DENIED = /^40[13]$/;

/** A list that denies or fails some requests, if all earlier ones were answered or invalid. */
function partlyRefused({ was, is }: Answers, refusals: readonly RefusalNotes[]): Difference | undefined {
  if (was.route.includes('{') || was.method !== 'GET') return undefined;
  const [asked, askedNow] = [sumOf(was.statuses), sumOf(is.statuses)];
  const refused = refusedOf(is);
  const [now, isDenied] = [sumOf(refused), sumOf(refusedOf(is, DENIED)) >= FEW];
  if (sumOf(refusedOf(was)) > 0 || asked < FEW || !(isDenied || now * OFTEN >= askedNow)) return undefined;
  // Requests that were refused before are refused for another reason now, and failures are retried.
  const share = Math.min(1, askedNow / asked);
  const moved = Math.max(0, (asked - was.accepted) * share - (askedNow - is.accepted - now));
  if ((isDenied ? now - moved : was.accepted * share - is.accepted) < 2) return undefined;
  const queries = refusals.flatMap(({ status, asked: read = '' }) =>
    Object.hasOwn(refused, status) ? (read.split('?')[1] ?? []) : [],
  );
  return differing('answer-refused', SUBJECTS.someRequests, false, {
    after: either(Object.keys(refused)),
    asked: queries.toSorted((one, other) => one.length - other.length)[0],
    evidence: shares('request', [0, asked], [now, askedNow]),
  });
}

function refusedOf({ statuses }: AnswerNotes, which = /^(?:40[13]|5\d\d)$/): Tallies {
  return Object.fromEntries(Object.entries(statuses).filter(([status]) => which.test(status)));
}

/** A list whose records can no longer be read one by one. Children depend on the content, and are left out. */
export function recordsRefused({ was, is }: Answers, list: Answers | undefined): Difference | undefined {
  const isRecord = is.method === 'GET' && /^[^{]*\/\{[^/]*\}$/.test(is.route) && is.with === undefined;
  if (!isRecord || list === undefined || list.is.records === 0 || list.is.forms.list === undefined)
    return undefined;
  // Records that were unknown before say nothing.
  const refused = sumOf(is.statuses) - (sumOf(was.statuses) - was.accepted);
  const isGone = Object.keys(is.statuses).every((status) => /^(?:3\d\d|4(?:00|04|10))$/.test(status));
  if (was.accepted === 0 || is.accepted > 0 || refused <= 0 || !isGone) return undefined;
  return differing('answer-refused', 'records of a list', was.accepted >= FEW && refused >= FEW, {
    together: 'narrows',
    within: WHOLE,
    before: either(successesOf(was)),
    after: either(Object.keys(is.statuses)),
    evidence: evidence(`${was.accepted} answered`, `${outOf(0, refused, 'request')} answered`),
    isRoot: true,
  });
}

function sumOf(tallies: Tallies): number {
  return Object.values(tallies).reduce((sum: number, count = 0) => sum + count, 0);
}

function successesOf({ statuses }: AnswerNotes): string[] {
  return Object.keys(statuses).filter((status) => status.startsWith('2'));
}

function unreadableDifference({ was, is }: Answers): Difference | undefined {
  const now = is.forms.unreadable ?? 0;
  if (was.forms.unreadable !== undefined || now === 0) return undefined;
  return differing('answer-unreadable', 'the body', true, {
    before: 'JSON',
    after: either(Object.keys(is.around ?? {})),
    evidence: shares('answer', [0, was.accepted], [now, is.accepted]),
    isRoot: true,
  });
}

const BARE: readonly string[] = ['value', 'nothing'];

/** A preflight is answered by the same part of a site as other requests with its method. */
function howPreflighted(was: AnswerNotes): string | undefined {
  return howAsked(was) === undefined && was.with ? ` with ${was.with.join(' and ')}` : undefined;
}

function formDifference({ was, is }: Answers): Difference | undefined {
  const [then, now] = [Object.keys(was.forms), Object.keys(is.forms)];
  const how = howPreflighted(was);
  const changed = (was: readonly string[], is: readonly string[]): Difference =>
    differing('answer-form', `the answer${how ?? ''}`, true, {
      within: how && 'the answer',
      before: either(was),
      after: either(is),
      isRoot: true,
    });
  if (isReadableNow({ was, is })) return { ...changed(then, now), effect: 'narrows', isRoot: false };
  const came = now.filter((form) => !then.includes(form));
  const bare = came.filter((form) => BARE.includes(form));
  if (bare.length > 0) return changed(then, bare);
  const isOfRecords = then.includes('list') && is.records > 0 && was.members !== undefined;
  if (isOfRecords && came.includes(OTHERS)) return changed(['list of objects'], [OTHERS]);
  if (came.includes('refusal')) return changed(then, ['refusal']);
  // An object that is printed as a list if it is empty.
  const { list = 0 } = is.forms;
  if (then.join() === 'object' && list > 0 && now.length > 1)
    return { ...changed(then, now), effect: list < FEW ? 'unknown' : 'incomparable' };
  // Lists that are none where they hold few records, such as one.
  const isSometimes = then.join() === 'list' && (is.forms.object ?? 0) >= FEW && (was.forms.list ?? 0) >= FEW;
  return came.length < now.length && !isSometimes ? undefined : changed(then, now);
}

function statusDifference({ was, is }: Answers): Difference | undefined {
  const [then, now] = [successesOf(was), successesOf(is)];
  if (now.some((status) => then.includes(status))) return undefined;
  const statuses = { before: either(then), after: either(now) };
  return differing('answer-status', 'the status of success', true, { ...statuses, isRoot: true });
}

/** Parts of written values without which no value is the same; others only look otherwise. */
const ESSENTIAL: ReadonlySet<string> = new Set(['several values', 'markup', 'a long text']);

/** A part of what is written to a field that the site does not keep any more. */
function writtenDifference(subject: string, part: string, before: string, after: string): Difference[] {
  if (after === DATE.kept) return [];
  const words = { before: before === DATE.kept ? `with ${part}` : before, after: `without ${part}` };
  return [differing('answer-value', subject, ESSENTIAL.has(part), { ...words, isRoot: true })];
}

/** Fields that a creation does not send, and that have another word by themselves now, dates that no update moves any more, and written values that are not kept. */
function unsentDifferences({ was, is }: Answers): Difference[] {
  return Object.entries(was.unsent ?? {}).flatMap(([name, words]): Difference[] => {
    const now = is.unsent?.[name] ?? {};
    const [[before, ...others], [after, ...further]] = [Object.keys(words), Object.keys(now)];
    const isSure = others.length + further.length === 0 && Math.min(sumOf(words), sumOf(now)) >= FEW;
    if (before === undefined || after === undefined || before === after || !isSure) return [];
    const [, part] = name.split(WRITTEN);
    if (part !== undefined) return writtenDifference(name, part, before, after);
    if (!textsOf('observed').modified.includes(name))
      return [{ kind: 'default', effect: 'incomparable', subject: `${name} default`, before, after }];
    if (after !== DATE.kept) return [];
    const dates = { before: 'another date', after: 'the date from before' };
    return [differing('answer-value', `${name} after an update`, true, dates)];
  });
}

function totalsDifference({ was, is }: Answers, answers: readonly Answers[]): Difference | undefined {
  if (was.totals === undefined || is.totals === undefined) return undefined;
  // Such a list shows that a caller sees fewer records.
  if (requestedStatus(was) !== undefined) return hiddenDifference({ was, is });
  const size = sizeDifference(was.totals.usual, is.totals.usual);
  if (size !== undefined && !lacksBetween(is, answers)) return size;
  if (was.totals.untrue > 0) return undefined;
  const { cap = 1, true: whole, untrue } = is.totals;
  // Pages ended at the requested size, and now end at a round number. If no page is complete, the total is wrong.
  const { size: subject } = textsOf('observed').totals;
  if (cap % ROUND === 0 && (whole > 0 || is.with !== undefined))
    return differing('answer-fewer', subject, true, { after: String(cap), isRoot: true });
  // Wrong totals of a few pages may be an accident, or count what is hidden, such as comments on a protected record. Of
  // several they are neither, because a total is in the same answer as its records.
  const all = whole + untrue;
  if (untrue < Math.min(FEW - 1, all)) return undefined;
  const seen = shares('list', [0, was.totals.true], [untrue, all]);
  const isOften = untrue >= FEW && untrue * 2 >= all;
  const isOfHidden = mayCountHidden(is, answers);
  // Content explains it, such as a comment on a record that is a draft now.
  if (isOfHidden && untrue < FEW) return undefined;
  return differing('answer-totals', 'totals', isOften && !isOfHidden, {
    evidence: seen.replaceAll(' lists', ' lists untrue'),
    isRoot: true,
  });
}

/** Whether a first page lacks records between those that it still shows. Then that is not the end of a smaller page. */
function lacksBetween({ route }: AnswerNotes, answers: readonly Answers[]): boolean {
  return answers.some(({ was, is }) => {
    const [then, now] = [was.sample?.order ?? [], is.sample?.order ?? []];
    const last = then.indexOf(now.at(-1) ?? '');
    return is.route === route && last >= now.length && now.every((id) => then.includes(id));
  });
}

function sizeDifference(was: number | undefined, is: number | undefined): Difference | undefined {
  if (was === undefined || is === undefined || was === is) return undefined;
  const subject = `${textsOf('observed').totals.size} default`;
  const sizes = { before: String(was), after: String(is) };
  return { kind: 'default', effect: 'incomparable', subject, isRoot: true, ...sizes };
}

function repeatedDifference({ was: { totals: was }, is: { totals: is } }: Answers): Difference | undefined {
  if (was === undefined || is === undefined) return undefined;
  const of = ({ true: right, untrue }: typeof was): number => right + untrue;
  return (
    repeatedOn('pages', 'further page', [was.before, was.repeated], [is.before, is.repeated]) ??
    repeatedOn(SUBJECTS.onePage, 'page', [of(was), was.twice], [of(is), is.twice])
  );
}

function repeatedOn(
  subject: string,
  noun: string,
  [pages = 0, repeated]: readonly (number | undefined)[],
  [pagesNow = 0, now = 0]: readonly (number | undefined)[],
): Difference | undefined {
  if (repeated !== 0 || now === 0 || pages === 0) return undefined;
  const isOfMost = now * 2 >= pagesNow;
  const isOfAll = now > 1 && now >= pagesNow;
  return differing('answer-repeated', subject, isOfAll || (isOfMost && now >= FEW), {
    together: isOfMost ? 'incomparable' : undefined,
    isRoot: true,
    // Pages beyond the last repeat records too, and have no place in the list.
    evidence: shares(noun, [0, pages], [now, Math.max(now, pagesNow)]),
  });
}

const NOT_MODIFIED = '304';

/** Whether lists still honour their arguments: filters match, and conditional requests are answered as such. */
export function compareArguments(pair: Answers): Difference[] {
  const [asked = '', ...others] = pair.is.with ?? [];
  const [, name, value] = /^([\w-]+)(?:=|: )(.*)$/.exec(asked) ?? [];
  if (others.length > 0 || name === undefined || value === undefined) return [];
  return present([wholeDifference(pair, name), filterDifference(pair, name, value)]);
}

/** An unchanged answer was not sent again, and is now. */
function wholeDifference({ was, is }: Answers, subject: string): Difference | undefined {
  const isWhole = is.accepted > 0 && is.statuses[NOT_MODIFIED] === undefined;
  if (was.statuses[NOT_MODIFIED] === undefined || was.accepted > 0 || !isWhole) return undefined;
  const statuses = { before: NOT_MODIFIED, after: Object.keys(is.statuses).join() };
  return differing('answer-whole', subject, false, statuses);
}

/** A value that no record has matched nothing, and matches something now. */
function filterDifference({ was, is }: Answers, subject: string, value: string): Difference | undefined {
  const isUnmatched = Object.values(textsOf('observed').tour.unmatched).includes(value);
  const areLists = was.forms.list !== undefined && is.forms.list !== undefined;
  if (!isUnmatched || !areLists || was.records > 0 || is.records === 0) return undefined;
  return differing('answer-filter', subject, is.records >= FEW, {
    together: 'widens',
    evidence: evidence('no record', outOf(is.records, is.records, 'record').replace(/^\d+ of /, '')),
    isRoot: true,
  });
}

/** Whether answers hold exactly the members that `name` asks for. @param explained members of other changes */
export function compareChosen(
  { was, is }: Answers,
  name: string,
  explained: ReadonlySet<string>,
): Difference | undefined {
  if (was.records === 0 || is.records === 0) return undefined;
  const [then, now] = [outerMembers(was), outerMembers(is)];
  const gone = [...then.difference(now).difference(explained)];
  const came = now.difference(then).difference(explained).size;
  if (gone.length > 0) {
    const evidence = listed(gone, MOST_NAMES);
    return differing('answer-chosen', name, true, { after: 'missing', evidence });
  }
  if (came === 0) return undefined;
  const evidence = `${outOf(came, now.size, 'member')} not asked for`;
  return differing('answer-chosen', name, false, { after: 'not all that comes', evidence });
}

function outerMembers({ members = {} }: AnswerNotes): Set<string> {
  return new Set(Object.keys(members).map(outermost));
}

/** Records whose members are inside one new member now, such as `data`, or one of its own. */
function wrappedDifference({ was, is }: Answers): Difference | undefined {
  const [then, now] = [outerMembers(was), outerMembers(is)];
  const gone = [...then.difference(now)];
  const paths = Object.keys(is.members ?? {});
  const wrapper = [...now.difference(then)].find((name) => {
    const inside = paths.filter((path) => isInside(path, name));
    const found = gone.filter((one) => inside.some((path) => path.endsWith(`.${one}`)));
    return found.length >= FEW && found.length * 2 >= then.size;
  });
  if (wrapper === undefined) return undefined;
  const words = { before: 'an object', after: `inside ${wrapper}` };
  return differing('answer-form', 'a record', true, { ...words, isRoot: true });
}

/** Whether totals may count what this caller does not see: those of the user are right, or, without a user, some are. */
function mayCountHidden(
  { route, method, context, caller, totals }: AnswerNotes,
  all: readonly Answers[],
): boolean {
  if (caller === 'user') return false;
  const isSame = ({ is }: Answers): boolean =>
    is.caller === 'user' && is.route === route && is.method === method && is.context === context;
  const user = all.find((one) => isSame(one) && one.is.totals !== undefined)?.is.totals;
  return user === undefined ? (totals?.true ?? 0) > 0 : user.untrue === 0;
}
