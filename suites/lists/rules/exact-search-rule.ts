import { describeArgs } from '../../../probing/records/reading/list-request.ts';
import { type SiteRecord, textOf } from '../../../probing/records/reading/record.ts';
import {
  countOf,
  dueIn,
  idsOf,
  jointly,
  type Records,
  type Rule,
  type Trial,
} from '../../../probing/records/reading/trial.ts';
import { COLUMNS, hidesFromSearch, searchWords, storedText } from './search-rules.ts';

/**
 * An exact search does not find two words that stand apart, as a plain search does, and finds a title that is the whole
 * of what is searched. Where no title is a single word, one in quotes is tried, which proves something only when
 * it is found: nothing says what quotes mean.
 */
export const searchesExactly: Rule = ({ page }, site) => {
  const visible = page.filter((record) => !hidesFromSearch(record) && textOf(record, 'title')?.raw === true);
  if (visible.length === 0) return 'the records do not show the titles that are stored';
  const names = { search: site.wire('search'), semantics: site.wire('search_semantics') };
  const turned = turnedWords(visible);
  if (turned === undefined) return 'no visible text has two words of letters that could be swapped';
  const single = visible.find((record) => /^[a-z]{3,}$/i.test(textOf(record, 'title')?.text ?? ''));
  if (single !== undefined) return [apart(turned, names), whole(single, names)];
  const quoted = visible.find((record) => /^[a-z]+( [a-z]+)+$/i.test(textOf(record, 'title')?.text ?? ''));
  if (quoted === undefined) return 'no visible title is made of words of letters alone';
  return [apart(turned, names), inQuotes(quoted, names)];
};

/** Names of the parameters that are sent. */
interface Names {
  readonly search: string;
  readonly semantics: string;
}

/** Two words of one text in the other order, so that no column of any record has them side by side like that. */
function turnedWords(records: Records): { phrase: string; record: SiteRecord } | undefined {
  const columns = Object.keys(COLUMNS);
  for (const column of columns) {
    for (const record of records) {
      const words = searchWords(storedText(record, column) ?? '');
      const [first, last] = [words[0], words.at(-1)];
      if (first === undefined || last === undefined || first === last) continue;
      const phrase = `${last} ${first}`;
      const isSomewhere = (other: SiteRecord): boolean =>
        columns.some((any) => storedText(other, any)?.includes(phrase) === true);
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
    judge([loose = [], strict = []], snapshot) {
      const foundLoosely = new Set(loose.map(({ id }) => id));
      const extra = dueIn(loose, strict, snapshot).filter(({ id }) => !foundLoosely.has(id));
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
        : `${describeArgs(plain)} finds no record either, so nothing shows what exact leaves out`,
  };
}

function lacksPhrase(record: SiteRecord | undefined, phrase: string): boolean {
  if (record === undefined || hidesFromSearch(record)) return false;
  const texts = Object.keys(COLUMNS).map((column) => storedText(record, column));
  return texts[0] !== undefined && texts.every((text) => text?.includes(phrase) !== true);
}

function whole(record: SiteRecord, names: Names): Trial {
  const args = { [names.search]: textOf(record, 'title')?.text, [names.semantics]: 'exact' };
  return jointly({
    requests: [args],
    judge([answer = []], { records }) {
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
    judge: () => undefined,
    silent: ([answer = []]) =>
      answer.some(({ id }) => id === record.id)
        ? undefined
        : 'no visible title is a single word, which an exact search would have to find',
  };
}
