import type { MemberNotes, TextKind, ValueType } from '../../client/observed/document.ts';
import { VALUE_TYPES } from '../../client/observed/document.ts';
import { groupsBy } from '../../engine/text.ts';
import { textsOf } from '../../specs/texts.ts';
import {
  type Answers,
  asOne,
  type Difference,
  differing,
  either,
  FEW,
  isInside,
  OTHERS,
  outermost,
  type Pair,
  REFUSED,
  SEVERAL,
  SOMETIMES,
  shares,
} from './difference.ts';
import { Members } from './noted-members.ts';
import { SharedRecords } from './shared-records.ts';

/** Marks earlier types of a member that may have another type now. */
export const NEVER = 'never ';

/** Kinds of texts that programs parse, in words. */
const FORMAL: ReadonlyMap<TextKind, string> = new Map([
  ['date-time', 'a date-time without zone'],
  ['date-time with zone', 'a date-time with a zone'],
  ['date-time with blank', 'a date-time with a blank'],
  ['date-time with fraction', 'a date-time with a fraction'],
  ['date-time of zeros', 'zeros'],
  ['own address', 'an address of the site'],
  ['own address by another scheme', 'an address of the site by another scheme'],
  ['other address', 'an address of another host'],
  ['relative address', 'a relative address'],
]);

/** A member on both sides, and what the same records of both say. */
interface SharedMember extends Pair<MemberNotes> {
  readonly path: string;
  readonly same: SharedRecords;
  /** Whether it is an object with the same members in every record before. */
  readonly isStructure: boolean;
}

/** Changes in the members of answers: types, form of texts, and presence. @param isLeft which ones are left out */
export function compareMembers(pair: Answers, isLeft?: (_: Difference) => boolean): Difference[] {
  if (pair.was.records === 0 || pair.is.records === 0 || haveOtherMembers(pair)) return [];
  const [before, after] = [new Members(pair.was), new Members(pair.is)];
  const same = new SharedRecords(pair);
  // Members inside a removed or changed member are part of that change.
  const explained: string[] = [];
  const differences: Difference[] = [];
  for (const path of new Set([...before.paths, ...after.paths].sort())) {
    if (isRefused(path, before, after) || explained.some((outer) => isInside(path, outer))) continue;
    const found = memberDifference(path, before, after, same);
    if (found === undefined || isLeft?.(found)) continue;
    if (found.kind !== 'answer-value') explained.push(path);
    // Without the identity of records, most checks find no record.
    differences.push(path === textsOf('observed').identity ? { ...found, isRoot: true } : found);
  }
  return withSiblings(acrossMaps(acrossLinks(differences), before), before);
}

function memberDifference(path: string, before: Members, after: Members, same: SharedRecords) {
  const [was, is] = [before.at(path), after.at(path)];
  if (was === undefined || is === undefined) return presence(path, before, after, same);
  const member: SharedMember = { path, was, is, same, isStructure: before.isStructure(path) };
  return typeDifference(member) ?? valueDifference(member) ?? emptied(member) ?? rarer(member);
}

/** Whether a refusal is in place of an embedded record or list, now or before. It says nothing of the type. */
function isRefused(path: string, before: Members, after: Members): boolean {
  const [refused, refusedNow] = [before, after].map((all) => all.at(`${path}.data.status`)?.seen ?? 0);
  const { object: objects = 0 } = after.at(path)?.types ?? {};
  const areFewNow = before.at(path)?.types.object === undefined && refusedNow === objects && objects < FEW;
  return path.endsWith('[]') && (refused === before.at(path)?.seen || (objects > 0 && areFewNow));
}

/** Whether answers have other members altogether, such as one that is no longer a list. */
function haveOtherMembers({ was, is }: Answers): boolean {
  if ((was.forms.list === undefined) !== (is.forms.list === undefined)) return true;
  return was.forms[OTHERS] === undefined && is.forms[OTHERS] !== undefined;
}

function acrossLinks(differences: readonly Difference[]): Difference[] {
  const { links } = textsOf('observed');
  const keyOf = ({ kind, effect, subject, before, after }: Difference): string => {
    const isLink = kind === 'answer-value' && subject.startsWith(`${links}.`) && subject.endsWith('[].href');
    return isLink ? JSON.stringify([effect, before, after]) : subject;
  };
  return groupsBy(differences, keyOf).flatMap((all) => {
    if (all.length === 1) return all;
    const relations = all.map(({ subject }) => subject.slice(links.length + 1, -'[].href'.length));
    return [asOne(all[0], `${links}.*[].href`, relations)];
  });
}

