import { Text } from '../../reference/answer.ts';
import type { Operation } from '../../reference/contract.ts';
import { handling, healthy } from '../toolkit/handling.ts';
import { type Fault, fault } from './fault.ts';

/** The requirement that fails with a write, where the checks of the operation itself send no valid one. */
const BREAKS: Readonly<Record<string, string>> = {
  'batch.run': 'batch/one',
  'posts.delete': 'states/posts',
  'pages.delete': 'states/pages',
  'media.delete': 'states/media',
  'post-autosaves.create': 'autosaves/posts',
  'page-autosaves.create': 'autosaves/pages',
  'post-revisions.delete': 'revisions/posts/force',
  'page-revisions.delete': 'revisions/pages/force',
  'media.post-process': 'media/post-process',
  'media.edit': 'media/flip',
};

/** Faults that make an operation fail on the server, for everybody or for some callers, or answer what is no JSON. */
export function answerFaults(operation: Operation): Fault[] {
  const { id, effect, namespace } = operation;
  if (effect !== 'reads') {
    const failing = handling(id, () => {
      throw new Error('this operation is broken');
    });
    return [fault(BREAKS[id] ?? id, `${id}-fails`, `${id} makes the server fail`, failing)];
  }
  const failingFor = (who: string, isMeant: (known: boolean) => boolean): Fault =>
    fault(
      `${id}/answers/${who}`,
      'fails',
      `${id} makes the server fail for ${who}`,
      handling(id, (call) => {
        if (isMeant(call.request.account !== undefined)) throw new Error('this operation is broken');
        return healthy(call);
      }),
    );
  return [
    ...(id.endsWith('.root')
      ? [
          fault(
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
          fault(
            `${id}/answers`,
            'no-json',
            `${id} answers with a page`,
            handling(id, () => ({ status: 200, headers: {}, body: new Text('text/html', '<p>Hello</p>') })),
          ),
        ]),
  ];
}
