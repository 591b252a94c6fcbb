import { ids, isObject, type Json, texts } from '../../reference/json.ts';
import type { Resource } from '../../reference/load-contract.ts';
import type { Alter, Filter } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Mutant, type Mutants, mutant, together } from '../alteration.ts';
import {
  dropping,
  filteringBy,
  following,
  handling,
  healthy,
  mutantsIn,
  mutantsOn,
  showing,
  shownRecord,
  storedAs,
  withList,
  without,
} from '../handling.ts';
import { idOf, inContext, isAnonymous } from '../selecting.ts';

function forgettingLater(resource: Resource): Mutant {
  const which = idOf(resource, 'list');
  const { args } = mutantsIn(which, `${which}/search/filters/none`);
  return args('~forgets-later', 'forgets filters by what comes after a time to come', (given, { site }) =>
    ['after', 'modified_after']
      .filter((name) => Date.parse(String(given[name])) > site.now())
      .reduce(without, given),
  );
}

const BEYOND_ASCII = /\P{ASCII}/u;

/** Lists that find or show changed records as they were, or that do not understand letters beyond ASCII. */
export function formerMutants(resource: Resource): Mutants {
  const { id, fields, kind } = resource;
  const about = `states/${id}/again`;
  const list = mutantsOn(resource, 'list', about);
  const names = ['author', 'format', 'parent', 'menu_order', 'sticky'].filter((name) => name in fields);
  if (kind === 'uploads') names.push('parent');
  return [
    ['slug', 'search', ...('date' in fields ? ['after'] : []), ...names].map((name) =>
      findingFormer(resource, name),
    ),
    (['categories', 'tags'] as const)
      .filter((name) => name in fields)
      .map((name) => termMutants(resource, name)),
    'sticky' in fields && keepingSticky(resource),
    showingFormer(resource),
    forgettingUnknown(resource),
    forgettingLater(resource),
    resource.protects &&
      mutantsOn(resource, 'list', `${id}.list/every-answer`)
        .where(isAnonymous, inContext('embed'))
        .answer('~none-in-embed', 'shows anonymous callers none in embed', (shown) =>
          withList(shown, () => []),
        ),
    showingAllInstead(resource),
    'menu_order' in fields && withoutNew(resource, 'menu_order'),
    withoutNewBehind(resource),
    list
      .where(({ args }) => texts(args.slug).some((slug) => BEYOND_ASCII.test(slug)))
      .args('~slug-beyond-ascii-ignored', 'ignores slugs with letters beyond ASCII', dropping('slug')),
    ['slug', 'search'].map((name) =>
      list.value(name)(
        `~${name}-beyond-ascii-lost`,
        `finds nothing by ${name} with letters beyond ASCII`,
        (sent) => (BEYOND_ASCII.test(String(sent)) ? ([sent, 'nothing'].flat().at(-1) ?? '') : sent),
      ),
    ),
  ];
}

/** A list that looks values up first, and forgets a filter of which it finds none. */
function forgettingUnknown(resource: Resource): Mutant {
  const which = idOf(resource, 'list');
  const { args } = mutantsIn(which, `${which}/search/filters/none`);
  return args('~forgets-unknown', 'forgets filters by what nothing has', (given, { site }) => {
    const isUnknown = (value: Json): boolean =>
      typeof value === 'number'
        ? value > 99_999_999
        : site.store.ofKind(resource.id).every(({ slug }) => slug !== value);
    return ['include', 'slug', 'author', 'parent', 'categories', 'tags']
      .filter((name) => Array.isArray(given[name]) && [given[name]].flat().every(isUnknown))
      .reduce(without, given);
  });
}

/** A list that shows all records where a search finds none. */
function showingAllInstead(resource: Resource): Mutant {
  const which = idOf(resource, 'list');
  const { handler } = mutantsIn(which, `${which}/search/filters/none`);
  return handler('~all-instead', 'shows all records if a search finds none', async (call) => {
    const shown = await healthy(call);
    const isNone = call.args.search !== undefined && Array.isArray(shown.body) && shown.body.length === 0;
    return isNone ? healthy({ ...call, args: without(call.args, 'search') }) : shown;
  });
}

/** What records were before their last update, which the site looks at. */
type Former = WeakMap<StoredRecord, StoredRecord>;

function keeping(resource: Resource, former: Former): Alter {
  return following(idOf(resource, 'update'), (stored, before) => {
    former.set(stored, before);
  });
}

