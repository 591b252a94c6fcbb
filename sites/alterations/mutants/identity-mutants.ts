import type { Contract, Resource } from '../../reference/contract.ts';
import { isObject } from '../../reference/json.ts';
import type { Answer, Handler } from '../../reference/site.ts';
import type { Kind } from '../../reference/store.ts';
import { handling, healthy, idOf, ownResources } from '../toolkit/handling.ts';
import { type Mutant, mutant } from './mutant.ts';

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
