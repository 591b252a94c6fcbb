import { member } from '../../../client/json.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { describeArgs } from '../../../probing/records/reading/list-request.ts';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import { isProtected, type SiteRecord, textOf, valuesOf } from '../../../probing/records/reading/record.ts';
import {
  countOf,
  dueIn,
  idsOf,
  jointly,
  type Keeps,
  type Records,
  type Rule,
  type RuleSite,
  subsetTrial,
  type Trial,
  without,
} from '../../../probing/records/reading/trials.ts';
import { parameterNamed } from '../../../specs/find-resource.ts';
import { memoized } from '../../../specs/memoized.ts';
import { type Filter, fitsOnPage, inUsualOrder, MOST_VALUES } from './member-rules.ts';

/**
 * A search finds the records with the word in their title, and, as far as stored text shows, none without it; in the
 * order that only a search has, too.
 */
const searches: Rule = (snapshot, site) => {
  const { page: records } = snapshot;
  const name = site.wire('search');
  const titles = longest(titleWords(records), distinguishes(records, keepsTitles));
  if (titles !== undefined) {
    const found = subsetTrial({ [name]: titles, ...inUsualOrder(snapshot, site) }, keepsTitles(titles));
    const isOrdered = records.filter((record) => keepsTitles(titles)(record) === true).length > 1;
    const several = isOrdered ? [] : findsSeveral(snapshot, site);
    return [found, ...several, ...byRelevance(titles, keepsTitles(titles), snapshot, site)];
  }
  // Revisions of one record often share their title.
  const inside = longest(contentWords(records), distinguishes(records, byContent));
  if (inside !== undefined) {
    const keeps = byContent(inside);
    return [subsetTrial({ [name]: inside }, keeps), ...byRelevance(inside, keeps, snapshot, site)];
  }
  return inconclusive('no word of letters, five or more, distinguishes the titles of the visible records');
};

/** A search that finds several records, whose default order the check of every answer evaluates. */
function findsSeveral(snapshot: Snapshot, site: RuleSite): Trial[] {
  const usual = inUsualOrder(snapshot, site);
  const [word] = commonWords(snapshot.page);
  const keeps = word === undefined ? undefined : keepsWords(word);
  const count = snapshot.page.filter((record) => keeps?.(record) === true).length;
  if (keeps === undefined || count < 2 || Object.keys(usual).length === 0) return [];
  return [jointly(subsetTrial({ [site.wire('search')]: word, ...usual }, keeps))];
}

const RELEVANCE = 'relevance';

/** A search in the order of relevance, on one page: where that order puts a record is not specified. */
function byRelevance(word: string, keeps: Keeps, snapshot: Snapshot, { operation, wire }: RuleSite): Trial[] {
  const takesIt = parameterNamed(operation, 'orderby')?.schema.enum?.includes(RELEVANCE) === true;
  if (!takesIt || !fitsOnPage(snapshot)) return [];
  const args = { [wire('search')]: word, [wire('orderby')]: RELEVANCE };
  const { requests, evaluate } = subsetTrial(args, keeps);
  return [{ requests, evaluate, skipsRefused: true }];
}

const searchesWidely: Rule = ({ page: records }, site) => {
  const [word] = byFrequency(titleWords(records).sort(), records, wordsOfTitle);
  if (word === undefined)
    return inconclusive('no title of the visible records has a word of letters, five or more');
  return [subsetTrial({ [site.wire('search')]: word }, keepsTitles(word))];
};

/** A search, and a rule for it with a word that many records have. */
export const bySearch: Filter & { readonly wide: Rule } = {
  rule: searches,
  wide: searchesWidely,
  predicted: {
    values: (records) => commonWords(records).slice(0, MOST_VALUES),
    keeps: (value) =>
      typeof value === 'string' && /^[a-z]{5,}$/i.test(value) ? keepsWords(value) : undefined,
  },
};

/** Keeps the records whose title certainly has a word, and excludes those that certainly lack it everywhere. */
function keepsTitles(word: string): Keeps {
  return keepsIf((record) => wordsOfTitle(record).includes(word), lacks(word));
}

type Holds = (record: SiteRecord) => boolean;

/** A search may leave out a record for its password, which hides its text from some callers, but not find it for that. */
function keepsIf(isFound: Holds, isLeftOut: Holds): Keeps {
  return (record) => {
    if (isFound(record)) return isProtected(record) ? undefined : true;
    return isLeftOut(record) ? false : undefined;
  };
}

