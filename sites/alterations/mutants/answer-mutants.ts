import { isObject, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { contextOf } from '../../reference/read-records.ts';
import { Refusal } from '../../reference/request.ts';
import { showRecord } from '../../reference/show-record.ts';
import type { Answer, Call } from '../../reference/site.ts';
import { answer, CONTEXT_NAMES, CONTEXTS as FIELDS, Text } from '../../reference/site.ts';
import { REVISION } from '../../reference/store.ts';
import { type Mutant, mutant } from '../alteration.ts';
import {
  answerMutant,
  argsMutant,
  handlerMutant,
  healthy,
  idOf,
  ownResources,
  recordMutant,
  recordOf,
  sending,
  topicOf,
  withObject,
} from '../handling.ts';

/** The requirement that fails if a write does, for operations whose own checks send no valid write. */
function requirementOf({ id, resource, role }: Operation): string {
  const topic = topicOf({ id, resource, role });
  if (topic === 'batch') return 'batch/one';
  if (topic !== undefined || !resource) return topic ?? id;
  if (resource.kind === 'autosaves' && role === 'create') return `autosaves/${resource.parent?.id}`;
  if (resource.kind === 'revisions' && role === 'delete') return `revisions/${resource.parent?.id}/force`;
  return role === 'delete' ? `states/${resource.id}` : id;
}

/** Mutants whose lists make the server fail for other methods than GET. */
export function methodMutants(contract: Contract): Mutant[] {
  return ownResources(contract).flatMap(({ id, route, operations }) =>
    operations.list === undefined
      ? []
      : ['HEAD', 'OPTIONS'].map((method) =>
          mutant(
            `records/${id}/no-server-error~${method}`,
            `${method} of the list of ${id} makes the server fail`,
            sending((shown, asked) =>
              asked.method === method && asked.route === route ? { ...shown, status: 500 } : shown,
            ),
          ),
        ),
  );
}

/** Mutants with a server error for everybody or some callers, or with an answer that is not JSON. */
export function answerMutants(operation: Operation): Mutant[] {
  const { id, effect, namespace, resource, role } = operation;
  const failing = (about: string, what: string, isMeant: (isKnown: boolean) => boolean): Mutant =>
    handlerMutant(about, what, id, (call) => {
      if (isMeant(call.request.account !== undefined)) throw new Error('this operation is broken');
      return healthy(call);
    });
  const broken = `${id} makes the server fail`;
  const methodMutant = (method: string): Mutant =>
    handlerMutant(`${id}/answers/user~without-${method}`, `${id} does not take ${method}`, id, (call) => {
      if (call.request.method === method) throw new Refusal('no_method', 'There is no such method.', 405);
      return healthy(call);
    });
  if (effect !== 'reads')
    return [
      failing(`${requirementOf(operation)}~${id}-fails`, broken, () => true),
      ...(effect === 'alters-site' ? operation.methods.slice(1).map(methodMutant) : []),
    ];
  const refused = (how: string, title: string, refusal: Refusal): Mutant =>
    handlerMutant(`${id}/answers~${how}`, title, id, () => {
      throw refusal;
    });
  const nothing = new Refusal('no_route', 'There is nothing here.', 404);
  const rootTitle = `the root of ${namespace} makes the server fail`;
  const forAnonymous = failing(`${id}/answers/anonymous~fails`, `${broken} for anonymous`, (known) => !known);
  // A run does not start without an index for its user.
  if (id === 'index.read') return [forAnonymous];
  return [
    ...(role === 'list' && !resource?.parent
      ? [refused('refused', `${id} is refused whatever it is asked`, nothing)]
      : []),
    ...(id.endsWith('.root') ? [failing(`namespaces/${namespace}/root~fails`, rootTitle, () => true)] : []),
    forAnonymous,
    failing(`${id}/answers/user~fails`, `${broken} for user`, (known) => known),
    handlerMutant(`${id}/answers~no-json`, `${id} answers with a page`, id, () => ({
      status: 200,
      headers: {},
      body: new Text('text/html', '<p>Hello</p>'),
    })),
    refused(
      'absent',
      `${id} is in the index and not there`,
      new Refusal('not_there', 'This is not there yet.', 501),
    ),
  ];
}

/** Mutants that show a member of a field in a wrong context, or hide it in a right one. */
export function contextMutants(contract: Contract): Mutant[] {
  return [...ownResources(contract).flatMap(dateMutants), ...ownResources(contract).flatMap(shownMutants)];
}

/**
 * Answers that show a date-time with a blank instead of the T of ISO 8601: the list, or everything except the list in
 * edit.
 */
function dateMutants(resource: Resource): Mutant[] {
  const { create, read, list } = resource.operations;
  const dates = Object.entries(create?.parameters.properties ?? {})
    .filter(([, { format }]) => format === 'date-time')
    .map(([field]) => field);
  const blank = (record: JsonObject, field: string): JsonObject =>
    field in record ? { ...record, [field]: String(record[field]).replace('T', ' ') } : record;
  return dates.flatMap((field) => {
    const about = `records/${resource.id}/types/${field}`;
    return [
      recordMutant(
        `${about}~blank-for-t`,
        `the list of ${resource.id} shows ${field} with a blank for its T`,
        idOf(resource, 'list'),
        (record) => blank(record, field),
      ),
      ...[read, list].flatMap((operation) =>
        operation === undefined
          ? []
          : recordMutant(
              `${about}~blank-in-view-of-${operation.role ?? ''}`,
              `${operation.id} shows ${field} with a blank for its T in view`,
              operation.id,
              (record, call) => (contextOf(call) === 'view' ? blank(record, field) : record),
            ),
      ),
    ];
  });
}

function shownMutants(resource: Resource): Mutant[] {
  return Object.entries(resource.operations.create?.parameters.properties ?? {}).flatMap(([field, schema]) =>
    Object.entries(schema.properties ?? {}).flatMap(([member, { 'x-contexts': contexts }]) =>
      contexts
        ? ['list', 'read'].flatMap((role) => memberMutants(idOf(resource, role), field, member, contexts))
        : [],
    ),
  );
}

function memberMutants(id: string, field: string, member: string, contexts: readonly string[]): Mutant[] {
  // A field outside a context has no members there.
  const shownIn = CONTEXT_NAMES.filter(
    (context) => !contexts.includes(context) || FIELDS[field]?.includes(context) !== false,
  );
  return shownIn.map((context) => {
    const isShown = contexts.includes(context);
    return recordMutant(
      `${id}/contexts/${field}.${member}~${isShown ? 'missing-in' : 'leaked-into'}-${context}`,
      `${id} ${isShown ? 'does not show' : 'shows'} ${field}.${member} in the context ${context}`,
      id,
      (record, call) => (contextOf(call) === context ? turned(record, field, member, isShown) : record),
    );
  });
}

function turned(record: JsonObject, field: string, member: string, isShown: boolean): JsonObject {
  const shown = record[field];
  // A field that is not shown cannot leak only a part.
  const value = isObject(shown) ? shown : {};
  const { [member]: old, ...rest } = value;
  const leaked = member === 'block_version' ? 1 : member === 'protected' ? false : 'Text';
  return { ...record, [field]: isShown ? rest : { ...value, [member]: old ?? leaked } };
}

/** Mutants whose answers name another record than was written. */
export function identityMutants(contract: Contract): Mutant[] {
  const own = ownResources(contract);
  return [
    ...own.filter(({ operations }) => operations.create).flatMap(creationMutants),
    ...own.filter(({ operations }) => operations.update).flatMap(updateMutants),
    ...own.filter(({ operations }) => operations.list && operations.read).flatMap(aloneMutants),
    ...own.filter(({ operations }) => operations.list).map(wordIdMutant),
    ...(own.length > 1 ? own.filter(({ operations }) => operations.read).map(anyKindMutant) : []),
    ...own
      .flatMap(({ children }) => children)
      .filter(({ kind, operations }) => kind === 'autosaves' && operations.create)
      .map(autosaveMutant),
    ...own.flatMap(({ children }) => children).flatMap(anyParentMutants),
  ];
}

/** A site that reads a revision or autosave below any record. */
function anyParentMutants({ id: children, operations: { read } }: Resource): Mutant[] {
  if (read === undefined) return [];
  const title = `${read.id} reads one that belongs to another record`;
  return [
    argsMutant(`records/${children}/other-ids~of-any`, title, read.id, (args, call) => {
      const parent = recordOf(call, REVISION)?.parent;
      return parent === undefined ? args : { ...args, parent };
    }),
  ];
}

/** A site whose list shows ids as text in only one context. */
function wordIdMutant(resource: Resource): Mutant {
  const id = idOf(resource, 'list');
  return recordMutant(
    `records/${resource.id}/id~text-in-embed`,
    `${id} shows ids as text in embed`,
    id,
    (record, { args }) => (args.context === 'embed' ? { ...record, id: String(record.id) } : record),
  );
}

/** A site that reads a record of any collection by its id. */
function anyKindMutant({ id: collection, operations }: Resource): Mutant {
  const id = operations.read?.id ?? '';
  return handlerMutant(
    `records/${collection}/other-ids~of-any`,
    `${id} reads records of any kind`,
    id,
    (call) => {
      const record = call.site.store.get(Number(call.args.id));
      if (record === undefined || record.kind === collection || record.status !== 'publish')
        return healthy(call);
      const view = { context: contextOf(call), account: call.request.account };
      return answer(showRecord(call.site, record, view));
    },
  );
}

/**
 * Sites that show an old record differently in a single read than in the list, or not at all; the latest ones are
 * correct.
 */
function aloneMutants(resource: Resource): Mutant[] {
  const id = idOf(resource, 'read');
  const about = `records/${resource.id}/alone`;
  const isOldest = (call: Call): boolean =>
    call.site.store.ofKind(resource.id).find(({ status }) => ['publish', 'inherit'].includes(status))?.id ===
    Number(call.args.id);
  return [
    recordMutant(
      `${about}~other-slug`,
      `the oldest of ${resource.id} has another slug alone`,
      id,
      (record, call) => (isOldest(call) ? { ...record, slug: 'from-a-memory' } : record),
    ),
    handlerMutant(`${about}~not-found`, `the oldest of ${resource.id} is not found alone`, id, (call) => {
      if (isOldest(call)) throw new Refusal('rest_post_invalid_id', 'Invalid post ID.', 404);
      return healthy(call);
    }),
  ];
}

function creationMutants(resource: Resource): Mutant[] {
  const id = idOf(resource, 'create');
  const creation = `a creation in ${resource.id} is answered with`;
  return [
    answerMutant(`${id}/record~of-before`, `${creation} the oldest of its records`, id, (answer, call) =>
      naming(answer, call.site.store.ofKind(resource.id)[0]?.id),
    ),
    answerMutant(`${id}/record~of-nobody`, `${creation} an id that nothing has`, id, (answer) =>
      naming(answer, 987_654_321),
    ),
  ];
}

function updateMutants(resource: Resource): Mutant[] {
  const id = idOf(resource, 'update');
  return ['POST', 'PUT', 'PATCH'].map((method) =>
    answerMutant(
      `${id}/changes/${method}~of-another`,
      `a ${method} of one of the ${resource.id} is answered as another one`,
      id,
      (answer, { request, site }) =>
        request.method === method ? naming(answer, site.store.ofKind(resource.id)[0]?.id) : answer,
    ),
  );
}

function autosaveMutant(resource: Resource): Mutant {
  const of = resource.parent?.id;
  return answerMutant(
    `autosaves/${of}/ids~answered-of-another`,
    `a new autosave of ${of} is answered as that of another record`,
    idOf(resource, 'create'),
    (answer) => withObject(answer, (save) => ({ ...save, parent: 1 })),
  );
}

/** The answer with another id. */
function naming(answer: Answer, id: number | undefined): Answer {
  return id === undefined ? answer : withObject(answer, (record) => ({ ...record, id }));
}
