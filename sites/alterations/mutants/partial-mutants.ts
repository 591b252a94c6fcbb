import { invalidParameters, toList } from '../../reference/arguments.ts';
import { pathParameters } from '../../reference/calls.ts';
import { integer, isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';
import type { Asked, Call } from '../../reference/site.ts';
import { type Mutant, type Mutants, mutant, together } from '../alteration.ts';
import {
  atMost,
  dropping,
  handling,
  healthy,
  mutantsIn,
  mutantsOn,
  NO_OFFSET,
  ofList,
  ofText,
  replacing,
  setting,
  shownRecord,
  without,
} from '../handling.ts';
import { idOf, inContext, isList, lacks, ownResources, recordOf, sends } from '../selecting.ts';
import { SITE_BOUND } from './fuzz-mutants.ts';

/** Checks of lists send several arguments at once; lists with fewer parameters than this need another mutant. */
const FEW = 14;

/** Mutants of a read that accepts its arguments one by one, and refuses some valid combinations. */
function combinationMutants(operation: Operation): Mutants {
  const { id, effect, pathParameters, parameters } = operation;
  const free = Object.entries(parameters.properties).filter(
    ([name]) => !(name in pathParameters) && !SITE_BOUND.includes(name),
  );
  if (effect !== 'reads' || free.length < 3) return [];
  const optional = free.filter(([name, schema]) => !parameters.required.includes(name) && isPlain(schema));
  const names = optional.map(([name]) => name);
  const most = Math.floor(names.length / 2);
  const refuses = (how: string, title: string, isRefused: (given: JsonObject) => boolean): Mutants =>
    mutantsIn(id).reading(`fuzz/accepted~refuses-${how}`, title, (given, read) => {
      if (isRefused(given)) throw invalidParameters({ [Object.keys(given)[0] ?? '']: 'Not together.' });
      return read(given);
    });
  if (most > 0 && (names.length >= FEW || !names.includes('orderby'))) {
    const title = `takes no more than ${most} of its optional arguments at once`;
    return refuses('many', title, (given) => names.filter((name) => name in given).length > most);
  }
  if (names.includes('include') && names.includes('exclude')) {
    const areBoth = (given: JsonObject): boolean => 'include' in given && 'exclude' in given;
    return refuses('contraries', 'refuses include beside exclude', areBoth);
  }
  // If all arguments are required, only values differ between requests.
  const title = 'refuses signs that words do not have, and numbers above a hundred';
  return refuses('unusual', title, (given) => free.some(([name]) => isUnusual(given[name])));
}

function isUnusual(value: Json | undefined): boolean {
  return typeof value === 'string' && (/[^\w ,.:/-]/.test(value) || Number(value) > 100);
}

function isPlain({ enum: members, format, pattern, items, ...schema }: Schema): boolean {
  if (members) return true;
  const types = typesOf(schema);
  if (types.includes('array')) return items !== undefined && isPlain(items);
  if (types.includes('string')) return format === undefined || format === 'date-time' ? !pattern : false;
  return types.includes('integer') || types.includes('boolean');
}

/**
 * Mutants that apply only a part of the arguments, such as one of several values or the day of a date-time, or that
 * refuse them together.
 */
export function partialMutants(contract: Contract): Mutants {
  const lists = contract.operations.filter((one) => isList(one) && !one.resource?.parent);
  return [
    lists.map((list) => [argumentMutants(list), pageMutants(list), refusingMutants(list), laxMutants(list)]),
    ownResources(contract).map(recordMutants),
    contract.operations.map(combinationMutants),
  ];
}

/** Filters for which two values prove nothing. */
const LONE: readonly string[] = ['include', 'exclude', 'slug', 'parent', 'parent_exclude', 'status'];

/** Orders without ties in all seeded records, so that both directions show. */
const TURNING: readonly string[] = ['title', 'slug', 'modified', 'author'];

const BEFORE = ['before', 'modified_before'];
const AFTER = ['after', 'modified_after'];
const DATES = [...AFTER, ...BEFORE];

type Otherwise = readonly [names: readonly string[], how: string, title: string, turn: (value: Json) => Json];

const ahead = replacing(/-(?=\d\d:\d\d$)/, '+');
/** Moves a time that names its zone, as a site does that reads it in another one. */
const moved = (hours: number) =>
  ofText((text) =>
    /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text)
      ? new Date(Date.parse(text) + hours * HOUR).toISOString().slice(0, 19)
      : text,
  );