function findingFormer(resource: Resource, name: string): Mutant {
  const former: Former = new WeakMap();
  const byFormer = (filter: Filter): Filter => {
    return (record, ...query) => filter(former.get(record) ?? record, ...query);
  };
  return mutant(
    `states/${resource.id}/again~${name}-of-before`,
    `lists ${resource.id} by the ${name} that they had before their last update`,
    together(keeping(resource, former), filteringBy(name, byFormer)),
  );
}

/** A list of what is sticky that is kept, and only gets longer. */
function keepingSticky(resource: Resource): Mutant {
  const former: Former = new WeakMap();
  return mutant(
    `states/${resource.id}/again~sticky-kept`,
    `lists ${resource.id} that are no longer sticky among those that are`,
    together(
      keeping(resource, former),
      filteringBy('sticky', (filter) => (record, value, query) => {
        const was = former.get(record)?.sticky === true;
        return (value === true && was) || filter(record, value, query);
      }),
    ),
  );
}

/** Sites whose index of terms still has those before the last update of a record: instead of its own, or as well. */
function termMutants(resource: Resource, name: 'categories' | 'tags'): Mutants {
  const { id } = resource;
  const hadOne = (before: StoredRecord, terms: readonly number[]): boolean =>
    terms.some((term) => before[name].includes(term));
  return [
    mutant(
      `states/${id}/again~${name}-of-before`,
      `does not list ${id} by the ${name} that they have since their last update`,
      listingFormer(resource, name, hadOne),
    ),
    mutant(
      `states/${id}/again~${name}-kept`,
      `leaves out ${id} by the ${name} that they no longer have`,
      listingFormer(resource, `${name}_exclude`, (...given) => !hadOne(...given)),
    ),
  ];
}

/** Shows changed records in lists by terms only if they pass as they were. */
function listingFormer(
  resource: Resource,
  filter: string,
  passes: (before: StoredRecord, terms: readonly number[]) => boolean,
): Alter {
  const former: Former = new WeakMap();
  const listing = handling(idOf(resource, 'list'), async (call, next) => {
    const value = call.args[filter];
    const terms = ids(isObject(value) ? value.terms : value);
    const isShown = (one: Json): boolean => {
      const stored = storedAs(one, call, resource.id);
      const before = stored && former.get(stored);
      return before === undefined || passes(before, terms);
    };
    const shown = await next(call);
    return terms.length > 0 ? withList(shown, (list) => list.filter(isShown)) : shown;
  });
  return together(keeping(resource, former), listing);
}

/** A site whose pages after the first lack new records. */
function withoutNewBehind(resource: Resource): Mutant {
  const made = new WeakSet<StoredRecord>();
  const listing = handling(idOf(resource, 'list'), async (call, next) => {
    const isNew = (one: Json): boolean => {
      const stored = storedAs(one, call, resource.id);
      return stored !== undefined && made.has(stored);
    };
    const shown = await next(call);
    return Number(call.args.page) > 1 ? withList(shown, (list) => list.filter((one) => !isNew(one))) : shown;
  });
  return mutant(
    `states/${resource.id}/again~new-not-behind`,
    `shows new ${resource.id} on no page but the first`,
    together(noting(resource, made), listing),
  );
}

function noting(resource: Resource, made: WeakSet<StoredRecord>): Alter {
  return handling(idOf(resource, 'create'), async (call, next) => {
    const shown = await next(call);
    const stored = shownRecord(shown, call);
    if (stored) made.add(stored);
    return shown;
  });
}

function withoutNew(resource: Resource, name: string): Mutant {
  const made = new WeakSet<StoredRecord>();
  const ofOld = (filter: Filter): Filter => {
    return (record, ...query) => !made.has(record) && filter(record, ...query);
  };
  return mutant(
    `states/${resource.id}/again~new-without-${name}`,
    `lists new ${resource.id} by no ${name}`,
    together(noting(resource, made), filteringBy(name, ofOld)),
  );
}

function showingFormer(resource: Resource): Mutant {
  const former: Former = new WeakMap();
  return mutant(
    `states/${resource.id}/again~embed-of-before`,
    `lists ${resource.id} in embed with the title that they had before their last update`,
    together(
      keeping(resource, former),
      showing(idOf(resource, 'list'), (record, call) => {
        const stored = storedAs(record, call, resource.id);
        const before = stored && former.get(stored);
        if (call.args.context !== 'embed' || before === undefined || !isObject(record.title)) return record;
        return { ...record, title: { ...record.title, rendered: before.title } };
      }),
    ),
  );
}
