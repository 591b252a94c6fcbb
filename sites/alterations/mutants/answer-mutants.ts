import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import { type Answer, type Call, CONTEXTS as FIELDS, type Handler, Text } from '../../reference/site.ts';
import type { Kind } from '../../reference/store.ts';
import { type Mutant, mutant } from '../alteration.ts';
import { handling, healthy, idOf, ownResources, showing, topicOf } from '../handling.ts';

/** The requirement that fails with a write, where the checks of the operation itself send no valid one. */
function requirementOf({ id, resource, role }: Operation): string {
  const topic = topicOf({ id, resource, role });
  if (topic === 'batch') return 'batch/one';
  if (topic !== undefined || !resource) return topic ?? id;
  if (resource.kind === 'autosaves' && role === 'create') return `autosaves/${resource.parent?.id}`;
  if (resource.kind === 'revisions' && role === 'delete') return `revisions/${resource.parent?.id}/force`;
  return role === 'delete' ? `states/${resource.id}` : id;
}

/** Mutants that make an operation fail on the server, for everybody or for some callers, or answer what is no JSON. */
export function answerMutants(operation: Operation): Mutant[] {
  const { id, effect, namespace, resource, role } = operation;
  if (effect !== 'reads') {
    const failing = handling(id, () => {
      throw new Error('this operation is broken');
    });
    return [mutant(requirementOf(operation), `${id}-fails`, `${id} makes the server fail`, failing)];
  }
  const failingFor = (who: string, isMeant: (known: boolean) => boolean): Mutant =>
    mutant(
      `${id}/answers/${who}`,
      'fails',
      `${id} makes the server fail for ${who}`,
      handling(id, (call) => {
        if (isMeant(call.request.account !== undefined)) throw new Error('this operation is broken');
        return healthy(call);
      }),
    );
  const refusing = mutant(
    `${id}/answers`,
    'refused',
    `${id} is refused whatever it is asked`,
    handling(id, () => {
      throw new Refusal('no_route', 'There is nothing here.', 404);
    }),
  );
  return [
    ...(role === 'list' && resource?.parent === undefined ? [refusing] : []),
    ...(id.endsWith('.root')
      ? [
          mutant(
            `namespaces/${namespace}/root`,
            'fails',
            `the root of ${namespace} makes the server fail`,
            handling(id, () => {
              throw new Error('this root is broken');
            }),
          ),
        ]
      : []),
    failingFor('anonymous', (known) => !known),
    // Without an index for its user no run starts at all.
    ...(id === 'index.read' ? [] : [failingFor('user', (known) => known)]),
    ...(id === 'index.read'
      ? []
      : [
          mutant(
            `${id}/answers`,
            'no-json',
            `${id} answers with a page`,
            handling(id, () => ({ status: 200, headers: {}, body: new Text('text/html', '<p>Hello</p>') })),
          ),
          mutant(
            `${id}/answers`,
            'absent',
            `${id} is in the index and not there`,
            handling(id, () => {
              throw new Refusal('not_there', 'This is not there yet.', 501);
            }),
          ),
        ]),
  ];
}

const CONTEXTS = ['view', 'embed', 'edit'];

/** Mutants that show a member of a field in a context where it must not be, or not where it must. */
export function contextMutants(contract: Contract): Mutant[] {
  return ownResources(contract).flatMap(fieldMutants);
}

function fieldMutants(resource: Resource): Mutant[] {
  return Object.entries(resource.operations.create?.parameters.properties ?? {}).flatMap(([field, schema]) =>
    Object.entries(schema.properties ?? {}).flatMap(([member, { 'x-contexts': contexts }]) =>
      contexts
        ? ['list', 'read'].flatMap((way) => memberMutants(idOf(resource, way), field, member, contexts))
        : [],
    ),
  );
}

