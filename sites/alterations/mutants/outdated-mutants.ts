import { FILTERS } from '../../reference/filters.ts';
import { isObject, texts } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import type { Alter } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Mutant, type Mutants, mutant, together } from '../alteration.ts';
import {
  following,
  handling,
  idOf,
  mutantsOn,
  ownResources,
  showing,
  shownRecord,
  without,
} from '../handling.ts';

/** Lists that find or show changed records as they were, or that do not understand letters beyond ASCII. */
export function outdatedMutants(contract: Contract): Mutants {
  return ownResources(contract).map((resource) => {
    const { operations } = resource;
    return operations.list && operations.create && operations.update ? ofResource(resource) : [];
  });
}

const BEYOND_ASCII = /\P{ASCII}/u;

function ofResource(resource: Resource): Mutants {
  const { id, fields } = resource;
  const about = `states/${id}/again`;
  const { args, value } = mutantsOn(resource, 'list', about);
  const names = ['slug', 'search', ...['author', 'format'].filter((name) => name in fields)];
  return [
    names.map((name) => findingFormer(resource, name)),
    showingFormer(resource),
    'menu_order' in fields && withoutNew(resource, 'menu_order'),
    args('~slug-beyond-ascii-ignored', 'ignores slugs with letters beyond ASCII', (given) =>
      texts(given.slug ?? []).some((slug) => BEYOND_ASCII.test(slug)) ? without(given, 'slug') : given,
    ),
    ['slug', 'search'].map((name) =>
      value(name)(
        `~${name}-beyond-ascii-lost`,
        `finds nothing by ${name} with letters beyond ASCII`,
        (sent) => (BEYOND_ASCII.test(String(sent)) ? ([sent, 'nothing'].flat().at(-1) ?? '') : sent),
      ),
    ),
  ];
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
  const filter = FILTERS[name];
  return mutant(
    `states/${resource.id}/again~${name}-of-before`,
    `lists ${resource.id} by the ${name} that they had before their last update`,
    together(keeping(resource, former), ({ filters }) => ({
      filters: {
        ...filters,
        ...(filter && { [name]: (record, ...query) => filter(former.get(record) ?? record, ...query) }),
      },
    })),
  );
}

function withoutNew(resource: Resource, name: string): Mutant {
  const made = new WeakSet<StoredRecord>();
  const filter = FILTERS[name];
  return mutant(
    `states/${resource.id}/again~new-without-${name}`,
    `lists new ${resource.id} by no ${name}`,
    together(
      handling(idOf(resource, 'create'), async (call, next) => {
        const shown = await next(call);
        const stored = shownRecord(shown, call);
        if (stored) made.add(stored);
        return shown;
      }),
      ({ filters }) => ({
        filters: {
          ...filters,
          ...(filter && { [name]: (record, ...query) => !made.has(record) && filter(record, ...query) }),
        },
      }),
    ),
  );
}

function showingFormer(resource: Resource): Mutant {
  const former: Former = new WeakMap();
  return mutant(
    `states/${resource.id}/again~embed-of-before`,
    `lists ${resource.id} in embed with the title that they had before their last update`,
    together(
      keeping(resource, former),
      showing(idOf(resource, 'list'), (record, { site, args }) => {
        const stored = site.store.get(Number(record.id), resource.id);
        const before = stored && former.get(stored);
        if (args.context !== 'embed' || before === undefined || !isObject(record.title)) return record;
        return { ...record, title: { ...record.title, rendered: before.title } };
      }),
    ),
  );
}