const HOUR = 3_600_000;
const withoutTime = ofText((text) => `${text.slice(0, 10)}T00:00:00`);
const withoutZero = ofList((list) => list.filter((one) => one !== 0));

/** Values that a list applies instead of those that are sent; in titles `$` stands for the parameter. */
const OTHERWISE: readonly Otherwise[] = [
  [DATES, 'no-offset', 'leaves out the offset that $ names', NO_OFFSET],
  [BEFORE, 'ahead-alone', 'takes any offset of $ for one ahead of GMT', ahead],
  [AFTER, 'zone-to-the-west', 'reads what $ names in GMT two hours later', moved(2)],
  [BEFORE, 'zone-to-the-east', 'reads what $ names in GMT five hours earlier', moved(-5)],
  [DATES, 'by-day', 'reads the day of $ alone', withoutTime],
  [['parent', 'parent_exclude'], 'no-zero', 'takes 0 for $ as if it were not there', withoutZero],
  [['include', 'exclude'], 'first-two', 'reads the first two of several $', atMost(2)],
];

/** Records in an order by menu_order that puts 16 before 2. */
function sortedAsTexts(records: readonly Json[], rises: boolean): Json[] {
  const orderOf = (record: Json): string => (isObject(record) ? String(record.menu_order) : '');
  const sorted = records.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  return rises ? sorted : sorted.reverse();
}

function argumentMutants({ id, resource, parameters: { properties } }: Operation): Mutants {
  const own = mutantsIn(id);
  const several = Object.entries(properties)
    .filter(([, schema]) => typesOf(schema).includes('array'))
    .filter(([name]) => resource?.kind !== 'uploads' || name !== 'search_columns')
    .filter(([name]) => !LONE.includes(name) || (name === 'status' && resource?.kind === 'records'));
  const turning = (properties.orderby?.enum ?? []).map(String).filter((value) => TURNING.includes(value));
  // A file's name is also its title.
  const hasColumns = 'search_columns' in properties && resource?.kind !== 'uploads';
  return [
    several.map(([name]) => {
      // The columns of a search have a check each.
      const part = name === 'search_columns' ? `${name}/filters/post_content` : `${name}/filters`;
      return own.value(name)(`${part}~first-only`, `reads the first of several ${name} alone`, atMost(1));
    }),
    'status' in properties &&
      own.list('status')('status/filters~last-only', 'reads the last of several statuses alone', lastOf),
    turning.map((value) =>
      own
        .where(({ args }) => args.orderby === value)
        .args(`orderby/filters/${value}~one-way`, `by ${value} applies no order`, setting({ order: 'desc' })),
    ),
    properties.orderby?.enum?.includes('menu_order') === true &&
      own
        .where(({ args }) => args.orderby === 'menu_order')
        .answer('orderby/filters/menu_order~as-text', 'sorts by menu_order as text', (shown, { args }) =>
          Array.isArray(shown.body)
            ? { ...shown, body: sortedAsTexts(shown.body, args.order === 'asc') }
            : shown,
        ),
    OTHERWISE.map(([names, how, title, turn]) =>
      names
        .filter((name) => name in properties)
        .map((name) => own.value(name)(`${name}/filters~${how}`, title.replace('$', name), turn)),
    ),
    hasColumns &&
      own.list('search_columns')(
        'search_columns/filters/post_title~last-only',
        'searches the last of several columns alone',
        lastOf,
      ),
    'tax_relation' in properties && relationMutants(id),
    'mime_type' in properties &&
      own.args('mime_type/filters~by-kind', 'reads mime_type up to the slash', (given) => {
        const kinds = [given.mime_type ?? []].flat().map((type) => String(type).replace(/\/.*/, ''));
        return kinds.length === 0 ? given : { ...without(given, 'mime_type'), media_type: kinds };
      }),
    'format' in properties && [
      own
        .where(({ args }) => [args.format].flat().length > 1 && (args.categories ?? args.tags) !== undefined)
        .args(
          'fuzz/subset~several-formats-beside-terms',
          'finds nothing of several formats beside terms',
          FINDING_NOTHING,
        ),
      own
        .where(({ args }) => String(args.format) === 'standard')
        .args('format/filters~no-standard', 'finds nothing whose format is the usual one', FINDING_NOTHING),
    ],
  ];
}

