import { invalidParameters } from '../../reference/arguments.ts';
import type { Json, JsonObject } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { contextOf, selectRecords } from '../../reference/read-records.ts';
import { permalink, showRecord } from '../../reference/show-record.ts';
import { answer, type Call, type Handler } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import type { Mutant } from '../alteration.ts';
import {
  answerMutant,
  handlerMutant,
  healthy,
  idOf,
  isGiven,
  ownResources,
  readingMutant,
  recordMutant,
  recordOf,
  withList,
  withObject,
} from '../handling.ts';

/** Parameters of lists whose handling may ignore the caller. */
const OF_LISTS = [
  'slug',
  'search',
  'author',
  'parent',
  'categories',
  'orderby',
  'order',
  'exclude',
  'offset',
  'page',
  'after',
  'before',
  'modified_after',
  'modified_before',
  'author_exclude',
  'parent_exclude',
  'categories_exclude',
  'tags',
  'tags_exclude',
  'tax_relation',
  'search_columns',
  'search_semantics',
  'ignore_sticky',
  'sticky',
  'format',
  'menu_order',
];

/** Undeclared names that every route of the software accepts. */
const UNDECLARED = ['_embed', '_fields'];

/** The operation that embeds records of the site elsewhere. */
const LOOK_UP = 'oembed.embed';

const HOUR = 3_600_000;

/** Whether a site ignores the caller in a call. */
type When = (call: Call) => boolean;

/**
 * Sites that ignore that a caller is anonymous for one kind of request: in lists by status (§3), and for
 * password-protected content (§2).
 */
export function callerMutants(contract: Contract): Mutant[] {
  return ownResources(contract).flatMap((resource) => {
    const { create, list } = resource.operations;
    if (create === undefined || list === undefined) return [];
    return [
      ...waysOf(list, resource).map(([word, when]) =>
        listingMutant(
          resource,
          `${list.id}/status/filters/anonymous~by-${word}`,
          ['every status', word],
          when,
        ),
      ),
      newBySlugMutant(resource),
      ...('password' in create.parameters.properties ? openMutants(contract, resource) : []),
    ];
  });
}

/** The kinds of requests for a list, with a word for each. */
function waysOf({ parameters: { properties } }: Operation, { kind }: Resource): [string, When][] {
  // No private upload of the reference belongs to a record.
  const declared = OF_LISTS.filter(
    (name) => name in properties && !(name === 'parent' && kind === 'uploads'),
  );
  return [
    ...[...declared, ...UNDECLARED].map((name): [string, When] => [
      name.replaceAll('_', ' ').trim().replaceAll(' ', '-'),
      (call) => isGiven(call, name),
    ]),
    ['in-embed', ({ args }) => args.context === 'embed'],
  ];
}

/** Records that a list need not hide, and those that were just written. */
function isPublicOrNew({ modified, status }: StoredRecord): boolean {
  return ['publish', 'inherit'].includes(status) || Date.now() - modified < HOUR;
}

function newBySlugMutant(resource: Resource): Mutant {
  const words = ['every new record', 'slug'] as const;
  const when: When = (call) => isGiven(call, 'slug');
  return listingMutant(resource, `states/${resource.id}/anonymous~new-by-slug`, words, when, isPublicOrNew);
}

function listingMutant(
  resource: Resource,
  id: string,
  [what, word]: readonly [what: string, word: string],
  when: When,
  isMeant: (record: StoredRecord) => boolean = () => true,
): Mutant {
  const list = idOf(resource, 'list');
  return answerMutant(
    id,
    `${list} shows anonymous callers ${what} where they ask by ${word}`,
    list,
    (shown, call) => {
      if (call.request.account !== undefined || !when(call)) return shown;
      const query = { args: { ...call.args, status: ['any', 'trash'] }, known: true };
      const found = selectRecords(call.site, call.site.store.ofKind(resource.id), query).filter(isMeant);
      const view = { context: contextOf(call), account: undefined };
      return withList(shown, () => found.map((record) => showRecord(call.site, record, view)));
    },
  );
}