/** Keeps the records whose title or content certainly has a word, and excludes those that certainly lack it. */
function keepsWords(word: string): Keeps {
  const [title, content] = [keepsTitles(word), byContent(word)];
  return (record) => (content(record) === true ? true : title(record));
}

function byContent(word: string): Keeps {
  return keepsIf((record) => wordsOfContent(record).has(word), lacks(word));
}

/** Whether the stored text shows that a search cannot find a record by a word: it reads columns that are not shown, too. */
function lacks(word: string): Holds {
  return (record) =>
    ALL_COLUMNS.every((column) => storedText(record, column) !== undefined) && !mentions(record, word);
}

/** Whether a word certainly describes some but not all of the records. */
function distinguishes(records: Records, keepsOf: (word: string) => Keeps): (word: string) => boolean {
  return (word) => {
    const kept = records.map(keepsOf(word));
    return kept.includes(true) && kept.some((keep) => keep !== true);
  };
}

/** A search in one column finds a word there, and none that only other columns have. */
export function searchesColumn(column: string): Rule {
  return ({ page }, site) => {
    const visible = page.filter((record) => !isProtected(record) && storedText(record, column) !== undefined);
    if (visible.length === 0)
      return inconclusive(`the records do not show the text that is stored in ${column}`);
    const inside = longest(wordsIn(visible, [column]), () => true);
    const others = ALL_COLUMNS.filter((other) => other !== column);
    const outside = longest(wordsIn(visible, others), (word) =>
      visible.some((record) => isOutside(record, column, word) && wordsIn([record], others).includes(word)),
    );
    if (inside === undefined)
      return inconclusive(`no visible record has a word of letters, five or more, in ${column}`);
    if (outside === undefined)
      return inconclusive(`no visible record has a word in another column that is not in ${column} too`);
    const searching: Searching = (word, columns) => ({
      [site.wire('search')]: word,
      [site.wire('search_columns')]: columns,
    });
    const trials = [...new Set([inside, outside])].map((word) => {
      const isInside: Holds = (record) => wordsIn([record], [column]).includes(word);
      const keeps = keepsIf(isInside, (record) => isOutside(record, column, word));
      return jointly(subsetTrial(searching(word, [column]), keeps));
    });
    const besides = PAIR.includes(column) ? inTwoColumns(column, visible, searching) : undefined;
    return besides === undefined ? trials : [...trials, besides];
  };
}

/** Two columns that are searched together, for a word of each: reading only the first or last shows. */
const PAIR: readonly string[] = ['post_title', 'post_content'];

/**
 * A search in two columns finds a word that only one of them has, and none that only the third one has; undefined if
 * there is no such word.
 */
function inTwoColumns(column: string, visible: Records, searching: Searching): Trial | undefined {
  const others = PAIR.filter((other) => other !== column);
  const isInColumn = (record: SiteRecord, word: string): boolean =>
    wordsIn([record], [column]).includes(word) && others.every((other) => isOutside(record, other, word));
  const isInNeither = (record: SiteRecord, word: string): boolean =>
    PAIR.every((one) => isOutside(record, one, word));
  const words = wordsIn(visible, [column]);
  const isFound = (word: string): boolean => visible.some((record) => isInColumn(record, word));
  const further = ALL_COLUMNS.filter((one) => !PAIR.includes(one));
  const third = new Set(wordsIn(visible, further));
  const isInThirdAlone = (word: string): boolean =>
    third.has(word) && visible.some((record) => isInNeither(record, word) && mentions(record, word));
  const word = longest(words, (one) => isInThirdAlone(one) && isFound(one)) ?? longest(words, isFound);
  if (word === undefined) return undefined;
  const keeps = keepsIf(
    (record) => isInColumn(record, word),
    (record) => isInNeither(record, word),
  );
  return jointly(subsetTrial(searching(word, PAIR), keeps));
}

type Searching = (word: string, columns: readonly string[]) => Args;

function isOutside(record: SiteRecord, column: string, word: string): boolean {
  const [text, sought] = [storedText(record, column), word.toLowerCase()];
  return text !== undefined && !text.includes(sought) && !fileNames(record).includes(sought);
}

/** The longest word that fits: long words are seldom too common. */
function longest(words: readonly string[], fits: (word: string) => boolean): string | undefined {
  return [...new Set(words)]
    .sort((one, other) => other.length - one.length || (one < other ? -1 : 1))
    .find(fits);
}

/**
 * An exact search does not find two words that are apart, which a plain search finds, but finds a title that equals the
 * search. If no title is a single word, a quoted title is tried; it proves something only if found, because the meaning
 * of quotes is not stated.
 */
