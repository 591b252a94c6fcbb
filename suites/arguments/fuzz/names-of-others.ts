import type { FuzzSet } from '../../../probing/search/note-tried.ts';
import type { Contract, Operation, Parameter } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { SHORTEST_LIST, strangestOf } from './strange-values.ts';

/**
 * A set of the parameters that other reads of records have in a namespace, each with what its type keeps from those who work with
 * it: what is made for one operation may serve another one as well, where nobody looks at it first.
 */
export function namesOfOthers({ operations }: Contract, operation: Operation): FuzzSet[] {
  const { parameters, route, resource } = operation;
  if (resource === undefined) return [];
  const own = new Set([...parameters, ...route.pathParameters].map(({ name }) => name));
  const others = operations
    .filter(({ effect, resource: about }) => effect === 'reads' && about !== undefined)
    .filter(({ route: { namespace } }) => namespace === route.namespace)
    .flatMap((other) => other.parameters)
    .filter(({ name, in: place }) => place !== 'path' && !own.has(name));
  const foreign = [...new Map(others.map((parameter) => [parameter.wire, parameter])).values()];
  if (foreign.length === 0) return [];
  return [
    {
      phase: 'boundary',
      args: Object.fromEntries(foreign.map((one) => [one.wire, uncheckedOf(one)])),
      about: foreign.map(({ wire }) => ({ name: wire, keyword: 'a name of another operation' })),
    },
  ];
}

/** A number that is too large, or a list for whatever is no number. */
function uncheckedOf({ schema }: Parameter): unknown {
  return typesOf(schema).includes('integer') ? strangestOf({ type: 'integer' }) : SHORTEST_LIST;
}
