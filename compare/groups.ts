import { byText, defined, isJson, member } from '../client/json.ts';
import { WRITTEN } from '../client/observed/unsent.ts';
import { parseRoutePattern, plainRoute } from '../client/route-pattern.ts';
import { listed, plural } from '../engine/text.ts';
import { textsOf } from '../specs/texts.ts';
import { causesOf, checkedIn, joinedAs, subjectsOf } from './causes.ts';
import { type Accepted, type Change, declaredMember, digestFor } from './change.ts';
import { byClass, type ChangeClass, type Kind } from './law.ts';
import { RENDERED } from './observed/difference.ts';
import { LIST_AS_OBJECT, SITE } from './surface.ts';
import { accepts, isOpaque, readValueSchema, type ValueSchema } from './value-schema.ts';
import { changeInWords } from './words.ts';

/** One root cause with all its dependents. */
export interface Group {
  readonly id: string;
  /** The same for the same thing in every comparison. People use it to accept and explain the cause. */
  readonly digest: string;
  readonly class: ChangeClass;
  readonly owner: string;
  readonly headline: string;
  /** What changed, in one sentence with places and values. */
  readonly sentence: string;
  /** Who is affected, and what to do. */
  readonly advice: string;
  readonly changes: readonly string[];
  readonly hanging: readonly string[];
  /** Who accepted all of it, why, and until when. */
  readonly accepted?: Accepted;
  /** The software and the two versions between which every site changes like this. */
  readonly everywhere?: string;
}

/** Groups changes by cause, the worst first, then by owner. */
export function groupsOf(changes: readonly Change[]): Group[] {
  const causes = causesOf(changes);
  const last = causes.flatMap((cause) => cause.changes.slice(-1));
  const taken = Map.groupBy(last, (change) => digestFor(change));
  const groups = causes.flatMap(({ changes: alike, dependents, isJoined }): Group[] => {
    // If records with a date of change show it too, those count, because they are known to be unmodified.
    const known = alike.filter(({ after }) => after !== RENDERED.every);
    const [worst] = (known.length > 0 ? known : alike).toSorted(
      (one, other) => byClass(one, other) || Number(isVague(one)) - Number(isVague(other)),
    );
    if (worst === undefined) return [];
    const first = defined({ ...withBefores(worst, alike), whom: whomOf(alike) });
    const isTaken = (taken.get(digestFor(first))?.length ?? 0) > 1;
    const gravest = worstClass(alike, dependents);
    return [
      {
        id: first.id,
        digest: digestFor(
          isJoined ? { ...first, subject: subjectsOf(alike).sort().join() } : first,
          isTaken ? alike : [],
        ),
        class: gravest,
        owner: alike.every(({ owner }) => owner === first.owner) ? first.owner : SITE,
        headline: headlineOf(first, alike),
        sentence: sentenceFor(first, alike),
        advice: adviceFor(first, gravest),
        changes: alike.map(({ id }) => id),
        hanging: dependents.map(({ id }) => id),
      },
    ];
  });
  return groups.toSorted((one, other) => byClass(one, other) || byText(one.owner, other.owner));
}

/** Whether a change of texts does not say how they changed. */
function isVague({ kind, after }: Change): boolean {
  return kind === 'answer-rendered' && after === undefined;
}

/** Whom all of the changes affect. What nobody else asked for may be so for others too. */
function whomOf(alike: readonly Change[]): string | undefined {
  const known = alike.find(({ whom }) => whom !== undefined);
  const isSame = ({ whom, calls }: Change): boolean =>
    whom === undefined ? calls?.callers?.join() === known?.calls?.callers?.join() : whom === known?.whom;
  return alike.every(isSame) ? known?.whom : undefined;
}

function withBefores(first: Change, alike: readonly Change[]): Change {
  const others = new Set(alike.map(({ before }) => before)).size - 1;
  const isOne = alike.every(({ after }) => after === first.after);
  if (others === 0 || first.kind !== 'refusal-changed' || !isOne) return first;
  return { ...first, before: `${first.before} or ${plural(others, 'other')}` };
}

/** The worst class of a cause and its breaking dependents; the other dependents do not count. */
function worstClass(alike: readonly Change[], dependents: readonly Change[]): ChangeClass {
  const counted = [...alike, ...dependents.filter((change) => change.class === 'breaking')];
  return counted.toSorted(byClass)[0]?.class ?? 'compatible';
}

const MOST_PLACES = 3;
const MOST_SUBJECTS = 8;

