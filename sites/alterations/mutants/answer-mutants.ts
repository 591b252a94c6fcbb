import { invalidParameters } from '../../reference/arguments.ts';
import { isObject, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { contextOf } from '../../reference/read-records.ts';
import { Refusal } from '../../reference/request.ts';
import { showRecord } from '../../reference/show-record.ts';
import type { Answer, Call, Handler } from '../../reference/site.ts';
import { answer, CONTEXT_NAMES, CONTEXTS as FIELDS, Text } from '../../reference/site.ts';
import { REVISION, StoredRecord } from '../../reference/store.ts';
import { type Mutant, type Mutants, mutant } from '../alteration.ts';
import { blankFor, healthy, mutantsIn, mutantsOn, sending, setting, withObject } from '../handling.ts';
import {
  byMethod,
  idOf,
  inContext,
  isAnonymous,
  isUser,
  ofStatus,
  ownResources,
  recordOf,
  topicOf,
} from '../selecting.ts';

/** Mutants of answers: server errors, members in wrong contexts, and records other than the written ones. */
export function answerMutants(contract: Contract): Mutants {
  const own = ownResources(contract);
  return [
    contract.operations.map(failingMutants),
    methodMutants(own),
    own.map((resource) => [dateMutants(resource), contextMutants(resource)]),
    identityMutants(own),
  ];
}

/** The requirement that fails if a write does, for operations whose own checks send no valid write. */
function requirementOf(operation: Operation): string {
  const { id, resource, role } = operation;
  const topic = topicOf(operation);
  if (topic === 'batch') return 'batch/one';
  if (topic !== undefined || !resource) return topic ?? id;
  if (resource.kind === 'autosaves' && role === 'create') return `autosaves/${resource.parent?.id}`;
  if (resource.kind === 'revisions' && role === 'delete') return `revisions/${resource.parent?.id}/force`;
  return role === 'delete' ? `states/${resource.id}` : id;
}

/** Mutants whose lists make the server fail for other methods than GET. */
function methodMutants(own: readonly Resource[]): Mutants {
  const listed = own.filter(({ operations }) => operations.list !== undefined);
  return listed.map(({ id, route }) =>
    ['HEAD', 'OPTIONS'].map((method) =>
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

function refusing(...refusal: ConstructorParameters<typeof Refusal>): Handler {
  return () => {
    throw new Refusal(...refusal);
  };
}

const NOT_FOUND = refusing('rest_post_invalid_id', 'Invalid post ID.', 404);

/** Mutants with a server error for everybody or some callers, or with an answer that is not JSON. */
function failingMutants(operation: Operation): Mutants {
  const { id, effect, methods, namespace, resource, role, parameters, pathParameters } = operation;
  const { failing, handler, reading, where } = mutantsIn(id);
  const always = (): boolean => true;
  if (effect !== 'reads') {
    const others = effect === 'alters-site' ? methods.slice(1) : [];
    const refused = refusing('no_method', 'There is no such method.', 405);
    const isEmpty = ({ args }: Call): boolean => Object.values(args).includes('');
    return [
      mutantsIn(id, requirementOf(operation)).failing(`~${id}-fails`, 'makes the server fail', always),
      requiring(operation),
      effect === 'alters-site' &&
        takesTexts(operation) &&
        failing('answers/user~fails-of-empty-texts', 'makes the server fail of an empty text', isEmpty),
      others.map((method) => [
        where(byMethod(method)).handler(`answers/user~without-${method}`, `does not take ${method}`, refused),
        parameters.required.some((name) => !(name in pathParameters)) &&
          reading(
            `method/${method}/enforced~lenient`,
            `takes anything by ${method}`,
            (given, read, { request }) => (request.method === method ? given : read(given)),
          ),
      ]),
    ];
  }
  const failsForAnybody = failing(
    'answers/anonymous~fails',
    'makes the server fail for anonymous',
    isAnonymous,
  );
  // A run does not start without an index for its user.
  if (id === 'index.read') return failsForAnybody;
  const root = mutantsIn(id, `namespaces/${namespace}`, `the root of ${namespace}`);
  const nothing = refusing('no_route', 'There is nothing here.', 404);
  const page = { status: 200, headers: {}, body: new Text('text/html', '<p>Hello</p>') };
  const absent = refusing('not_there', 'This is not there yet.', 501);
  return [
    requiring(operation),
    role === 'list' &&
      !resource?.parent &&
      handler('answers~refused', 'is refused whatever it is asked', nothing),
    role === 'list' &&
      resource?.parent !== undefined && [
        withRecords(id, 'answers~refused-with-records', 'is refused', 400),
        withRecords(id, 'answers~fails-with-records', 'makes the server fail', 500),
      ],
    id.endsWith('.root') && root.failing('root~fails', 'makes the server fail', always),
    failsForAnybody,
    failing('answers/user~fails', 'makes the server fail for user', isUser),
    handler('answers~no-json', 'answers with a page', () => page),
    handler('answers~absent', 'is in the index and not there', absent),
  ];
}

/** A list that is answered only where it is empty. */
function withRecords(id: string, how: string, does: string, status: number): Mutant {
  return mutantsIn(id).handler(how, `${does} where it has records`, async (call, next) => {
    const shown = await next(call);
    if (Array.isArray(shown.body) && shown.body.length > 0) throw new Refusal('too_many', 'Which?', status);
    return shown;
  });
}

function takesTexts({ parameters: { properties }, pathParameters }: Operation): boolean {
  return Object.entries(properties).some(
    ([name, schema]) =>
      !(name in pathParameters) &&
      schema.type === 'string' &&
      !(schema.enum ?? schema.pattern ?? schema.format),
  );
}

/** A call that requires an optional argument: of a list or of objects one without a default, otherwise one with it. */
function requiring({ id, effect, role, parameters, pathParameters }: Operation): Mutants {
  const takesObjects = Object.values(parameters.properties).some(({ type }) => type === 'object');
  const isList = effect === 'reads' && (role === 'list' || takesObjects);
  if (!isList && (effect !== 'alters-site' || id === 'batch.run')) return [];
  const { properties, required } = parameters;
  const name = Object.keys(properties).findLast((one) => {
    const hasDefault = (properties[one]?.default ?? null) !== null;
    return !(one in pathParameters) && !required.includes(one) && hasDefault !== isList;
  });
  if (name === undefined) return [];
  return mutantsIn(id).reading(
    `answers/user~requires-${name}`,
    `refuses a call without ${name}`,
    (given, read) => {
      if (!(name in given)) throw invalidParameters({ [name]: 'It is missing.' });
      return read(given);
    },
  );
}

/** A date-time with a blank instead of the T of ISO 8601, in view. */
function dateMutants({ id: about, operations: { create, read, list } }: Resource): Mutants {
  const properties = Object.entries(create?.parameters.properties ?? {});
  const dates = properties.filter(([, { format }]) => format === 'date-time');
  return dates.map(([field]) =>
    [read, list].map(
      (operation) =>
        operation &&
        mutantsIn(operation.id, `records/${about}/types/${field}`)
          .where((call) => contextOf(call) === 'view')
          .record(
            `~blank-in-view-of-${operation.role}`,
            `shows ${field} with a blank for its T in view`,
            blankFor(field),
          ),
    ),
  );
}

/** Mutants that show a field, or a member of one, in a wrong context, or hide it in a right one. */
function contextMutants(resource: Resource): Mutants {
  const { fields, operations } = resource;
  const content = { raw: 'Text', rendered: 'Text', protected: false };
  return ['list', 'read'].map((role) => [
    Object.entries(operations.create?.parameters.properties ?? {}).map(([field, { properties = {} }]) =>
      Object.entries(properties).map(([member, { 'x-contexts': contexts }]) =>
        contexts
          ? [
              memberMutants(idOf(resource, role), field, member, contexts),
              role === 'list' &&
                member === 'rendered' &&
                field !== 'excerpt' &&
                emptyMutant(idOf(resource, role), field),
            ]
          : [],
      ),
    ),
    'content' in fields &&
      mutantsOn(resource, role)
        .where(inContext('embed'))
        .record('contexts/content~in-embed', 'shows content in the context embed', setting({ content })),
  ]);
}

function memberMutants(id: string, field: string, member: string, contexts: readonly string[]): Mutants {
  // A field outside a context has no members there.
  const shownIn = CONTEXT_NAMES.filter(
    (context) => !contexts.includes(context) || FIELDS[field]?.includes(context) !== false,
  );
  return shownIn.map((context) => {
    const isShown = contexts.includes(context);
    return mutantsIn(id).record(
      `contexts/${field}.${member}~${isShown ? 'missing-in' : 'leaked-into'}-${context}`,
      `${isShown ? 'does not show' : 'shows'} ${field}.${member} in the context ${context}`,
      (record, call) => (contextOf(call) === context ? turned(record, field, member, isShown) : record),
    );
  });
}

/** Pages of the reference hardly have an excerpt of their own, so that it may be empty. */
function emptyMutant(id: string, field: string): Mutant {
  return mutantsIn(id).record(
    `contexts/${field}.rendered~empty`,
    `shows nothing as ${field}.rendered`,
    ({ [field]: shown, ...record }) => ({
      ...record,
      ...(shown !== undefined && { [field]: isObject(shown) ? { ...shown, rendered: '' } : shown }),
    }),
  );
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
function identityMutants(own: readonly Resource[]): Mutants {
  const children = own.flatMap((resource) => resource.children);
  return [
    own.filter(({ operations }) => operations.create).map(creationMutants),
    own.filter(({ operations }) => operations.update).map(updateMutants),
    own.filter(({ operations }) => operations.list && operations.read).map(aloneMutants),
    own.filter(({ operations }) => operations.list).map(wordIdMutant),
    own.length > 1 && own.filter(({ operations }) => operations.read).map((one) => kindMutants(one, own)),
    children
      .filter(({ kind, operations }) => kind === 'autosaves' && operations.create)
      .map((child) => {
        const about = `autosaves/${child.parent?.id}`;
        const created = mutantsIn(idOf(child, 'create'), about, `a new autosave of ${child.parent?.id}`);
        return [
          created.answer('ids~answered-of-another', 'is answered as that of another record', (shown) =>
            withObject(shown, (save) => ({ ...save, parent: 1 })),
          ),
          mutantsOn(child, 'list', about).handler('ids~no-record', 'finds no record', NOT_FOUND),
        ];
      }),
    children.filter(({ operations }) => operations.read).map(anyParentMutant),
    children.filter(({ kind, operations }) => kind === 'revisions' && operations.read).map(childMutants),
  ];
}

function anyParentMutant(child: Resource): Mutant {
  const { args } = mutantsOn(child, 'read', `records/${child.id}`);
  return args('other-ids~of-any', 'reads one that belongs to another record', (given, call) => {
    const parent = recordOf(call, REVISION)?.parent;
    return parent === undefined ? given : { ...given, parent };
  });
}

function childMutants(child: Resource): Mutants {
  const { args, handler } = mutantsOn(child, 'read', `records/${child.id}`);
  const below = ({ site, args }: Call): StoredRecord[] =>
    site.store.ofKind(REVISION).filter(({ parent }) => parent === Number(args.parent));
  return [
    args('other-ids~latest', 'reads the latest one whatever the id', (given, call) => ({
      ...given,
      id: Math.max(...below(call).map(({ id }) => id), 0) || (given.id ?? 0),
    })),
    handler('other-ids~oldest-not-found', 'does not find the oldest one', (call, next) => {
      const [oldest] = below(call).toSorted((one, other) => (one.date < other.date ? -1 : 1));
      return oldest?.id === Number(call.args.id) ? NOT_FOUND(call) : next(call);
    }),
  ];
}

function wordIdMutant(resource: Resource): Mutant {
  return mutantsOn(resource, 'list', `records/${resource.id}`)
    .where(inContext('embed'))
    .record('id~text-in-embed', 'shows ids as text in embed', (one) => ({ ...one, id: String(one.id) }));
}

/** Sites that read a record of another kind by its id. */
function kindMutants(resource: Resource, all: readonly Resource[]): Mutants {
  const { handler } = mutantsOn(resource, 'read', `records/${resource.id}`);
  const last = all.filter(({ id }) => id !== resource.id).at(-1)?.id;
  const reading =
    (other: string | undefined): Handler =>
    (call) => {
      const record = call.site.store.get(Number(call.args.id));
      if (record === undefined || !['publish', 'inherit'].includes(record.status) || record.kind !== other)
        return healthy(call);
      const view = { context: contextOf(call), account: call.request.account };
      // A revision is stored like a record of its parent's kind.
      const kind = record.kind === REVISION ? resource.id : record.kind;
      return answer(showRecord(call.site, Object.assign(new StoredRecord(), record, { kind }), view));
    };
  return [
    handler('other-ids~of-the-last', 'reads records of one other kind', reading(last)),
    handler(
      'every-answer/same~oldest-for-none',
      'reads the oldest record where none has the id',
      (call, next) => {
        const { store } = call.site;
        const [oldest] = store.ofKind(resource.id);
        const id = store.get(Number(call.args.id), resource.id)?.id ?? oldest?.id ?? 0;
        return next({ ...call, args: { ...call.args, id } });
      },
    ),
    resource.children.some(({ kind }) => kind === 'revisions') &&
      handler('other-ids~of-revisions', 'reads revisions', reading(REVISION)),
  ];
}

/** Only the oldest record is affected; the latest ones are correct. */
function aloneMutants(resource: Resource): Mutants {
  const about = `records/${resource.id}/alone`;
  const { where } = mutantsOn(resource, 'read', about, `the oldest of ${resource.id}`);
  const isOldest = ({ site, args }: Call): boolean =>
    site.store.ofKind(resource.id).find(({ status }) => ['publish', 'inherit'].includes(status))?.id ===
    Number(args.id);
  return [
    where(isOldest).record('~other-slug', 'has another slug alone', setting({ slug: 'from-a-memory' })),
    where(isOldest).handler('~not-found', 'is not found alone', NOT_FOUND),
    resource.kind !== 'uploads' &&
      where(ofStatus('draft')).handler('~drafts-not-found', 'is not found alone if it is a draft', NOT_FOUND),
    'post' in resource.fields &&
      mutantsOn(resource, 'list', about, `the list of ${resource.id}`).record(
        '~listed-without-post',
        'shows what they belong to as null',
        (shown) => ('post' in shown ? { ...shown, post: null } : shown),
      ),
  ];
}

function creationMutants(resource: Resource): Mutants {
  const id = idOf(resource, 'create');
  const made = mutantsIn(id, `${id}/record`, `a creation in ${resource.id} is answered with`);
  return [
    made.answer('~of-before', 'the oldest of its records', (shown, call) =>
      naming(shown, call.site.store.ofKind(resource.id)[0]?.id),
    ),
    made.answer('~of-nobody', 'an id that nothing has', (shown) => naming(shown, 987_654_321)),
  ];
}

function updateMutants(resource: Resource): Mutants {
  const id = idOf(resource, 'update');
  return ['POST', 'PUT', 'PATCH'].map((method) =>
    mutantsIn(id, `${id}/changes/${method}`, `a ${method} of one of the ${resource.id}`)
      .where(byMethod(method))
      .answer('~of-another', 'is answered as another one', (shown, { site }) =>
        naming(shown, site.store.ofKind(resource.id)[0]?.id),
      ),
  );
}

function naming(shown: Answer, id: number | undefined): Answer {
  return id === undefined ? shown : withObject(shown, (record) => ({ ...record, id }));
}
