import { type JsonObject, member } from '../../client/json.ts';
import { contradictions, type SiteRecord } from '../../probing/records/reading/record.ts';
import type { ShownAnswer } from '../../probing/records/reading/shown-answers.ts';
import type { Contract } from '../../specs/model.ts';
import { fieldsOf } from './read-context.ts';

/** In which members two answers about a record differ, as names or as paths such as `title.rendered`. */
export type Differing = (one: SiteRecord, other: SiteRecord) => string[];

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
  return ({ context, query }) => {
    const all: [within: string, Differing][] = [['', contradicting]];
    if (context !== undefined) all.push([context, lacking]);
    if (query.some(([name]) => TURNING.test(name))) return all;
    if (context !== undefined) all.push([`texts in ${context}`, emptied]);
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

/** The words of letters in a text, without markup: numbers may count something. */
function wordsOf(text: string): Words {
  const spoken = text.replaceAll(/<[^<>]*>/g, ' ');
  return spoken.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}