export const searchesExactly: Rule = ({ page }, site) => {
  const visible = page.filter((record) => !isProtected(record) && textOf(record, 'title')?.raw === true);
  if (visible.length === 0) return inconclusive('the records do not show the titles that are stored');
  const plain = (search: string): Args => ({ [site.wire('search')]: search });
  const exact = (search: string): Args => ({ ...plain(search), [site.wire('search_semantics')]: 'exact' });
  const turned = swappedWords(visible);
  if (turned === undefined)
    return inconclusive('no visible text has two words of letters that could be swapped');
  const single = visible.find((record) => /^[a-z]{3,}$/i.test(textOf(record, 'title')?.text ?? ''));
  const apart = findsNoneApart(turned.record, turned.phrase, plain(turned.phrase), exact(turned.phrase));
  if (single !== undefined) return [apart, findsTitle(single, exact)];
  const quoted = visible.find((record) => /^[a-z]+( [a-z]+)+$/i.test(textOf(record, 'title')?.text ?? ''));
  if (quoted === undefined) return inconclusive('no visible title is made of words of letters alone');
  return [apart, findsQuoted(quoted, exact)];
};

/** Two words of a text in reverse order, so that no column of any record has them next to each other. */
function swappedWords(records: Records): { phrase: string; record: SiteRecord } | undefined {
  for (const column of ALL_COLUMNS) {
    for (const record of records) {
      const words = wordsIn([record], [column]);
      const [first, last] = [words[0], words.at(-1)];
      if (first === undefined || last === undefined || first === last) continue;
      const phrase = `${last} ${first}`;
      const isSomewhere = (other: SiteRecord): boolean =>
        ALL_COLUMNS.some((any) => storedText(other, any)?.includes(phrase.toLowerCase()) === true);
      if (!records.some(isSomewhere)) return { phrase, record };
    }
  }
  return undefined;
}

/** A plain search finds the words of a record apart, and an exact one no record in which they are apart. */
function findsNoneApart(record: SiteRecord, phrase: string, plain: Args, exact: Args): Trial {
  return {
    requests: [plain, exact],
    evaluate([loose = [], strict = []], snapshot) {
      const extra = without(dueIn(loose, strict, snapshot), loose);
      if (extra.length > 0) {
        const message = `${describeArgs(exact)} finds records that the plain search does not`;
        return { message, expected: countOf(loose), observed: countOf(strict) };
      }
      const before = new Map(snapshot.records.map((one) => [one.id, one]));
      const wrong = strict.filter(({ id }) => {
        const one = before.get(id);
        const texts = one && !isProtected(one) ? ALL_COLUMNS.map((column) => storedText(one, column)) : [];
        return texts[0] !== undefined && !texts.some((text) => text?.includes(phrase.toLowerCase()));
      });
      if (wrong.length === 0) return undefined;
      const message = `${describeArgs(exact)} finds records in which the words stand apart`;
      return { message, expected: `without ${countOf(wrong)}`, observed: countOf(strict) };
    },
    whyUnproven: ([loose = []]) =>
      holds(loose, record)
        ? undefined
        : inconclusive(
            `${describeArgs(plain)} finds no record either, so nothing shows what exact leaves out`,
          ),
  };
}

/** An exact search for a title must find its record. */
function findsTitle(record: SiteRecord, exact: (search: string) => Args): Trial {
  const args = exact(textOf(record, 'title')?.text ?? '');
  return jointly({
    requests: [args],
    evaluate([answer = []], { records }) {
      if (!holds(records, record) || holds(answer, record)) return undefined;
      const message = `${describeArgs(args)} does not find the record with exactly this title`;
      return { message, expected: `${record.id} among them`, observed: idsOf(answer) || 'nothing' };
    },
  });
}

/** An exact search for a title in quotes, whose meaning is not stated: it shows nothing unless it finds the record. */
function findsQuoted(record: SiteRecord, exact: (search: string) => Args): Trial {
  return {
    requests: [exact(`"${textOf(record, 'title')?.text ?? ''}"`)],
    evaluate: () => undefined,
    whyUnproven: ([answer = []]) =>
      holds(answer, record)
        ? undefined
        : inconclusive('no visible title is a single word, which an exact search would have to find'),
  };
}

const holds = (records: Records, { id }: SiteRecord): boolean => records.some((one) => one.id === id);