function memberMutants(id: string, field: string, member: string, contexts: readonly string[]): Mutant[] {
  // A field that is not in a context at all has no members there to miss.
  const shownIn = CONTEXTS.filter(
    (context) => !contexts.includes(context) || FIELDS[field]?.some((one) => one === context) !== false,
  );
  return shownIn.map((context) => {
    const isShown = contexts.includes(context);
    return mutant(
      `${id}/contexts/${field}.${member}`,
      `${isShown ? 'missing-in' : 'leaked-into'}-${context}`,
      `${id} ${isShown ? 'does not show' : 'shows'} ${field}.${member} in the context ${context}`,
      showing(id, (record, call) =>
        contextOf(call) === context ? turned(record, field, member, isShown) : record,
      ),
    );
  });
}

function contextOf({ args }: Call): Json {
  return args.context ?? 'view';
}

function turned(record: JsonObject, field: string, member: string, isShown: boolean): JsonObject {
  const shown = record[field];
  // A field that is not shown at all cannot leak a part of itself alone.
  const value = isObject(shown) ? shown : {};
  const { [member]: old, ...rest } = value;
  const leaked = member === 'block_version' ? 1 : member === 'protected' ? false : 'Text';
  return { ...record, [field]: isShown ? rest : { ...value, [member]: old ?? leaked } };
}

const METHODS = ['POST', 'PUT', 'PATCH'];

/** Mutants in which record an answer says to be about: a site that tells another one than it has written. */
export function identityMutants(contract: Contract): Mutant[] {
  const own = ownResources(contract);
  return [
    ...own.filter(({ operations }) => operations.create).flatMap(creationMutants),
    ...own.filter(({ operations }) => operations.update).flatMap(updateMutants),
    ...own
      .flatMap(({ children }) => children)
      .filter(({ kind, operations }) => kind === 'autosaves' && operations.create)
      .map(autosaveMutant),
  ];
}

function creationMutants(resource: Resource): Mutant[] {
  const { id: kind } = resource;
  const id = idOf(resource, 'create');
  return [
    mutant(
      `${id}/record`,
      'of-before',
      `a creation in ${kind} is answered with the oldest of its records`,
      handling(
        id,
        naming(kind, (all) => all[0]),
      ),
    ),
    mutant(
      `${id}/record`,
      'of-nobody',
      `a creation in ${kind} is answered with an id that nothing has`,
      handling(
        id,
        naming(kind, () => 987_654_321),
      ),
    ),
  ];
}

/** Answers a creation with another id. @param choose gets the ids of the collection, the oldest first */
function naming(kind: Kind, choose: (ids: readonly number[]) => number | undefined): Handler {
  return async (call) => {
    const answer = await healthy(call);
    return renamed(answer, choose(call.site.store.ofKind(kind).map(({ id }) => id)));
  };
}

function updateMutants(resource: Resource): Mutant[] {
  const { id: kind } = resource;
  const id = idOf(resource, 'update');
  return METHODS.map((method) =>
    mutant(
      `${id}/changes/${method}`,
      'of-another',
      `a ${method} of one of the ${kind} is answered as another one`,
      handling(id, async (call) => {
        const answer = await healthy(call);
        return call.request.method === method ? renamed(answer, call.site.store.ofKind(kind)[0]?.id) : answer;
      }),
    ),
  );
}

function autosaveMutant(resource: Resource): Mutant {
  const of = resource.parent?.id;
  return mutant(
    `autosaves/${of}/ids`,
    'answered-of-another',
    `a new autosave of ${of} is answered as that of another record`,
    handling(idOf(resource, 'create'), async (call) => {
      const answer = await healthy(call);
      return isObject(answer.body) ? { ...answer, body: { ...answer.body, parent: 1 } } : answer;
    }),
  );
}

function renamed(answer: Answer, id: number | undefined): Answer {
  return isObject(answer.body) && id !== undefined ? { ...answer, body: { ...answer.body, id } } : answer;
}