/** A difference that all objects of a map have is one, and no accident: `*.taxonomies` for a map of content types. */
function acrossMaps(differences: readonly Difference[], before: Members): Difference[] {
  const placeOf = ({ subject }: Difference): readonly [map: string, name: string] | undefined => {
    const object = before.parentOf(subject);
    const map = before.parentOf(object);
    return object !== '' && before.isMap(map) ? [map, subject.slice(object.length + 1)] : undefined;
  };
  const alike = groupsBy(differences, (difference) => {
    const { kind, subject, before: was, after: is } = difference;
    const place = placeOf(difference);
    // Some lists and objects of a map are empty.
    const types = [was, is].map((word) => word?.replace('empty ', ''));
    return JSON.stringify(place === undefined ? subject : [kind, ...types, ...place]);
  });
  return alike.flatMap((all) => {
    const first = all.find(({ after = '' }) => !after.startsWith('empty ')) ?? all[0];
    const place = placeOf(first);
    if (place === undefined) return all;
    const [map, name] = place;
    const objects = before.objectsOf(map).filter((object) => before.at(`${object}.${name}`) !== undefined);
    if (all.length < Math.max(FEW, objects.length)) return all;
    const names = objects.map((object) => object.slice(map === '' ? 0 : map.length + 1));
    const subject = `${map === '' ? '' : `${map}.`}*.${name}`;
    return [certain(asOne(first, subject, names))];
  });
}

/** Joins members of one object that became rarer, or are gone where each may be missing by chance, or are all gone. */
function withSiblings(differences: readonly Difference[], before: Members): Difference[] {
  const parentOf = ({ kind, subject }: Difference): string =>
    kind === 'answer-member-removed' ? before.parentOf(subject) : '';
  const keyOf = (found: Difference): string =>
    `${parentOf(found) && `${found.effect} ${found.after ?? ''}`} ${parentOf(found)}`;
  return groupsBy(differences, keyOf).flatMap((all) => {
    const [first] = all;
    const isRarer = first.after === SOMETIMES;
    const parent = parentOf(first);
    if (parent === '' || all.length < (isRarer ? 2 : FEW)) return all;
    if (first.effect !== 'unknown' && all.length < before.insideOf(parent).length) return all;
    const names = all.map(({ subject }) => subject.slice(parent.length + 1));
    const subject = `${parent}.*`;
    if (isRarer) return [{ ...first, subject, before: `always ${names.join(', ')}` }];
    return [asOne(first, subject, names)];
  });
}

/** A difference in types or presence of which enough was seen. */
export function certain<T extends Difference>(difference: T): T {
  const { kind, effect, before = '', after } = difference;
  if (effect !== 'unknown' || kind === 'answer-value' || after === SOMETIMES) return difference;
  const isOther = kind === 'answer-type' && !before.startsWith(NEVER);
  return { ...difference, effect: isOther ? 'incomparable' : 'widens' };
}

/** From this number on, even content-dependent members are reported. */
const MANY = 10;

/** Whether that many objects are enough to tell. What is embedded in a few may be refused because of one other record. */
function isEnough(objects: number, { isOutline }: Members, isRefused: boolean): boolean {
  return isOutline || objects >= (isRefused ? FEW + 2 : FEW);
}

/** A member that only one side has. Items of lists depend on the content. */
function presence(path: string, before: Members, after: Members, same: SharedRecords) {
  const isRemoved = before.at(path) !== undefined;
  const [had, has] = isRemoved ? [before, after] : [after, before];
  const known = had.at(path);
  const parent = had.parentOf(path);
  const objects = has.objectsAt(parent);
  if (path.endsWith('[]') || known === undefined || objects === 0 || has.isCut) return undefined;
  if (has.isNumbered(path, parent)) return undefined;
  // So many unmodified records had it, such as a size of their picture, because so few of all lacked it.
  const have = same.unmodified.length - (had.objectsAt('') - known.seen);
  const loss = isRemoved ? lossOf(path, { was: before, is: after }, have, same) : undefined;
  const isOpen = [had, has].some(({ open }) => open.has(parent));
  const fewer = Math.min(known.of, objects);
  if (loss === undefined && (known.sometimes === true || (isOpen && fewer < MANY))) return undefined;
  const isRefused = [had, has].some((one) => parent !== '' && one.at(`${parent}.data.status`) !== undefined);
  const isSure = !isOpen && isEnough(fewer, had, isRefused);
  if (!isRemoved) return isSure ? differing('answer-member-added', path, true) : undefined;
  return differing('answer-member-removed', path, isSure || loss === 'certain', {
    after: isRefused ? REFUSED : undefined,
    evidence: shares('record', [known.seen, known.of], [0, objects]),
  });
}

