import { inconclusive } from '../../../engine/findings.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { describeArgs } from '../../../probing/records/reading/list-request.ts';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import { isProtected, type SiteRecord, textOf } from '../../../probing/records/reading/record.ts';
import type { Keeps, Records, Rule, RuleSite, Trial } from '../../../probing/records/reading/run-rule.ts';
import {
  countOf,
  dueIn,
  idsOf,
  jointly,
  subsetTrial,
  without,
} from '../../../probing/records/reading/run-rule.ts';
import { parameterNamed } from '../../../specs/find-resource.ts';
import { type Filter, inUsualOrder, MOST_VALUES } from './member-rules.ts';
import {
  COLUMNS,
  commonWords,
  contentWords,
  countWords,
  fileNames,
  mentions,
  storedText,
  storedWords,
  titleWords,
  wordsOfColumn,
  wordsOfContent,
  wordsOfTitle,
} from './searchable-text.ts';

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
function byRelevance(
  word: string,
  keeps: Keeps,
  { complete, total, size }: Snapshot,
  { operation, wire }: RuleSite,
): Trial[] {
  const takesIt = parameterNamed(operation, 'orderby')?.schema.enum?.includes(RELEVANCE) === true;
  if (!takesIt || !complete || total > size) return [];
  const args = { [wire('search')]: word, [wire('orderby')]: RELEVANCE };
  const { requests, evaluate } = subsetTrial(args, keeps);
  return [{ requests, evaluate, skipsRefused: true }];
}

/** A search for the most frequent certain word of the titles. */
const searchesWidely: Rule = ({ page: records }, site) => {
  const counts = countWords(records, wordsOfTitle);
  const [word] = titleWords(records).sort(
    (one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1),
  );
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
  return unlessHidden((record) => (wordsOfTitle(record).includes(word) ? true : lacks(record, word)));
}

/** A search may leave out a record for its password, which hides its text from some callers, but not find it for that. */
function unlessHidden(keeps: Keeps): Keeps {
  return (record) => {
    const kept = keeps(record);
    return kept === true && isProtected(record) ? undefined : kept;
  };
}

/** Keeps the records whose title or content certainly has a word, and excludes those that certainly lack it. */
function keepsWords(word: string): Keeps {
  const [title, content] = [keepsTitles(word), byContent(word)];
  return (record) => (content(record) === true ? true : title(record));
}

function byContent(word: string): Keeps {
  return unlessHidden((record) => (wordsOfContent(record).has(word) ? true : lacks(record, word)));
}

/** False if the stored text shows that a search cannot find a record by a word; undefined otherwise. */
function lacks(record: SiteRecord, word: string): false | undefined {
  // A search reads all columns, also one that the record does not show.
  const isShown = Object.keys(COLUMNS).every((column) => storedText(record, column) !== undefined);
  return isShown && !mentions(record, word) ? false : undefined;
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
    const inside = longest(wordsOfColumn(visible, column), () => true);
    const others = Object.keys(COLUMNS).filter((other) => other !== column);
    const outside = longest(
      others.flatMap((other) => wordsOfColumn(visible, other)),
      (word) =>
        visible.some(
          (record) =>
            isOutside(record, column, word) && others.some((other) => storedWords(record, other).has(word)),
        ),
    );
    if (inside === undefined)
      return inconclusive(`no visible record has a word of letters, five or more, in ${column}`);
    if (outside === undefined)
      return inconclusive(`no visible record has a word in another column that is not in ${column} too`);
    const searching: Searching = (word, columns) => ({
      [site.wire('search')]: word,
      [site.wire('search_columns')]: columns,
    });
    const trials = [...new Set([inside, outside])].map((word) =>
      jointly(subsetTrial(searching(word, [column]), keepsColumn(column, word))),
    );
    const besides = PAIR.includes(column) ? inTwoColumns(column, visible, searching) : undefined;
    return besides === undefined ? trials : [...trials, besides];
  };
}

/** Keeps the records that have a word in a column, and excludes those that certainly have it elsewhere alone. */
function keepsColumn(column: string, word: string): Keeps {
  return unlessHidden((record) => {
    if (storedWords(record, column).has(word)) return true;
    return isOutside(record, column, word) ? false : undefined;
  });
}

/** Two columns that are searched together, for a word of each: reading only the first or last shows. */
const PAIR: readonly string[] = ['post_title', 'post_content'];

/**
 * A search in two columns finds a word that only one of them has, and none that only the third one has; undefined if
 * there is no such word.
 */
