import { type SiteRecord, type Value, valuesOf } from '../../records/reading/record.ts';
import { subsetTrial } from '../../records/reading/subset-trial.ts';
import { jointly, type Keeps, type Records, type Rule, type Trial } from '../../records/reading/trial.ts';
import { keepsMembers, shows } from './member-rules.ts';
import { pickValues } from './pick-values.ts';

/** A term filter as a list and as an object with `terms` keeps the records that have one of them, or none of them. */
export function byTerms(parameter: string, taxonomy: string, excludes: boolean): Rule {
  return (snapshot, site) => {
    const picked = pickValues(snapshot, shows(taxonomy), taxonomy);
    if (typeof picked === 'string') return picked;
    const terms = picked.values;
    const keeping = (some: readonly Value[]): Keeps => keepsMembers(shows(taxonomy), some, excludes);
    const name = site.wire(parameter);
    // Several terms beside no operator are for the check of its default to tell.
    const some = excludes ? terms : terms.slice(0, 1);
    return [
      subsetTrial({ [name]: terms }, keeping(terms)),
      subsetTrial({ [name]: { terms: some } }, keeping(some)),
    ];
  };
}

/** The operator of a term filter: AND keeps the records with all of the terms, OR those with any. */
export function byOperator(taxonomy: string): Rule {
  return ({ page }, site) => {
    const pair = pairOf(page, taxonomy);
    if (pair === undefined)
      return `no two ${taxonomy} are on one visible record together and on another apart`;
    const trial = (operator: 'AND' | 'OR'): Trial =>
      jointly(
        subsetTrial({ [site.wire(taxonomy)]: { terms: pair, operator } }, (record) => {
          const own = valuesOf(record, taxonomy);
          if (own === undefined) return undefined;
          return operator === 'AND'
            ? pair.every((term) => own.includes(term))
            : pair.some((term) => own.includes(term));
        }),
      );
    return [trial('AND'), trial('OR')];
  };
}

/** Two terms that share a record, so that both operators find something, and not the same. */
export function pairOf(records: Records, taxonomy: string): [number, number] | undefined {
  const terms = records.map(
    (record) => valuesOf(record, taxonomy)?.filter((term) => typeof term === 'number') ?? [],
  );
  for (const own of terms) {
    for (const [at, first] of own.entries()) {
      const second = own
        .slice(at + 1)
        .find((other) => terms.some((some) => some.includes(first) !== some.includes(other)));
      if (second !== undefined) return [first, second];
    }
  }
  return undefined;
}

/** How a category and a tag together select: AND keeps what both describe, OR what either does. */
export const byRelation: Rule = ({ page }, site) => {
  const pair = acrossTaxonomies(page);
  if (pair === undefined)
    return 'no category and tag are on one visible record together and on another apart';
  const [category, tag] = pair;
  return (['AND', 'OR'] as const).map((relation) =>
    jointly(
      subsetTrial(
        {
          [site.wire('categories')]: [category],
          [site.wire('tags')]: [tag],
          [site.wire('tax_relation')]: relation,
        },
        (record) => {
          const [categories, tags] = [valuesOf(record, 'categories'), valuesOf(record, 'tags')];
          if (categories === undefined || tags === undefined) return undefined;
          const [one, other] = [categories.includes(category), tags.includes(tag)];
          return relation === 'AND' ? one && other : one || other;
        },
      ),
    ),
  );
};

function acrossTaxonomies(records: Records): [number, number] | undefined {
  const has = (record: SiteRecord, taxonomy: string, term: number): boolean =>
    valuesOf(record, taxonomy)?.includes(term) === true;
  for (const record of records) {
    for (const category of valuesOf(record, 'categories') ?? []) {
      for (const tag of valuesOf(record, 'tags') ?? []) {
        if (typeof category !== 'number' || typeof tag !== 'number') continue;
        if (records.some((other) => has(other, 'categories', category) !== has(other, 'tags', tag))) {
          return [category, tag];
        }
      }
    }
  }
  return undefined;
}