function sentenceFor(first: Change, alike: readonly Change[]): string {
  const said = `${changeInWords(first)}${forWhom(first)}${first.evidence === undefined ? '' : ` (${first.evidence})`}`;
  const places = [...new Set(alike.map(({ place }) => place))];
  if (said.startsWith(first.place)) return `${said}.`;
  const isNamed = first.kind === 'constraint' || joinedAs(first) !== undefined;
  const subjects = isNamed ? subjectsOf(alike).filter((subject) => subject !== first.subject) : [];
  const others = subjects.length === 0 ? '' : `; likewise ${listed(subjects, MOST_SUBJECTS)}`;
  return `${listed(places, MOST_PLACES)}: ${said}${others}.`;
}

function adviceFor({ kind, subject, after, class: found }: Change, worst: ChangeClass): string {
  const known = textsOf('advice');
  const isOfHeader = (name: string): boolean =>
    kind.startsWith('header-') && `header ${subject}`.startsWith(name);
  const about = known[Object.keys(known).find(isOfHeader) ?? `${kind} ${after}`] ?? known[kind] ?? {};
  const { advice = '', unsure = advice, compatible = 'No caller is affected.' } = about;
  if (found !== 'compatible') return found === 'unknown' ? unsure : advice;
  return worst === 'breaking' ? 'Its dependents in the later run break callers.' : compatible;
}

/** Longer headlines do not fit a line, a mail or a title. */
const LONGEST = 120;
const LONGEST_NAME = 60;
const LONGEST_PATH = 40;
const MOST_NAMES = 3;
const METHOD = /^[A-Z]+ /;
const OF_NO_RECORDS = /^(?:HEAD|OPTIONS) $/;
const ARTICLE = /^the (?:route|namespace|scheme) /;

/** Shorter sentences for headlines, in the words of a client, if the usual ones with names as code are not. */
const CLAUSES: Readonly<Partial<Record<Kind, (change: Change) => string>>> = {
  'path-parameter': (change) => {
    const [was, is] = [formOf(schemaOf(change.before)), formOf(schemaOf(change.after))];
    const name = code(change.subject.replace('path parameter ', ''));
    if (was === is) return `${name} ${taking(change)}`;
    if (change.effect === 'widens') return `${name} accepts ${is}, not only ${was}`;
    const later = schemaOf(change.after);
    const isOften = change.effect === 'incomparable' && was === 'a number' && later && accepts(later, '12');
    return `${name} accepts ${is}, ${isOften ? 'but not every number' : `not ${was}`}`;
  },
  constraint: (change) =>
    turnedList(change) ??
    memberDeclared(change) ??
    moved(change) ??
    lostWords(change) ??
    `${keyword(change)} ${taking(change)}`,
  default: (change) => moved(change) ?? `${keyword(change)} changed`,
  'member-value': (change) => moved(change) ?? `${code(change.subject)} changed`,
  'member-type': ({ subject, before = '', after }) =>
    after === LIST_AS_OBJECT || before.startsWith('an empty ')
      ? `${code(subject)} is ${after}, not ${before}`
      : `${code(subject)} has another type`,
  'address-changed': ({ subject }) => `${code(subject)} is another address`,
  'zone-changed': ({ subject }) => `${code(subject)} is another time zone`,
  'methods-listed': () => 'its list of methods changed',
  'field-removed': ({ subject, with: contexts = [] }) => `${code(subject)} was removed${within(contexts)}`,
  'field-added': ({ subject, with: contexts = [] }) => `${code(subject)} is new${within(contexts)}`,
  'field-moved': ({ subject, before = '', after = '' }) =>
    `${code(subject)} is in ${after}, and was in ${before}`,
  'field-doubtful': ({ subject, with: contexts = [] }) =>
    `some records lack ${code(subject)}${within(contexts)}`,
  'check-broken': () => 'fails now, and did not before',
  'check-observed': ({ after = '' }) => `has the same verdict for another reason (${verdictOf(after)})`,
  'check-fixed': ({ before = '', after = '' }) =>
    `conforms better to the contract (${verdictOf(before)} → ${verdictOf(after)})`,
  'answer-type': ({ subject, before = '', after = '' }) => {
    if (before.startsWith('never ')) return `${code(subject)} may also be ${typeWords(after)}`;
    return `${code(subject)} ${isNot({ before, after })}`;
  },
  'answer-value': ({ subject, before = '', after = '' }) => {
    const [field = '', part] = subject.split(WRITTEN);
    if (part !== undefined) return `what is written to ${code(field)} loses ${part}`;
    return `${code(subject)} is ${after}${before.startsWith('never ') ? ' now' : `, not ${before}`}`;
  },
  'answer-member-removed': ({ subject, class: found, after }) => {
    if (after === 'sometimes') return `some records lack ${code(subject)}`;
    return `${code(subject)} ${found === 'unknown' ? 'may have been removed' : 'was removed'}`;
  },
  'answer-filter': ({ subject }) =>
    `${code(subject)} is ignored, and records that do not match it are returned`,
  'answer-whole': ({ subject }) => `${code(subject)} is ignored, and unchanged content is sent in full`,
  'header-words': ({ subject, before = '', after = '' }) => {
    const header = `the header ${code(subject)}`;
    if (after.startsWith('with ')) return `${header} now says ${after.replace('with ', '')}`;
    if (before.startsWith('with ')) return `${header} no longer says ${before.replace('with ', '')}`;
    return `${header} says ${after}, not ${before}`;
  },
};