/** Whether all records that link to something embedded it, and those that link to it now do not. */
function isStillLinked(path: string, before: Members, after: Members): boolean {
  const place = before.parentOf(path);
  const relation = `${textsOf('observed').links}.${path.slice(place.length + 1)}`;
  const isEmbedded = place.startsWith('_') && place === outermost(path) && relation !== path;
  if (!isEmbedded || before.at(relation)?.seen !== before.at(path)?.seen) return false;
  return (after.at(relation)?.seen ?? 0) >= FEW;
}

/** Whether unmodified records lost a member that is gone. @param have how many of them had it */
function lossOf(path: string, { was, is }: Pair<Members>, have: number, same: SharedRecords) {
  const { seen = 0, sometimes } = was.at(path) ?? {};
  const place = outermost(path);
  if (isStillLinked(path, was, is)) return 'certain';
  if (have >= FEW && sometimes !== true) return 'certain';
  if (seen >= FEW && path !== place && same.isOtherwise(path)) return 'certain';
  // Two pictures do not lose a size together by themselves. Relations come and go without a change of the record.
  return have >= (place === textsOf('observed').links ? FEW : FEW - 1) ? 'likely' : undefined;
}

function rarer({ path, was, is }: SharedMember): Difference | undefined {
  const isRare = was.sometimes === undefined && is.sometimes === true;
  if (!isRare || was.of < MANY || is.of - is.seen < FEW) return undefined;
  return differing('answer-member-removed', path, false, {
    after: SOMETIMES,
    evidence: shares('record', [was.seen, was.of], [is.seen, is.of]),
  });
}

function typeDifference({ path, was, is, same, isStructure }: SharedMember): Difference | undefined {
  const [then, now] = [typesOf(was), typesOf(is)];
  // The type of a member that was always null is unknown; only null that became an empty text is no matter of content.
  if (then.every((type) => type === 'null') && !isEmptied(now, is)) return undefined;
  const gained = now.filter((type) => !covers(then, type));
  const isSoft = (type: ValueType): boolean => isOfContent(type, then, was, is, isStructure);
  // Content does not explain null in records that nobody modified.
  const isNulled = (type: ValueType): boolean =>
    type === 'null' && Math.min(was.seen, is.types.null ?? 0) >= FEW && same.isOtherwise(path);
  const soft = gained.filter((type) => isSoft(type) && !(path === outermost(path) && isNulled(type)));
  const hard = gained.filter((type) => !soft.includes(type));
  const shown = hard.length > 0 ? hard : soft;
  const most = Math.max(0, ...shown.map((type) => is.types[type] ?? 0));
  // Equal answers are noted once, so that few may stand for many.
  const enough = is.types.null === is.seen ? FEW - 1 : FEW;
  // Nor does it explain another type of the same records, such as a map that was printed as an empty list.
  const areSame = path === outermost(path) && was.seen >= FEW && same.isOtherwise(path);
  const isTooFew = (was.seen < MANY && !areSame) || most < enough;
  if (shown.length === 0 || (hard.length === 0 && isTooFew)) return undefined;
  const lost = then.filter((type) => !covers(now, type));
  const isConclusive = hard.length > 0 && was.seen >= FEW && most >= FEW;
  const isOther = lost.length > 0;
  return {
    kind: 'answer-type',
    effect: !isConclusive ? 'unknown' : isOther ? 'incomparable' : 'widens',
    subject: path,
    before: isOther ? either(lost) : NEVER + either(shown),
    after: either(shown),
    evidence: shares('record', [0, was.seen], [most, is.seen]),
  };
}

function isEmptied(now: readonly ValueType[], { seen, texts = {} }: MemberNotes): boolean {
  return now.length === 1 && (/^empty /.test(now[0] ?? '') || texts.empty === seen);
}

function typesOf({ types }: MemberNotes): ValueType[] {
  return VALUE_TYPES.filter((type) => types[type] !== undefined);
}

/** Whether a reader can read another type: lists and objects may be empty, and fractions include integers. */
function covers(known: readonly ValueType[], type: ValueType): boolean {
  if (known.includes(type)) return true;
  if (type === 'empty list') return known.includes('list');
  if (type === 'list')
    return known.includes('empty list') && !known.includes('object') && !known.includes('empty object');
  if (type === 'empty object') return known.includes('object') && !known.includes('empty list');
  if (type === 'object') return known.includes('empty object');
  return type === 'integer' && known.includes('fraction');
}

/** Whether content may explain a type: a few nulls, or an empty map that is printed as a list. */
function isOfContent(
  type: ValueType,
  then: readonly ValueType[],
  was: MemberNotes,
  is: MemberNotes,
  isStructure: boolean,
): boolean {
  if (type === 'null') {
    const nulls = is.types.null ?? 0;
    return nulls < FEW || nulls * 2 < is.seen || was.seen < FEW;
  }
  if (type === 'empty list') {
    const isMap = then.includes('object') && !then.includes('empty object');
    return isMap && !(isStructure && is.types.object === undefined);
  }
  return type === 'object' && then.includes('empty list') && !then.includes('list');
}

