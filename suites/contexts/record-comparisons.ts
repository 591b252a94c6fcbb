import { type JsonObject, member } from '../../client/json.ts';
import type { Finding } from '../../engine/check.ts';
import { failure, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { groupsBy } from '../../engine/text.ts';
import { contradictions, type SiteRecord } from '../../probing/records/reading/record.ts';
import { askAgain, type ShownAnswer, withRequests } from '../../probing/records/reading/shown-answers.ts';
import type { Contract } from '../../specs/model.ts';
import { fieldsOf } from './read-context.ts';

/**
 * In which members two answers about a record differ, as names or as paths such as `title.rendered`.
 * @param answers all records of either answer; left out if any difference counts
 */
export type Differing = (one: SiteRecord, other: SiteRecord, answers?: Answers) => string[];
type Answers = readonly [one: readonly SiteRecord[], other: readonly SiteRecord[]];

/** What an answer about a record must agree on with the others, by a name that these share. */
export function comparisonsOf(
  contract: Contract,
  collection: string,
): (shown: ShownAnswer) => [within: string, Differing][] {
  const names = fieldsOf(contract, collection).map(({ wire }) => wire);
  const has = ({ json }: SiteRecord, name: string): boolean => member(json, name) !== undefined;
  const contradicting: Differing = (one, other) => contradictions(contract, collection, one.json, other.json);
  // The context decides which fields are present (§2).
  const lacking: Differing = (one, other) => names.filter((name) => has(one, name) !== has(other, name));
  const emptied = differingTexts(names, (one, other) => (one.length === 0) !== (other.length === 0));
  const foreign = foreignTexts(names);
  return ({ context, query }) => {
    const all: [within: string, Differing][] = [['', contradicting]];
    if (context !== undefined) all.push([context, lacking]);
    if (query.some(([name]) => TURNING.test(name))) return all;
    if (context !== undefined) all.push([`texts in ${context}`, emptied], [`words in ${context}`, foreign]);
    return [...all, ['title', foreignTitle]];
  };
}

/** A member, or one of a field, such as `title.rendered`. */
export function memberAt(json: JsonObject, path: string): unknown {
  return member(json, path) ?? path.split('.').reduce(member, json);
}

/** Arguments that change rendered texts: a password, the length of excerpts, and words that software may mark. */
const TURNING = /^(password|excerpt_length|search)\b/;

type Words = readonly string[];

/** Titles without a common word, in any context. Other texts may be made anew for each answer. */
const foreignTitle = differingTexts(['title'], (one, other) => !one.some((word) => other.includes(word)));

function differingTexts(names: readonly string[], differ: (one: Words, other: Words) => boolean): Differing {
  return (one, other) =>
    names.flatMap((name) => {
      const [first, second] = [one, other].map(({ json }) => member(member(json, name), 'rendered'));
      if (first === second || typeof first !== 'string' || typeof second !== 'string') return [];
      const [words, others] = [wordsOf(first), wordsOf(second)];
      const hasNone = words.length === 0 && others.length === 0;
      return !hasNone && differ(words, others) ? [`${name}.rendered`] : [];
    });
}

/** Rendered texts that the other answer, in which the two differ, shows of another record. */
function foreignTexts(names: readonly string[]): Differing {
  return (one, other, answers) =>
    names.flatMap((name) => {
      const textOf = ({ json }: SiteRecord): unknown => member(member(json, name), 'rendered');
      const [first, second] = [textOf(one), textOf(other)];
      if (first === second || typeof first !== 'string' || typeof second !== 'string') return [];
      const isAmong = (text: string, records: readonly SiteRecord[]): boolean =>
        hasWords(text) && records.some((record) => record.id !== one.id && textOf(record) === text);
      const isForeign = answers === undefined || isAmong(second, answers[0]) || isAmong(first, answers[1]);
      return isForeign ? [`${name}.rendered`] : [];
    });
}

const hasWords = (text: string): boolean => wordsOf(text).length >= FEWEST_WORDS;
/** Texts of fewer words may be alike by chance. */
const FEWEST_WORDS = 3;

/** The words of letters in a text, without markup: numbers may count something. */
function wordsOf(text: string): Words {
  const spoken = text.replaceAll(/<[^<>]*>/g, ' ');
  return spoken.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

/** The finding if two answers at one address, in contexts of their own, show other ids (§2). */
export async function otherIds(
  session: Session,
  answers: readonly ShownAnswer[],
): Promise<Finding | undefined> {
  const idsIn = (items: readonly unknown[]): string => {
    const ids = items.map((item) => show(member(item, 'id')));
    return ids.sort().join(', ');
  };
  const plain = answers.filter(({ query }) => query.every(([name]) => name === 'context'));
  for (const [first, ...others] of groupsBy(plain, ({ route, as }) => `${as} ${route}`)) {
    const other = others.find(({ items }) => idsIn(items) !== idsIn(first.items));
    if (other === undefined) continue;
    const looks: string[] = [];
    for (const one of [first, other, first]) looks.push(idsIn([(await askAgain(session, one)).json].flat()));
    const [expected = '', observed = '', after] = looks;
    if (expected === observed || expected !== after) continue;
    const message = `one address shows other ids in the context ${other.context} than in ${first.context}`;
    const finding = failure(message, { expected, observed, reproduce: [first.curl, other.curl] });
    return withRequests(session, finding, [first, other]);
  }
  return undefined;
}