/** What changed, in one line with the places. @param alike the changes with the same cause */
function headlineOf(first: Change, alike: readonly Change[]): string {
  const said = CLAUSES[first.kind]?.(first) ?? changeInWords(first, code);
  const clause = described(alike) ?? plainRoute(said);
  const places = [...new Set(alike.map(({ place }) => place))];
  if (clause.startsWith(plainRoute(first.place))) return clip(clause, LONGEST);
  const number = places.length === 1 ? '' : `: ${countOf(places, first)}`;
  // Fewer names if the sentence would be too long.
  const names = places.map((place) => plainRoute(place.replace(ARTICLE, '')));
  const wheres = [MOST_NAMES, 1].map((most) => whereOf(names, first, most));
  const counts = [true, false].map((isNamed) => likewise(first, alike, isNamed) + forWhom(first) + number);
  const ways = counts.flatMap((count) =>
    wheres.map((where) => ({ where, count, room: LONGEST - count.length - ': '.length })),
  );
  const fitting = ways.find(({ where, room }) => where.length + clause.length <= room);
  const [, , shortest = { where: '', count: '', room: LONGEST }] = ways;
  const { where, count, room } = fitting ?? shortest;
  const name = clip(where, Math.max(LONGEST_NAME, room - clause.length));
  return `${name}: ${clip(clause, room - name.length)}${count}`;
}

function forWhom({ whom }: Change): string {
  return whom === undefined ? '' : `, for ${clip(whom, LONGEST_PATH)}`;
}

/** For several checks that fail, codes of refusals that became one, or parameters that accept the same as before. */
function described(alike: readonly Change[]): string | undefined {
  const [first] = alike;
  const subjects = subjectsOf(alike);
  if (first === undefined || subjects.length === 1) return undefined;
  if (first.kind === 'check-broken')
    return `checks of ${code(checkedIn(first))} fail now, and did not before`;
  const [codes, alone] = [
    new Set(alike.map(({ before, after }) => `${before} ${after}`)),
    new Set(alike.map(({ after }) => after)),
  ];
  if (first.kind === 'refusal-changed' && alone.size > 1)
    return `${codes.size} codes of refusals changed alike, such as ${first.before}, which is ${first.after}`;
  const [, member] = /^(\S+) of "/.exec(first.subject) ?? [];
  if (first.kind === 'refusal-changed' && member !== undefined)
    return `${code(member)} of ${subjects.length} kinds of refusals ${isNot(first)}`;
  if (first.kind === 'refusal-changed') {
    const others = first.after === 'none' ? 'have no code' : `have the code ${first.after}`;
    return `${subjects.length} kinds of refusals ${others} now`;
  }
  if (first.kind !== 'constraint' || first.effect !== 'none') return undefined;
  const names = new Set(subjects.map((subject) => subject.split(' ')[0]));
  return `${plural(names.size, 'parameter')} described in other words`;
}

/** @param isNamed whether one other is named, not counted */
function likewise(first: Change, alike: readonly Change[], isNamed: boolean): string {
  const noun = joinedAs(first);
  const [other, ...more] = subjectsOf(alike).filter((name) => name !== first.subject);
  if (noun === undefined || other === undefined) return '';
  const name = code(other.replace(/^.*[ /]properties\//, ''));
  return `, likewise ${isNamed && more.length === 0 ? name : plural(more.length + 1, `other ${noun}`)}`;
}

/** The place, or for several places what they have in common, or the first ones. */
function whereOf(places: readonly string[], { owner }: Change, most: number): string {
  const [only = ''] = places;
  if (places.length === 1) return only;
  const parts = places.map((place) => place.replace(METHOD, '').replace(`/${owner}/`, ''));
  const names = [...new Set(parts.map((part) => part.split('/').find((word) => /^[^{]/.test(word)) ?? part))];
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  // If only one method shows it, or only those that return no records, the headline names it.
  const methods = [...new Set(places.map((place) => METHOD.exec(place)?.[0] ?? ''))];
  const isNamed = methods.length === 1 || methods.every((method) => OF_NO_RECORDS.test(method));
  const common = isNamed ? methods.join('') : '';
  return common + clip(names.slice(0, most).join(', '), LONGEST_NAME) + more;
}

/** Methods of one route count as one. */
function countOf(places: readonly string[], { kind, place }: Change): string {
  if (kind.startsWith('check-')) return plural(places.length, 'check');
  if (!place.includes('/')) return plural(places.length, 'place');
  const routes = new Set(places.map((place) => place.replace(METHOD, '')));
  return routes.size === 1 ? plural(places.length, 'method') : plural(routes.size, 'route');
}

function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, Math.max(0, most - 1)).trimEnd()}…` : text;
}

/** A name as code, without grave accents, which would end it. */
function code(name: string): string {
  return `\`${clip(ending(plainRoute(name).replaceAll('`', '')), LONGEST_NAME)}\``;
}

