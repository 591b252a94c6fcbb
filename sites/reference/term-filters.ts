import { isObject, type Json } from './json.ts';
import type { TermFilter } from './site.ts';
import type { Store, StoredRecord, Term } from './store.ts';
import { ids } from './values.ts';

/** What each term parameter keeps (§4.6). They are joined by `tax_relation`, AND unless it says OR. */
export const TERM_FILTERS: Readonly<Record<string, TermFilter>> = {
  categories: (value, store) => having(value, store, (record) => record.categories),
  tags: (value, store) => having(value, store, (record) => record.tags),
  categories_exclude: (value, store) => lacking(value, store, (record) => record.categories),
  tags_exclude: (value, store) => lacking(value, store, (record) => record.tags),
};

type TermsOf = (record: StoredRecord) => readonly number[];

function having(value: Json, store: Store, termsOf: TermsOf): ReturnType<TermFilter> {
  const wanted = wantedTerms(value, store);
  if (wanted.length === 0) return undefined;
  const all = isObject(value) && value.operator === 'AND';
  return (record) => {
    const has = (term: number): boolean => termsOf(record).includes(term);
    return all ? wanted.every(has) : wanted.some(has);
  };
}

function lacking(value: Json, store: Store, termsOf: TermsOf): ReturnType<TermFilter> {
  const unwanted = wantedTerms(value, store);
  if (unwanted.length === 0) return undefined;
  return (record) => !unwanted.some((term) => termsOf(record).includes(term));
}

/** The terms that a value names, as a list or as the member `terms`, with their descendants when asked for. */
function wantedTerms(value: Json, store: Store): number[] {
  if (!isObject(value)) return ids(value);
  const terms = ids(value.terms);
  return value.include_children === true ? withDescendants(terms, store.terms) : terms;
}

function withDescendants(terms: number[], all: readonly Term[]): number[] {
  const found = new Set(terms);
  for (const term of found) {
    for (const child of all) if (child.parent === term) found.add(child.id);
  }
  return [...found];
}
