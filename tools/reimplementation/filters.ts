import type { Arguments } from './parameter.ts';
import { listOf, memberOf, numberOf, textOf } from './site.ts';
import { CATEGORIES, type Item } from './store.ts';
import { instantOf } from './zone.ts';

type Test = (item: Item) => boolean;

/** What a list of records is filtered by. Names that are not declared are not among the arguments. */
export function testsOf(args: Arguments): Test[] {
  const tests: Test[] = [];
  const within = (name: string, of: (item: Item) => unknown, wanted = true): void => {
    const list = listOf(args[name]);
    if (list !== undefined) tests.push((item) => list.includes(of(item)) === wanted);
  };
  within('include', ({ id }) => id);
  within('exclude', ({ id }) => id, false);
  within('author', ({ author }) => author);
  within('author_exclude', ({ author }) => author, false);
  within('slug', ({ slug }) => slug);
  within('format', ({ format }) => format);
  within('mime_type', ({ mime }) => mime);
  within('media_type', ({ mime }) => mime.split('/')[0]);
  const parentOf = ({ kind, parent, post }: Item): number => (kind === 'media' ? post : parent);
  within('parent', parentOf);
  within('parent_exclude', parentOf, false);
  const since = (name: string, of: (item: Item) => number, sign: 1 | -1): void => {
    const text = textOf(args[name]);
    if (text === undefined) return;
    const instant = instantOf(text, 'local');
    tests.push((item) => sign * (of(item) - instant) > 0);
  };
  since('after', ({ date }) => date, 1);
  since('before', ({ date }) => date, -1);
  since('modified_after', ({ modified }) => modified, 1);
  since('modified_before', ({ modified }) => modified, -1);
  const order = numberOf(args.menu_order);
  if (order !== undefined) tests.push(({ menu_order }) => menu_order === order);
  if (typeof args.sticky === 'boolean') tests.push(({ sticky }) => sticky === args.sticky);
  tests.push(...termTests(args), ...searchTests(args));
  return tests;
}

const COLUMNS: Readonly<Record<string, (item: Item) => string>> = {
  post_title: ({ title }) => title,
  post_content: ({ kind, content, description }) => (kind === 'media' ? description : content),
  post_excerpt: ({ kind, excerpt, caption }) => (kind === 'media' ? caption : excerpt),
};

function searchTests(args: Arguments): Test[] {
  const search = textOf(args.search)?.trim().toLowerCase();
  if (search === undefined || search === '') return [];
  const names = (listOf(args.search_columns) ?? Object.keys(COLUMNS)).map(String);
  const words = args.search_semantics === 'exact' ? [search] : search.split(/\s+/);
  return [
    (item) => {
      const columns = names.map((name) => COLUMNS[name]?.(item).toLowerCase() ?? '');
      return words.every((word) => columns.some((column) => column.includes(word)));
    },
  ];
}

function termTests(args: Arguments): Test[] {
  const wanted = [
    termTest(args.categories, ({ categories }) => categories),
    termTest(args.tags, ({ tags }) => tags),
  ].filter((test) => test !== undefined);
  const unwanted = [
    termTest(args.categories_exclude, ({ categories }) => categories),
    termTest(args.tags_exclude, ({ tags }) => tags),
  ].filter((test) => test !== undefined);
  const tests = unwanted.map(
    (test): Test =>
      (item) =>
        !test(item),
  );
  if (wanted.length > 0) {
    tests.push((item) =>
      args.tax_relation === 'OR' ? wanted.some((test) => test(item)) : wanted.every((test) => test(item)),
    );
  }
  return tests;
}

function termTest(asked: unknown, of: (item: Item) => readonly number[]): Test | undefined {
  const terms = listOf(Array.isArray(asked) ? asked : memberOf(asked, 'terms'));
  if (terms === undefined) return undefined;
  const sets = terms.map((term) => [
    Number(term),
    ...(memberOf(asked, 'include_children') ? below(Number(term)) : []),
  ]);
  const has = (item: Item, set: readonly number[]): boolean => set.some((term) => of(item).includes(term));
  return memberOf(asked, 'operator') === 'AND'
    ? (item) => sets.every((set) => has(item, set))
    : (item) => sets.some((set) => has(item, set));
}

/** The categories that are part of another. */
function below(term: number): number[] {
  return Object.entries(CATEGORIES).flatMap(([id, parent]) => (parent === term ? [Number(id)] : []));
}
