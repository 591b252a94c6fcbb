import type { Answer } from '../../reference/answer.ts';
import type { Contract } from '../../reference/contract.ts';
import { isObject } from '../../reference/json.ts';
import type { Handler } from '../../reference/site.ts';
import type { Kind } from '../../reference/store.ts';
import { handling, healthy, kindOf } from '../toolkit/handling.ts';
import { type Fault, fault } from './fault.ts';

const COLLECTIONS = ['posts', 'pages', 'media'];
const METHODS = ['POST', 'PUT', 'PATCH'];

/** Faults in which record an answer says to be about: a site that tells another one than it has written. */
export function identityFaults({ operations }: Contract): Fault[] {
  const ids = new Set(operations.map(({ id }) => id));
  return [
    ...COLLECTIONS.filter((name) => ids.has(`${name}.create`)).flatMap(creationFaults),
    ...COLLECTIONS.filter((name) => ids.has(`${name}.update`)).flatMap(updateFaults),
    ...['posts', 'pages']
      .filter((name) => ids.has(`${name.slice(0, -1)}-autosaves.create`))
      .map(autosaveFault),
  ];
}

function creationFaults(collection: string): Fault[] {
  const kind = kindOf(`${collection}.`);
  const id = `${collection}.create`;
  if (kind === undefined) return [];
  return [
    fault(
      `${id}/record`,
      'of-before',
      `a creation in ${collection} is answered with the oldest of its records`,
      handling(
        id,
        naming(kind, (all) => all[0]),
      ),
    ),
    fault(
      `${id}/record`,
      'of-nobody',
      `a creation in ${collection} is answered with an id that nothing has`,
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

function updateFaults(collection: string): Fault[] {
  const kind = kindOf(`${collection}.`);
  if (kind === undefined) return [];
  return METHODS.map((method) =>
    fault(
      `${collection}.update/changes/${method}`,
      'of-another',
      `a ${method} of one of the ${collection} is answered as another one`,
      handling(`${collection}.update`, async (call) => {
        const answer = await healthy(call);
        return call.request.method === method ? renamed(answer, call.site.store.ofKind(kind)[0]?.id) : answer;
      }),
    ),
  );
}

function autosaveFault(collection: string): Fault {
  return fault(
    `autosaves/${collection}/ids`,
    'answered-of-another',
    `a new autosave of ${collection} is answered as that of another record`,
    handling(`${collection.slice(0, -1)}-autosaves.create`, async (call) => {
      const answer = await healthy(call);
      return isObject(answer.body) ? { ...answer, body: { ...answer.body, parent: 1 } } : answer;
    }),
  );
}

function renamed(answer: Answer, id: number | undefined): Answer {
  return isObject(answer.body) && id !== undefined ? { ...answer, body: { ...answer.body, id } } : answer;
}