const lastOf = (list: readonly Json[]): Json => list.slice(-1);

const FINDING_NOTHING = setting({ include: [987_654_321] });

/** Several taxonomies in one request. */
function relationMutants(id: string): Mutants {
  const related = mutantsIn(id, `${id}/tax_relation/filters`, id);
  return [
    related
      .where(({ args }) => isObject(args.tags))
      .args('~not-of-objects', 'joins terms of objects by AND in any case', setting({ tax_relation: 'AND' })),
    related.args('~either-by-default', 'joins terms by OR without a tax_relation', (given) => ({
      tax_relation: 'OR',
      ...given,
    })),
    related
      .where(({ args }) => args.tax_relation === 'OR')
      .args('~forgets-exclude', 'forgets exclude where either of two terms will do', dropping('exclude')),
    ['categories', 'tags'].map((name) =>
      related
        .where(({ args }) => args.categories !== undefined && args.tags !== undefined)
        .args(`~any-of-${name}`, `joins ${name} by OR beside other terms`, dropping(`${name}/operator`)),
    ),
  ];
}

function pageMutants({ id }: Operation): Mutants {
  const list = mutantsIn(id);
  const pageOf = (given: JsonObject): { number: number; size: number } => ({
    number: given.offset === undefined ? integer(given.page, 1) : 0,
    size: integer(given.per_page, 10),
  });
  return [
    list.answer(
      'page/filters~padded',
      'fills its last page with records of the one before',
      (shown, call) => {
        const { number, size } = pageOf(call.args);
        const total = Number(shown.headers['X-WP-Total']);
        const isShort = Array.isArray(shown.body) && shown.body.length < size && total > size;
        if (number < 2 || !isShort) return shown;
        return healthy({ ...call, args: { ...call.args, page: 1, offset: total - size } });
      },
    ),
    list
      .where(({ args }) => args.orderby === 'include' && toList(args.include ?? []).length > 5)
      .args('orderby/filters/include~five-at-most', 'sorts by date what names more than five', BY_DATE),
    list.value('include')(
      'include/filters~first-twenty',
      'reads the first twenty ids of include',
      atMost(20),
    ),
    list
      .where(({ args }) => args.order === 'asc', lacks('per_page'))
      .args(
        'per_page/filters/default~fewer-ascending',
        'lists five records in ascending order',
        setting({ per_page: 5 }),
      ),
    list
      .where(({ args }) => args.orderby === 'title' && pageOf(args).number > 1)
      .args('page/filters~repeats-by-title', 'by title repeats on each page the last record', (given) => {
        const { number, size } = pageOf(given);
        return { ...given, offset: (number - 1) * size - 1 };
      }),
    list
      .where(({ args }) => args.orderby === 'title', sends('after'))
      .args('fuzz/subset~by-date-beside-after', 'sorts by date instead of by title beside after', BY_DATE),
    list
      .where(({ args }) => args.offset !== undefined)
      .args(
        'offset/filters~takes-all',
        'takes an offset for the beginning of all',
        setting({ per_page: 100 }),
      ),
    list
      .where(({ args }) => args.offset === 0)
      .args('offset/filters~zero', 'takes an offset of 0 for one too large', setting({ offset: 1_000_000 })),
  ];
}

const BY_DATE = setting({ orderby: 'date' });

function refusingMutants({ id }: Operation): Mutants {
  const refusing = (how: string, title: string, name: string, isRefused: (given: JsonObject) => boolean) =>
    mutantsIn(id).reading(how, `refuses ${title}`, (given, read) => {
      if (isRefused(given)) throw invalidParameters({ [name]: 'Too many.' });
      return read(given);
    });
  return [
    refusing(
      'fuzz/accepted~no-full-page-in-edit',
      'the largest page in the edit context',
      'per_page',
      (given) => given.per_page === '100' && given.context === 'edit',
    ),
    refusing(
      'fuzz/subset~no-page-beside-exclude',
      'a further page beside exclude',
      'page',
      ({ page, exclude }) => page !== undefined && page !== '1' && exclude !== undefined,
    ),
    refusing(
      'include/filters~twenty-at-most',
      'more than 20 ids to include',
      'include',
      ({ include = [] }) => toList(include).length > 20,
    ),
  ];
}