function inTwoColumns(column: string, visible: Records, searching: Searching): Trial | undefined {
  const others = PAIR.filter((other) => other !== column);
  const stands = (record: SiteRecord, word: string): boolean =>
    storedWords(record, column).has(word) && others.every((other) => isOutside(record, other, word));
  const isInNeither = (record: SiteRecord, word: string): boolean =>
    PAIR.every((one) => isOutside(record, one, word));
  const words = wordsOfColumn(visible, column);
  const isFound = (one: string): boolean => visible.some((record) => stands(record, one));
  const third = new Set(
    Object.keys(COLUMNS)
      .filter((one) => !PAIR.includes(one))
      .flatMap((one) => wordsOfColumn(visible, one)),
  );
  const isInThirdAlone = (one: string): boolean =>
    third.has(one) && visible.some((record) => mentions(record, one) && isInNeither(record, one));
  const word = longest(words, (one) => isInThirdAlone(one) && isFound(one)) ?? longest(words, isFound);
  if (word === undefined) return undefined;
  const keeps = unlessHidden((record) => {
    if (stands(record, word)) return true;
    return isInNeither(record, word) ? false : undefined;
  });
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
  const names = { search: site.wire('search'), semantics: site.wire('search_semantics') };
  const turned = swappedWords(visible);
  if (turned === undefined)
    return inconclusive('no visible text has two words of letters that could be swapped');
  const single = visible.find((record) => /^[a-z]{3,}$/i.test(textOf(record, 'title')?.text ?? ''));
  if (single !== undefined) return [apart(turned, names), whole(single, names)];
  const quoted = visible.find((record) => /^[a-z]+( [a-z]+)+$/i.test(textOf(record, 'title')?.text ?? ''));
  if (quoted === undefined) return inconclusive('no visible title is made of words of letters alone');
  return [apart(turned, names), inQuotes(quoted, names)];
};

type Names = Record<'search' | 'semantics', string>;

/** Two words of a text in reverse order, so that no column of any record has them next to each other. */
function swappedWords(records: Records): { phrase: string; record: SiteRecord } | undefined {
  const columns = Object.keys(COLUMNS);
  for (const column of columns) {
    for (const record of records) {
      const words = [...storedWords(record, column)];
      const [first, last] = [words[0], words.at(-1)];
      if (first === undefined || last === undefined || first === last) continue;
      const phrase = `${last} ${first}`;
      const isSomewhere = (other: SiteRecord): boolean =>
        columns.some((any) => storedText(other, any)?.includes(phrase.toLowerCase()) === true);
      if (!records.some(isSomewhere)) return { phrase, record };
    }
  }
  return undefined;
}

function apart({ phrase, record }: { phrase: string; record: SiteRecord }, names: Names): Trial {
  const plain = { [names.search]: phrase };
  const exact = { ...plain, [names.semantics]: 'exact' };
  return {
    requests: [plain, exact],
    evaluate([loose = [], strict = []], snapshot) {
      const extra = without(dueIn(loose, strict, snapshot), loose);
      if (extra.length > 0) {
        const message = `${describeArgs(exact)} finds records that the plain search does not`;
        return { message, expected: countOf(loose), observed: countOf(strict) };
      }
      const before = new Map(snapshot.records.map((one) => [one.id, one]));
      const wrong = strict.filter(({ id }) => lacksPhrase(before.get(id), phrase));
      if (wrong.length === 0) return undefined;
      const message = `${describeArgs(exact)} finds records in which the words stand apart`;
      return { message, expected: `without ${countOf(wrong)}`, observed: countOf(strict) };
    },
    silent: ([loose = []]) =>
      loose.some(({ id }) => id === record.id)
        ? undefined
        : inconclusive(
            `${describeArgs(plain)} finds no record either, so nothing shows what exact leaves out`,
          ),
  };
}

function lacksPhrase(record: SiteRecord | undefined, phrase: string): boolean {
  if (record === undefined || isProtected(record)) return false;
  const texts = Object.keys(COLUMNS).map((column) => storedText(record, column));
  return texts[0] !== undefined && texts.every((text) => text?.includes(phrase.toLowerCase()) !== true);
}

function whole(record: SiteRecord, names: Names): Trial {
  const args = { [names.search]: textOf(record, 'title')?.text, [names.semantics]: 'exact' };
  return jointly({
    requests: [args],
    evaluate([answer = []], { records }) {
      const gone = !records.some(({ id }) => id === record.id);
      if (gone || answer.some(({ id }) => id === record.id)) return undefined;
      const message = `${describeArgs(args)} does not find the record with exactly this title`;
      return { message, expected: `${record.id} among them`, observed: idsOf(answer) || 'nothing' };
    },
  });
}

function inQuotes(record: SiteRecord, names: Names): Trial {
  const args = { [names.search]: `"${textOf(record, 'title')?.text ?? ''}"`, [names.semantics]: 'exact' };
  return {
    requests: [args],
    evaluate: () => undefined,
    silent: ([answer = []]) =>
      answer.some(({ id }) => id === record.id)
        ? undefined
        : inconclusive('no visible title is a single word, which an exact search would have to find'),
  };
}
