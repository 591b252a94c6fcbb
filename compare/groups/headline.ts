import { isJson, member } from '../../client/json.ts';
import { WRITTEN } from '../../client/observed/unsent.ts';
import { parseRoutePattern, plainRoute } from '../../client/route-pattern.ts';
import { plural } from '../../engine/text.ts';
import { type Change, declaredMember } from '../change.ts';
import { LIST_AS_OBJECT } from '../declared/surface.ts';
import { accepts, isOpaque, readValueSchema, type ValueSchema } from '../declared/value-schema.ts';
import type { Kind } from '../law.ts';
import { checkedIn, joinedAs, subjectsOf } from './causes.ts';
import { changeInWords } from './words.ts';

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
export function headlineOf(first: Change, alike: readonly Change[]): string {
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

/** Who is affected, if others are not. */
export function forWhom({ whom }: Change): string {
  return whom === undefined ? '' : `, for ${clip(whom, LONGEST_PATH)}`;
}

/** For several parameters that go or accept the same as before, checks that fail, or codes of refusals that became one. */
function described(alike: readonly Change[]): string | undefined {
  const [first] = alike;
  const subjects = subjectsOf(alike);
  if (first === undefined || subjects.length === 1) return undefined;
  if (first.kind === 'parameter-removed') return 'all parameters were removed';
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
  const name = code(other.replace(/^.*[ /]properties\/| of ".*$/g, ''));
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