function recordMutants(resource: Resource): Mutants {
  const { id, uniqueSlugs, trash, operations, children } = resource;
  const { update, delete: deletion, read } = operations;
  const cutting = mutantsOn(resource, 'read', `${idOf(resource, 'read')}/excerpt_length/applied`);
  const deleting = mutantsOn(resource, 'delete', `states/${id}/trash`);
  return [
    uniqueSlugs && update && slugMutants(resource),
    trash &&
      deletion !== undefined &&
      deleting
        .where(({ request }) => 'force' in request.query)
        .args('~any-word', 'takes any word for force', setting({ force: true })),
    children.some((child) => child.kind === 'revisions' && child.operations.read) && [
      anyTypeMutant(id, 'list', '~of-any-type'),
      anyTypeMutant(id, 'read', '~read-of-any-type'),
    ],
    'excerpt_length' in (read?.parameters.properties ?? {}) && [
      cutting
        .where(inContext('embed'))
        .args('~ignored', 'ignores excerpt_length in embed', dropping('excerpt_length')),
      cutting.value('excerpt_length')(
        '~usual-at-most',
        'cuts excerpts at the usual length, however long they may be',
        (length) => Math.min(Number(length), 55),
      ),
    ],
  ];
}

function slugMutants(resource: Resource): Mutants {
  const about = `slugs/${resource.id}/unique/updated`;
  const written = keepingSlug(resource, 'update', ({ args }) => args.slug);
  const drafted = together(
    keepingSlug(resource, 'create', ({ args }) => (args.status === 'draft' ? args.slug : undefined)),
    keepingSlug(resource, 'update', ({ args }, before) => (args.slug === undefined ? before : undefined)),
  );
  return [
    mutant(`${about}~by-update`, `an update in ${resource.id} writes a slug that is taken`, written),
    mutant(`${about}~by-draft`, `a draft in ${resource.id} has a slug that is taken, and keeps it`, drafted),
  ];
}

/** A site that stores slugs unchanged. @param slugOf gets the call and the previous slug of the record */
function keepingSlug(
  resource: Resource,
  role: string,
  slugOf: (call: Call, before: string | undefined) => Json | undefined,
): Mutant['behaviour'] {
  return handling(idOf(resource, role), async (call) => {
    const slug = slugOf(call, recordOf(call, resource.id)?.slug);
    const answer = await healthy(call);
    const stored = shownRecord(answer, call, resource.id);
    if (stored !== undefined && typeof slug === 'string' && slug !== '') stored.slug = slug;
    return answer;
  });
}

/** Revisions that are shown below the routes of other types, in lists or alone. */
function anyTypeMutant(kind: string, role: 'list' | 'read', how: string): Mutant {
  const isMeantFor = (one: Operation): boolean => one.role === role && one.resource?.kind === 'revisions';
  const shows = mutantsIn(isMeantFor, `revisions/${kind}/ids/parent`, `revisions of ${kind}`);
  return shows.handler(how, 'are shown below the routes of other types', (call, next) => {
    const { operations } = call.site.contract;
    const usual = operations.find((one) => isMeantFor(one) && one.resource?.parent?.id === kind);
    const isMeant = call.site.store.get(Number(call.args[pathParameters(call).first]), kind) !== undefined;
    return next(isMeant && usual !== undefined ? { ...call, operation: usual } : call);
  });
}

/** Lists that take for some callers, or in some context, what they refuse elsewhere. */
function laxMutants({ id, parameters: { properties } }: Operation): Mutants {
  const isWrong = (name: string, value: Json): boolean => {
    const { maximum, enum: words } = properties[name] ?? {};
    return maximum === undefined ? words?.includes(value) === false : Number(value) > maximum;
  };
  const lax =
    (how: string, where: string, isMeant: (given: JsonObject, asked: Asked) => boolean) =>
    ([name, kind]: readonly [string, string]): Mutant =>
      mutantsIn(id, `${id}/${name}/${kind}/enforced`).reading(
        how,
        `takes any ${name} ${where}`,
        (given, read, asked) =>
          read(isWrong(name, given[name] ?? null) && isMeant(given, asked) ? without(given, name) : given),
      );
  const size = ['per_page', 'maximum'] as const;
  return [
    [size, ['context', 'enum'] as const].map(
      lax('~for-users-alone', 'without credentials', (_, { request }) => request.account === undefined),
    ),
    [size, ['orderby', 'enum'] as const].map(
      lax('~not-in-embed', 'in the context embed', ({ context }) => context === 'embed'),
    ),
  ];
}