function ending(path: string): string {
  const parts = path.split('.');
  while (parts.length > 1 && parts.join('.').length > LONGEST_PATH) parts.shift();
  const end = parts.join('.');
  return end === path ? path : `…${end}`;
}

/** The parameter and its keyword: `per_page` maximum. */
function keyword({ subject }: Change): string {
  const [name = '', ...rest] = subject.split(' ');
  return [code(name), ...rest].join(' ');
}

/** A parameter that became a list, or was one. All of its keywords changed with that. */
function turnedList(change: Change): string | undefined {
  const [was, is] = [change.before, change.after].map(
    (text = '') => isJson(text) && member(JSON.parse(text), 'type'),
  );
  if (typeof was !== 'string' || typeof is !== 'string' || (was === 'array') === (is === 'array'))
    return undefined;
  return `${code(declaredMember(change.subject))} is ${is === 'array' ? 'a list, not a single value' : 'a single value, not a list'}`;
}

function memberDeclared({ subject, before, after, effect }: Change): string | undefined {
  const [parameter = ''] = subject.split(' ');
  const [, name] = /[ /]properties\/([^/ ]+)$/.exec(subject) ?? [];
  if (name === undefined || (before === undefined) === (after === undefined)) return undefined;
  const now = effect === 'narrows' ? 'is new and required' : 'is new';
  return `the member ${code(name)} of ${code(parameter)} ${before === undefined ? now : 'was removed'}`;
}

function moved(change: Change): string | undefined {
  const { before = 'nothing', after = 'nothing' } = change;
  if (before.length + after.length > LONGEST_NAME / 2) return undefined;
  return `${keyword(change)} is ${after}, not ${before}`;
}

function lostWords({ subject, effect, lost = [] }: Change): string | undefined {
  const isEnum = /[ /]enum$/.test(subject) && effect === 'narrows';
  if (!isEnum || lost.length === 0 || lost.join().length > LONGEST_NAME / 2) return undefined;
  return `${code(subject.replace(/ .*$/, ''))} no longer accepts ${lost.join(' or ')}`;
}

function taking({ effect }: Change): string {
  if (effect === 'unknown' || effect === 'none') return 'is declared differently';
  return `accepts ${{ narrows: 'fewer', widens: 'more', incomparable: 'other' }[effect]} values than before`;
}

function within(contexts: readonly string[]): string {
  return contexts.length === 0 ? '' : ` in ${contexts.join(', ')}`;
}

function verdictOf(text: string): string {
  return text.split(':')[0] ?? text;
}

function isNot({ before = '', after = '' }: Pick<Change, 'before' | 'after'>): string {
  return `is ${typeWords(after)}, not ${typeWords(before)}`;
}

function typeWords(types: string): string {
  const withArticle = (type: string): string => `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
  const words = types.split(' or ').map((type) => (type === 'null' ? type : withArticle(type)));
  return words.join(' or ');
}

/** What the path parameter of a pattern accepts, by samples; its expression runs in the same engine as all others. */
function formOf(schema: ValueSchema | undefined): string {
  if (schema === undefined || isOpaque(schema)) return 'another form';
  const takes = (...values: string[]): boolean => values.some((value) => accepts(schema, value));
  if (takes('a/b', 'a//b')) return 'a path';
  if (takes('a-b', 'abc')) return takes('a b') ? 'any text' : 'a slug';
  return takes('7') ? 'a number' : 'another form';
}

function schemaOf(text = ''): ValueSchema | undefined {
  const [part] = parseRoutePattern(text);
  const pattern = part !== undefined && 'pattern' in part ? part.pattern : undefined;
  return pattern === undefined ? undefined : readValueSchema({ type: 'string', pattern: `^(?:${pattern})$` });
}
