import { member } from '../../../client/json.ts';
import type { Difference } from '../../../engine/equal.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import {
  pairOf,
  parentOf,
  type SiteRecord,
  type Value,
  valuesOf,
} from '../../../probing/records/reading/record.ts';
import type { Keeps, Records, Rule, Trial } from '../../../probing/records/reading/run-rule.ts';
import {
  allKeep,
  countOf,
  dueIn,
  jointly,
  subsetTrial,
  withCommas,
  without,
} from '../../../probing/records/reading/run-rule.ts';
import { type Filter, keepsMembers, pickValues, predictedBy, shows } from './member-rules.ts';

/** A term filter, as a list and as an object with `terms`, keeps the records with one of the terms, or with none. */
export function byTerms(taxonomy: string, excludes: boolean = false): Filter {
  const rule: Rule = (snapshot, site) => {
    const picked = pickValues(snapshot, shows(taxonomy), taxonomy);
    if (typeof picked === 'string') return picked;
    const terms = picked.values;
    const keeping = (some: readonly Value[]): Keeps => keepsMembers(shows(taxonomy), some, excludes);
    const name = site.wire(excludes ? `${taxonomy}_exclude` : taxonomy);
    // The check of the default operator tests several terms without an operator.
    const some = excludes ? terms : terms.slice(0, 1);
    // Half of these parameters test lists with brackets, half lists with commas.
    const isText = (taxonomy === 'categories') !== excludes && terms.length > 1;
    return [
      isText ? withCommas(name, terms, keeping(terms)) : subsetTrial({ [name]: terms }, keeping(terms)),
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
      return `no two ${taxonomy} are on one visible record together and on another apart`;
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

/** Keeps the records with all of some terms. */
function keepsAll(taxonomy: string, terms: readonly number[]): Keeps {
  return allKeep(terms.map((term) => keepsMembers(shows(taxonomy), [term])));
}

/** A term filter and its exclusion apply together (R50): some records have one term and lack the other. */
export function besideExclusion(taxonomy: string): Rule {
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
      return `no two ${taxonomy} are on one visible record together and on another apart`;
    }
    const args = { [site.wire(taxonomy)]: [wanted], [site.wire(`${taxonomy}_exclude`)]: [unwanted] };
    const sides = [[wanted], [unwanted]].map((term, at) => keepsMembers(shows(taxonomy), term, at > 0));
    return [subsetTrial(args, allKeep(sides))];
  };
}

/** How a category and a tag combine: AND, or nothing (R49), keeps records with both, OR records with either. */
export const byRelation: Rule = ({ page }, site) => {
  const pair = acrossTaxonomies(page);
  if (pair === undefined)
    return 'no category and tag are on one visible record together and on another apart';
  const [category, tag] = pair;
  const related = (
    relation: 'AND' | 'OR' | undefined,
    { categories, tags }: Readonly<Record<'categories' | 'tags', readonly number[]>>,
    written: (terms: readonly number[]) => unknown,
  ): Trial => {
    const args = {
      [site.wire('categories')]: written(categories),
      [site.wire('tags')]: written(tags),
      ...(relation !== undefined && { [site.wire('tax_relation')]: relation }),
    };
    const sides = [keepsAll('categories', categories), keepsAll('tags', tags)];
    const either: Keeps = (record) => {
      const kept = sides.map((keeps) => keeps(record));
      return kept.includes(undefined) ? undefined : kept.includes(true);
    };
    return jointly(subsetTrial(args, relation === 'OR' ? either : allKeep(sides)));
  };
  const single = { categories: [category], tags: [tag] };
  // Two terms of each show whether an operator still applies beside another taxonomy.
  const several = {
    categories: pairOf(page, 'categories') ?? [category],
    tags: pairOf(page, 'tags') ?? [tag],
  };
  return [
    ...([undefined, 'AND', 'OR'] as const).map((relation) => related(relation, single, (terms) => terms)),
    related('OR', several, (terms) => ({ terms, operator: 'AND' })),
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
  return async ({ page: records }, site) => {
    const name = site.wire(parameter);
    const terms = await site.readBeside('categories');
    if (terms === undefined) return withoutTree(name, records, excludes);
    const below = childrenOf(terms);
    // Another check tests the filter without an operator.
    const any = excludes ? {} : { operator: 'OR' };
    const parent = parentAmong(records, terms);
    if (parent === undefined) return 'no category has children with visible records of their own';
    const keeps = (children: boolean): Trial =>
      jointly(
        subsetTrial({ [name]: { terms: [parent], include_children: children, ...any } }, (record) => {
          const held = holds(record, children ? [parent, ...below(parent)] : [parent]);
          if (held === undefined || (held === false && children && terms.length >= TERMS_READ))
            return undefined;
          return held !== excludes;
        }),
      );
    return [keeps(true), keeps(false)];
  };
}

/** Whether these are all terms, and none is below another. */
export function isFlat(terms: Records): boolean {
  return terms.length < TERMS_READ && terms.every((term) => parentOf(term)?.[0] === 0);
}

/** A category with child categories of records that lack it: with its children it matches more records. */
export function parentAmong(records: Records, terms: Records): number | undefined {
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

function withoutTree(name: string, records: Records, excludes: boolean): readonly Trial[] | string {
  const shown = new Set(records.flatMap((record) => valuesOf(record, 'categories') ?? []));
  const terms = [...shown].filter((term) => typeof term === 'number').slice(0, MOST_TERMS);
  if (terms.length === 0) return 'the records do not show categories';
  const argsFor = (term: number): Args => ({ [name]: { terms: [term], include_children: true } });
  // Which other records a category with its children holds is unknown.
  const ofItself = terms.map((term) =>
    subsetTrial(argsFor(term), (record) => (holds(record, [term]) === true ? !excludes : undefined)),
  );
  return [
    ...ofItself.map(jointly),
    {
      requests: terms.map(argsFor),
      evaluate: (answers) => (excludes ? undefined : circleIn(terms, answers)),
      silent: (answers, snapshot) => {
        const shows = answers.some((answer, at) => {
          const term = terms.slice(at, at + 1);
          const others = snapshot.records.filter((record) => holds(record, term) === false);
          if (!excludes) return without(others, answer).length < others.length;
          return without(dueIn(answer, others, snapshot), answer).length > 0;
        });
        return shows
          ? undefined
          : 'no category that was tried has children with visible records of their own';
      },
    },
  ];
}

/** The difference if answers with `include_children` show two terms below each other, as without any filter. */
function circleIn(terms: readonly number[], answers: readonly Records[]): Difference | undefined {
  const below = answers.map((answer, at) => {
    const held = answer.map((record) => valuesOf(record, 'categories') ?? []);
    return new Set(held.filter((own) => own.length === 1 && own[0] !== terms[at]).flat());
  });
  for (const [at, term] of terms.entries()) {
    const place = terms.findIndex((one, other) => below[at]?.has(one) && below[other]?.has(term));
    if (place < 0) continue;
    return {
      message: `with include_children the categories ${term} and ${terms[place]} are each below the other`,
      expected: 'one of them below the other at most',
      observed: countOf(answers[at] ?? []),
    };
  }
  return undefined;
}
