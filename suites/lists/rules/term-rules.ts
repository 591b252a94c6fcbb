import { member } from '../../../client/json.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { pairOf, type SiteRecord, type Value, valuesOf } from '../../../probing/records/reading/record.ts';
import type { Keeps, Records, Rule, RuleSite, Trial } from '../../../probing/records/reading/trials.ts';
import { allKeep, jointly, subsetTrial, without } from '../../../probing/records/reading/trials.ts';
import { takes } from '../../../specs/find-resource.ts';
import { type Filter, keepsMembers, pickValues, predictedBy, shows } from './member-rules.ts';

/** A term filter, as a list and as an object with `terms`, keeps the records with one of the terms, or with none. */
export function byTerms(taxonomy: string, excludes: boolean = false): Filter {
  const rule: Rule = (snapshot, site) => {
    const picked = pickValues(snapshot, shows(taxonomy), taxonomy);
    if (isFinding(picked)) return picked;
    const terms = picked.values;
    const keeping = (some: readonly Value[]): Keeps => keepsMembers(shows(taxonomy), some, excludes);
    const name = site.wire(excludes ? `${taxonomy}_exclude` : taxonomy);
    // The check of the default operator tests several terms without an operator.
    const some = excludes ? terms : terms.slice(0, 1);
    return [
      subsetTrial({ [name]: terms }, keeping(terms)),
      subsetTrial({ [name]: { terms: some } }, keeping(some)),
    ];
  };
  return { rule, predicted: predictedBy({ values: shows(taxonomy), excludes }) };
}

/** The operator of a term filter: AND keeps the records with all terms, OR those with any. */
export function byOperator(taxonomy: string): Rule {
  return async ({ page }, site) => {
    const pair = pairOf(page, taxonomy);
    if (pair === undefined)
      return inconclusive(`no two ${taxonomy} are on one visible record together and on another apart`);
    const trial = (operator: 'AND' | 'OR', more: Args = {}): Trial => {
      const keeps = operator === 'AND' ? keepsAll(taxonomy, pair) : keepsMembers(shows(taxonomy), pair);
      return jointly(subsetTrial({ [site.wire(taxonomy)]: { terms: pair, operator, ...more } }, keeps));
    };
    const terms = taxonomy === 'categories' ? await site.readBeside(taxonomy) : undefined;
    // Terms without children do not change the answer.
    const areLeaves =
      terms !== undefined &&
      terms.length < TERMS_READ &&
      pair.every((id) => childrenOf(terms)(id).length === 0);
    return [trial('AND'), trial('OR'), ...(areLeaves ? [trial('AND', { include_children: true })] : [])];
  };
}

function keepsAll(taxonomy: string, terms: readonly number[]): Keeps {
  return allKeep(terms.map((term) => keepsMembers(shows(taxonomy), [term])));
}

/**
 * A term filter and its exclusion apply together (R50): some records have one term and lack the other.
 * @param other another taxonomy, whose exclusion applies as well where the records can show it
 */
export function besideExclusion(taxonomy: string, other: string): Rule {
  return ({ page }, site) => {
    const pair = pairOf(page, taxonomy);
    const wanted = pair?.find((term) =>
      page.some((record) => {
        const own = valuesOf(record, taxonomy);
        return own?.includes(term) === true && pair.some((other) => !own.includes(other));
      }),
    );
    const unwanted = pair?.find((term) => term !== wanted);
    if (wanted === undefined || unwanted === undefined) {
      return inconclusive(`no two ${taxonomy} are on one visible record together and on another apart`);
    }
    const args = { [site.wire(taxonomy)]: [wanted], [site.wire(`${taxonomy}_exclude`)]: [unwanted] };
    const holding = keepsMembers(shows(taxonomy), [wanted]);
    const both = allKeep([holding, keepsMembers(shows(taxonomy), [unwanted], true)]);
    const groups = [true, false].map((is) => page.filter((one) => holding(one) === true && both(one) === is));
    const further = splittingTerm(groups, other);
    if (further === undefined) return [subsetTrial(args, both)];
    const lacks = keepsMembers(shows(other), [further], true);
    return [subsetTrial({ ...args, [site.wire(`${other}_exclude`)]: [further] }, allKeep([both, lacks]))];
  };
}