/** Texts of another form, and numbers with another sign. */
function valueDifference(member: SharedMember): Difference | undefined {
  const { path, was, is } = member;
  const [then, now] = [kindsOf(was), kindsOf(is)];
  const [[kind, count] = [undefined, 0], another] = then;
  const [[other, more] = [undefined, 0]] = now;
  if (kind === undefined || other === undefined || another !== undefined || kind === other) {
    return signDifference(member);
  }
  if (now.some(([one]) => one === kind) || count < FEW || more < FEW) return undefined;
  // Earlier versions did not distinguish schemes.
  if (kind === 'other address' && other.startsWith('own address')) return undefined;
  const isOrigin = textsOf('observed').origins.includes(outermost(path.replace(/^.*\]\./, '')));
  if (isOrigin && kind === 'own address' && other === 'other address') return undefined;
  // Texts of numbers are parsed, but so many are never anything else by their content alone.
  const isOfMany = kind === 'number' || kind === 'markup' || other === 'markup';
  if (!FORMAL.has(kind) && !(isOfMany && Math.min(count, more) >= MANY)) return undefined;
  return differing('answer-value', path, FORMAL.has(kind), {
    before: wordOf(kind),
    // Only dates and addresses become plain texts for the same reason.
    after: kind === 'number' ? 'another text' : wordOf(other),
    evidence: shares('record', [count, was.seen], [more, is.seen]),
  });
}

/** What had a value in several records, and has none in any now. */
type Emptied = Pick<Difference, 'before' | 'after'> & { readonly empty: number; readonly isSure?: boolean };

/** A member that is empty or zero in all records now, if unmodified records show it, or no record has a date of change. */
function emptied(member: SharedMember): Difference | undefined {
  const { path, was, is, same } = member;
  if ((same.areDated && same.unmodified.length < FEW) || is.seen < FEW) return undefined;
  const found = (was.types.list === undefined ? emptiedText(member) : emptiedList(member)) ?? zeroed(member);
  if (found === undefined) return undefined;
  const { empty, isSure = false, ...words } = found;
  return differing('answer-value', path, isSure, {
    ...words,
    evidence: shares('record', [empty, was.seen], [is.seen, is.seen]),
  });
}

function emptiedText({ path, was, is, same }: SharedMember): Emptied | undefined {
  const [[kind] = []] = kindsOf(was);
  const { empty = 0 } = was.texts ?? {};
  const isFilled =
    kind !== undefined && was.seen - empty >= FEW && (empty === 0 || same.isOtherwiseOrUndated(path));
  if (!isFilled || is.texts?.empty !== is.seen || kindsOf(is).length > 0) return undefined;
  return { before: wordOf(kind), after: 'empty', empty, isSure: same.unmodified.length >= FEW };
}

/** Readers know empty lists. */
function emptiedList({ path, was, is, same }: SharedMember): Emptied | undefined {
  const isFilled = was.seen >= FEW && (was.types.list === was.seen || same.isOtherwiseOrUndated(path));
  const isEmpty = isFilled && typesOf(is).join() === 'empty list';
  return isEmpty ? { before: 'a list', after: 'empty', empty: 0 } : undefined;
}

function zeroed({ path, was, is, same }: SharedMember): Emptied | undefined {
  const { positive = 0 } = was.signs ?? {};
  const areZero = is.signs?.zero === is.seen && Math.min(was.seen, is.seen) >= SEVERAL && positive >= FEW;
  if (!areZero || !same.areSampled || (same.areDated && !same.isOtherwise(path))) return undefined;
  return { before: 'a positive number', after: 'zero', empty: was.seen - positive };
}

function kindsOf({ texts = {} }: MemberNotes): [TextKind, number][] {
  const all: readonly TextKind[] = [...FORMAL.keys(), 'markup', 'number', 'plain'];
  const counts = all.map((kind): [TextKind, number] => [kind, texts[kind] ?? 0]);
  return counts.filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one);
}

function wordOf(kind: TextKind): string {
  return FORMAL.get(kind) ?? (kind === 'markup' ? kind : `a ${kind} text`);
}

function signDifference({ path, was, is }: SharedMember): Difference | undefined {
  const { negative = 0 } = is.signs ?? {};
  if (was.signs === undefined || was.signs.negative !== undefined || was.seen < MANY) return undefined;
  if (negative < FEW || negative * 2 < is.seen) return undefined;
  return differing('answer-value', path, false, {
    before: 'never negative',
    after: 'negative',
    evidence: shares('record', [0, was.seen], [negative, is.seen]),
  });
}