/** Sites that show protected content to anonymous callers for one kind of request. */
function openMutants(contract: Contract, resource: Resource): Mutant[] {
  const { id, operations } = resource;
  const [list, read] = [idOf(resource, 'list'), idOf(resource, 'read')];
  const known = operations.list?.parameters.properties ?? {};
  const anonymous = ({ request }: Call): boolean => request.account === undefined;
  const opened = (call: Call, record: StoredRecord): ReturnType<typeof showRecord> =>
    showRecord(call.site, record, {
      context: contextOf(call),
      account: call.site.accounts[0],
      password: record.password,
    });
  const inList = (word: string, when: When, field = 'content'): Mutant =>
    answerMutant(
      `protected/${id}/written/${field}~listed-${word}`,
      `${list} shows anonymous callers what a password protects where they ask by ${word}`,
      list,
      (shown, call) => {
        if (!anonymous(call) || !when(call)) return shown;
        const query = { args: call.args, known: true };
        const found = selectRecords(call.site, call.site.store.ofKind(id), query);
        return withList(shown, () => found.map((record) => opened(call, record)));
      },
    );
  const alone = (word: string, when: When, check = 'content'): Mutant =>
    handlerMutant(
      `protected/${id}/written/${check}~alone-${word}`,
      `${read} shows anonymous callers what a password protects where they ask by ${word}`,
      read,
      (call) => {
        const record = recordOf(call, id);
        return record !== undefined && anonymous(call) && when(call)
          ? answer(opened(call, record))
          : healthy(call);
      },
    );
  const given =
    (name: string): When =>
    (call) =>
      isGiven(call, name);
  return [
    ...['slug', 'search', 'author', 'parent', 'orderby', 'order', 'status', 'after', 'categories', 'offset']
      .filter((name) => name in known)
      .map((name) => inList(`by-${name}`, given(name))),
    inList('by-fields', given('_fields')),
    inList('by-embed', given('_embed')),
    inList('in-embed', ({ args }) => args.context === 'embed', 'excerpt'),
    alone('by-fields', given('_fields')),
    alone('by-embed', given('_embed')),
    alone('by-excerpt-length', given('excerpt_length')),
    alone('by-empty-password', ({ args }) => args.password === '', 'wrong-password'),
    alone('in-edit', ({ args }) => args.context === 'edit'),
    ...closedMutants(resource),
    elsewhereMutant(resource),
    ...('parent' in (operations.create?.parameters.properties ?? {}) ? [belowMutant(resource)] : []),
    ...childMutants(resource),
    ...batchMutants(contract, resource),
    ...(contract.operations.some((one) => one.id === LOOK_UP) ? [lookUpMutant(resource)] : []),
  ];
}

/** Sites that hide protected content, or a part of it, even with the password. */
function closedMutants(resource: Resource): Mutant[] {
  const about = `protected/${resource.id}/written/opened`;
  const read = idOf(resource, 'read');
  return [
    readingMutant(
      `${about}~decoded-twice`,
      `${read} decodes a password once more than it was encoded`,
      read,
      (given, take) => take({ ...given, ...decoded(given.password) }),
    ),
    readingMutant(
      `${about}~not-beside-length`,
      `${read} refuses a password beside excerpt_length`,
      read,
      (given, take) => {
        if (given.password && 'excerpt_length' in given)
          throw invalidParameters({ password: 'Not together.' });
        return take(given);
      },
    ),
    handlerMutant(
      `protected/${resource.id}/written/wrong-password~any-in-embed`,
      `any password opens ${resource.id} in embed`,
      read,
      (call) => {
        const password = recordOf(call, resource.id)?.password;
        if (call.args.context !== 'embed' || !call.args.password || !password) return healthy(call);
        const request = { ...call.request, query: { ...call.request.query, password } };
        return healthy({ ...call, request, args: { ...call.args, password } });
      },
    ),
    recordMutant(
      `protected/${resource.id}/written/content~empty-in-embed`,
      `${resource.id} with a password show an empty content in embed`,
      read,
      (record, call) =>
        call.args.context === 'embed' && recordOf(call, resource.id)?.password
          ? { ...record, content: { rendered: '', protected: true } }
          : record,
    ),
    recordMutant(
      `${about}~without-excerpt`,
      `the password of ${resource.id} does not open the excerpt`,
      read,
      (record, { args }) =>
        typeof args.password === 'string'
          ? { ...record, excerpt: { rendered: '', protected: true } }
          : record,
    ),
  ];
}