/** A term that some of the first records have, and that others of each group lack: ignoring either exclusion shows. */
function splittingTerm(groups: readonly Records[], taxonomy: string): Value | undefined {
  const terms = new Set(groups[0]?.flatMap((record) => valuesOf(record, taxonomy) ?? []));
  return [...terms].find((term) =>
    groups.every((some) => some.some((record) => valuesOf(record, taxonomy)?.includes(term) === false)),
  );
}

/** How a category and a tag combine: AND, or nothing (R49), keeps records with both, OR records with either. */
export const byRelation: Rule = ({ page }, site) => {
  const pair = acrossTaxonomies(page);
  if (pair === undefined)
    return inconclusive('no category and tag are on one visible record together and on another apart');
  const [category, tag] = pair;
  const related = (
    relation: 'AND' | 'OR' | undefined,
    { categories, tags }: Readonly<Record<'categories' | 'tags', readonly number[]>>,
    written: (terms: readonly number[]) => unknown,
    beside = false,
  ): Trial => {
    const terms = {
      [site.wire('categories')]: written(categories),
      [site.wire('tags')]: written(tags),
      ...(relation !== undefined && { [site.wire('tax_relation')]: relation }),
    };
    const sides = [keepsAll('categories', categories), keepsAll('tags', tags)];
    const either: Keeps = (record) => {
      const kept = sides.map((keeps) => keeps(record));
      return kept.includes(undefined) ? undefined : kept.includes(true);
    };
    const keeps = relation === 'OR' ? either : allKeep(sides);
    // The relation is one of terms alone: what filters by something else still applies (R49).
    const [first, second] = beside ? page.filter((record) => keeps(record) === true) : [];
    if (first === undefined || second === undefined) return jointly(subsetTrial(terms, keeps));
    const args = { ...terms, [site.wire('exclude')]: [first.id] };
    return jointly(subsetTrial(args, (record) => (record.id === first.id ? false : keeps(record))));
  };
  const single = { categories: [category], tags: [tag] };
  // Two terms of each show whether an operator still applies beside another taxonomy.
  const several = {
    categories: pairOf(page, 'categories') ?? [category],
    tags: pairOf(page, 'tags') ?? [tag],
  };
  return [
    ...([undefined, 'AND', 'OR'] as const).map((relation) => related(relation, single, (terms) => terms)),
    related('OR', several, (terms) => ({ terms, operator: 'AND' }), takes(site.operation, 'exclude')),
  ];
};

function acrossTaxonomies(records: Records): [number, number] | undefined {
  const termsOf = (record: SiteRecord, taxonomy: string): number[] =>
    (valuesOf(record, taxonomy) ?? []).filter((term) => typeof term === 'number');
  const own = records.map((record) => [termsOf(record, 'categories'), termsOf(record, 'tags')] as const);
  return own
    .flatMap(([categories, tags]) =>
      categories.flatMap((one) => tags.map((tag): [number, number] => [one, tag])),
    )
    .find(([one, tag]) => own.some(([categories, tags]) => categories.includes(one) !== tags.includes(tag)));
}

const MOST_TERMS = 6;
/** The number of terms on one page; there may be more. */
const TERMS_READ = 100;

