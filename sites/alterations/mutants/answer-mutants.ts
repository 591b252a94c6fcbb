import type { Operation } from '../../reference/contract.ts';
import { Refusal } from '../../reference/request.ts';
import { Text } from '../../reference/site.ts';
import { handling, healthy, topicOf } from '../toolkit/handling.ts';
import { type Mutant, mutant } from './mutant.ts';

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