/** The words of the titles of some records that a search certainly accepts. */
export function titleWords(records: Records): string[] {
  return [...new Set(records.flatMap((record) => searchWords(textOf(record, 'title')?.text ?? '')))];
}

/** The words of titles and contents that a search certainly accepts, those that most records have first. */
export function commonWords(records: Records): string[] {
  const words = new Set([...titleWords(records), ...contentWords(records)]);
  return byFrequency([...words], records, (record) => [...wordsOfTitle(record), ...wordsOfContent(record)]);
}

function contentWords(records: Records): string[] {
  return records.flatMap((record) => [...wordsOfContent(record)]);
}

/** Sorts words by how many records have them for sure. Each record is read once: there may be thousands. */
function byFrequency(
  words: readonly string[],
  records: Records,
  wordsOf: (record: SiteRecord) => readonly string[],
): string[] {
  const found = records.filter((record) => !isProtected(record)).flatMap((one) => [...new Set(wordsOf(one))]);
  const counts = Map.groupBy(found, (word) => word);
  const holders = (word: string): number => counts.get(word)?.length ?? 0;
  return words.toSorted((one, other) => holders(other) - holders(one));
}

/** The words of columns that a search certainly accepts; none of a record that does not show what is stored. */
function wordsIn(records: Records, columns: readonly string[]): string[] {
  return columns.flatMap((column) =>
    records.flatMap((record) => [...(storedIn(record, column)?.words ?? [])]),
  );
}

/** The columns that a search can be limited to (§4.6), and the members of records and media that show them. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  post_title: ['title'],
  post_content: ['content', 'description'],
  post_excerpt: ['excerpt', 'caption'],
};
const ALL_COLUMNS = Object.keys(COLUMNS);

/** The stored text of a column in lower case; undefined if the record does not show it. */
function storedText(record: SiteRecord, column: string): string | undefined {
  return storedIn(record, column)?.text;
}

function storedIn(record: SiteRecord, column: string): ShownText | undefined {
  return (COLUMNS[column] ?? []).map((name) => shownText(record, name)).find((text) => text?.raw === true);
}

/** A text in lower case, and its words, as they are spelled, that a search certainly accepts. */
interface ShownText {
  readonly text: string;
  readonly raw: boolean;
  readonly words: ReadonlySet<string>;
}

/** The texts of each record by the names of their members. They are read once, because many words are looked up in them. */
const textsOf = memoized((_: object) => new Map<string, ShownText | undefined>());

function shownText(record: SiteRecord, name: string): ShownText | undefined {
  const known = textsOf(record.json);
  const shown = known.has(name) ? undefined : textOf(record, name);
  if (shown !== undefined)
    known.set(name, { ...shown, text: shown.text.toLowerCase(), words: new Set(searchWords(shown.text)) });
  return known.get(name);
}

/**
 * Words of ASCII letters without markup, long enough that searches do not drop them as too common. Whether a search
 * finds a word in other letter case is silent, so a word stays as it is spelled.
 */
function searchWords(text: string): string[] {
  const plain = text.replaceAll(/<[^<>]*>|&[a-z0-9#]+;/gi, ' ');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => /^[a-z]{5,}$/i.test(word));
}

/** Whether any member of a record contains a text, in any letter case, column, name or address except links. */
function mentions({ json }: SiteRecord, text: string): boolean {
  return allTextOf(json).includes(text.toLowerCase());
}

/** All that a record shows as one text, because many words are looked up in it. */
const allTextOf = memoized((json: object) => {
  const written = (name: string, value: unknown): unknown => (name === '_links' ? undefined : value);
  return JSON.stringify(json, written).toLowerCase();
});

/** The addresses of a media item, because searches of media also match file names. */
function fileNames({ json }: SiteRecord): string {
  const shown = ['source_url', 'guid', 'media_details'].map((name) => member(json, name));
  return JSON.stringify(shown).toLowerCase();
}

/** The words that a title certainly has: in its stored form, or in its rendered form and in the slug. */
function wordsOfTitle(record: SiteRecord): string[] {
  const title = shownText(record, 'title');
  const words = [...(title?.words ?? [])];
  if (title?.raw === true) return words;
  const slug = String(valuesOf(record, 'slug')?.[0] ?? '').split('-');
  return words.filter((word) => slug.includes(word.toLowerCase()));
}

/** The words that a content certainly has. Whether a search reads the descriptions of uploads is silent. */
function wordsOfContent(record: SiteRecord): ReadonlySet<string> {
  const content = shownText(record, 'content');
  return content?.raw === true ? content.words : new Set();
}