/** With `include_children`, records of child terms match too. @param excludes whether matching ones are excluded */
export function byChildren(parameter: string, excludes: boolean): Rule {
  return async ({ page }, site) => {
    const branch = await findBranch(page, site);
    if (isFinding(branch)) return branch;
    const { parent, below, isWhole, isAll } = branch;
    if (excludes && isAll) return inconclusive('the categories of all visible records are below one of them');
    // Another check tests the filter without an operator.
    const any = excludes ? {} : { operator: 'OR' };
    const argsOf = (term: number, include_children: boolean): Args => ({
      [site.wire(parameter)]: { terms: [term], include_children, ...any },
    });
    const keeps = (children: boolean): Trial =>
      jointly(
        subsetTrial(argsOf(parent, children), (record) => {
          const held = holds(record, children ? [parent, ...below] : [parent]);
          if (held === undefined || (held === false && children && !isWhole)) return undefined;
          return held !== excludes;
        }),
      );
    const [child] = below;
    if (isWhole || excludes || child === undefined) return [keeps(true), keeps(false)];
    // Two categories are not each below the other.
    const notAbove: Keeps = (record) =>
      valuesOf(record, 'categories')?.join() === String(parent) ? false : undefined;
    return [keeps(true), keeps(false), jointly(subsetTrial(argsOf(child, true), notAbove))];
  };
}

interface Branch {
  readonly parent: number;
  readonly below: readonly number[];
  /** Whether these are all. */
  readonly isWhole: boolean;
  /** Whether the list holds every record with it and its children, as it does too where it ignores the filter. */
  readonly isAll: boolean;
}

/** Finds a category with children of visible records: in the list of categories, or else by what it holds, or loses, with its children. */
export async function findBranch(page: Records, site: RuleSite): Promise<Branch | Finding> {
  const terms = await site.readBeside('categories');
  if (terms !== undefined) {
    const parent = parentAmong(page, terms);
    if (parent === undefined)
      return inconclusive('no category has children with visible records of their own');
    return { parent, below: childrenOf(terms)(parent), isWhole: terms.length < TERMS_READ, isAll: false };
  }
  const shown = new Set(page.flatMap((record) => valuesOf(record, 'categories') ?? []));
  for (const term of [...shown].filter((one) => typeof one === 'number').slice(0, MOST_TERMS)) {
    const args = { [site.wire('categories')]: { terms: [term], include_children: true, operator: 'OR' } };
    const held = await site.heldWith(args);
    if (held === undefined) continue;
    const own = page.filter((record) => holds(record, [term]) === true);
    const others = page.filter((record) => holds(record, [term]) === false);
    const lacking = without(others, held);
    const categoriesOf = (record: SiteRecord): readonly Value[] => valuesOf(record, 'categories') ?? [];
    // What a record that is not held has is not below.
    const apart = new Set(lacking.flatMap(categoriesOf));
    const below = without(others, lacking)
      .map(categoriesOf)
      .map((own) => (own.length === 1 ? own : own.filter((one) => !apart.has(one))))
      .filter((own) => own.length === 1)
      .flat();
    // With its children a category keeps its own records: the trials show that.
    if (below.length === 0 && without(own, held).length === 0) continue;
    const isAll = lacking.length === 0;
    return { parent: term, below: below.filter((one) => typeof one === 'number'), isWhole: false, isAll };
  }
  return inconclusive('no category that was tried has children with visible records of their own');
}

/** A category with child categories of records that lack it: with its children it matches more records. */
function parentAmong(records: Records, terms: Records): number | undefined {
  const below = childrenOf(terms);
  return terms
    .map(({ id }) => id)
    .find((id) =>
      records.some((record) => holds(record, below(id)) === true && holds(record, [id]) === false),
    );
}

function holds(record: SiteRecord, wanted: readonly number[]): boolean | undefined {
  const own = valuesOf(record, 'categories');
  return own?.some((term) => typeof term === 'number' && wanted.includes(term));
}

function childrenOf(terms: Records): (id: number) => number[] {
  const direct = (id: number): number[] =>
    terms.filter(({ json }) => member(json, 'parent') === id).map((term) => term.id);
  return (id) => {
    const found = new Set(direct(id));
    for (const child of found) for (const more of direct(child)) found.add(more);
    found.delete(id);
    return [...found];
  };
}