function decoded(password: Json | undefined): JsonObject {
  if (typeof password !== 'string') return {};
  return { password: new URLSearchParams(`password=${password}`).get('password') };
}

/** A site that shows the protected text in an extra member. */
function elsewhereMutant({ id, operations }: Resource): Mutant {
  return answerMutant(
    `protected/${id}/written/content~in-another-member`,
    `${id} show what a password protects in a member of their own`,
    operations.read?.id ?? '',
    (shown, call) => {
      const record = recordOf(call, id);
      if (record === undefined || record.password === '' || call.request.account !== undefined) return shown;
      return withObject(shown, (one) => ({ ...one, summary: record.content }));
    },
  );
}

/** A site that shows the protected text of a parent that is embedded in another record. */
function belowMutant(resource: Resource): Mutant {
  const { id } = resource;
  return answerMutant(
    `protected/${id}/written/content~embedded-below`,
    `what one of the ${id} embeds of the one above it shows what its password protects`,
    idOf(resource, 'read'),
    (shown, call) => {
      const above = call.site.store.get(recordOf(call, id)?.parent ?? 0, id);
      if (above === undefined || !isGiven(call, '_embed')) return shown;
      const view = { context: 'view', account: undefined, password: above.password } as const;
      return withObject(shown, (one) => ({
        ...one,
        _embedded: { up: [showRecord(call.site, above, view)] },
      }));
    },
  );
}

/** Sites that let anonymous callers read revisions, or autosaves. */
function childMutants({ id, children }: Resource): Mutant[] {
  const asEditor: Handler = (call) =>
    healthy({
      ...call,
      request: { ...call.request, account: call.request.account ?? call.site.accounts[0] },
    });
  return children.flatMap(({ kind, operations }) =>
    (['list', 'read'] as const).flatMap((role) => {
      const operation = operations[role]?.id;
      if (operation === undefined) return [];
      const how = kind === 'revisions' && role === 'list' ? 'shown' : `by-${kind}-${role}`;
      const about = `protected/${id}/written/revisions~${how}`;
      return [handlerMutant(about, `${operation} answers anybody`, operation, asEditor)];
    }),
  );
}

/** A site that accepts an update without fields from anybody, in batches too, and answers with the record. */
function batchMutants({ operations }: Contract, resource: Resource): Mutant[] {
  if (!operations.some(({ role }) => role === 'batch')) return [];
  const { id } = resource;
  return [
    handlerMutant(
      `protected/${id}/written/content~by-batch`,
      `a change without fields answers anybody what a password of ${id} protects`,
      idOf(resource, 'update'),
      (call) => {
        const record = recordOf(call, id);
        if (record === undefined || call.request.account !== undefined) return healthy(call);
        return answer(showRecord(call.site, record, { context: 'edit', account: call.site.accounts[0] }));
      },
    ),
  ];
}

/** A site whose embeds show protected content. */
function lookUpMutant({ id }: Resource): Mutant {
  return answerMutant(
    `protected/${id}/written/content~by-look-up`,
    `an embedding of one of the ${id} carries what its password protects`,
    LOOK_UP,
    (shown, call) => {
      const record = call.site.store
        .ofKind(id)
        .find((one) => one.password !== '' && permalink(call.site, one) === call.args.url);
      return record === undefined
        ? shown
        : withObject(shown, (one) => ({ ...one, description: record.content }));
    },
  );
}
