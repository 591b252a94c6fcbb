import type { JsonObject } from '../../reference/json.ts';
import type { Resource } from '../../reference/load-contract.ts';
import { type ApiRequest, Refusal } from '../../reference/request.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Mutant, type Mutants, mutant, together } from '../alteration.ts';
import { handling, healthy, idOf, mutantsIn, reading, recordOf, sending, without } from '../handling.ts';

/** Updates that are refused, with an effect or without a reason. */
export function refusedUpdateMutants(resource: Resource): Mutants {
  const { id } = resource;
  const update = idOf(resource, 'update');
  const { methods = [] } = resource.operations.update ?? {};
  const { handler, reading: parsing } = mutantsIn(update, update, `an update of ${id}`);
  const updated = new WeakSet<StoredRecord>();
  return [
    handler('changes/PUT~once', 'by PUT is refused after another one', (call) => {
      const stored = recordOf(call, id);
      if (stored && updated.has(stored) && call.request.method === 'PUT') {
        throw new Refusal('rest_conflict', 'Somebody has changed it.', 409);
      }
      if (stored) updated.add(stored);
      return healthy(call);
    }),
    methods.slice(1).map((method) => [
      parsing(
        `method/${method}/enforced~lenient`,
        `takes anything by ${method}`,
        readBy(method, ({ id = 0 }) => ({ id })),
      ),
      parsing(
        `method/${method}/enforced~of-one`,
        `takes any status by ${method}`,
        readBy(method, (given) => without(given, 'status')),
      ),
      mutant(
        `${update}/method/${method}/enforced~of-one-unnamed`,
        `an update of ${id} takes any author by ${method}, and no refusal names its argument`,
        together(
          reading(
            update,
            readBy(method, (given) => without(given, 'author')),
          ),
          sending((shown) =>
            shown.status === 400 ? { ...shown, body: { code: 'bad_request', message: 'No.' } } : shown,
          ),
        ),
      ),
    ]),
    doneAnyway(update, `alone/refused~half`, `an update of ${id} that is refused stores what is valid in it`),
  ];
}

function readBy(
  method: string,
  less: (given: JsonObject) => JsonObject,
): Parameters<ReturnType<typeof mutantsIn>['reading']>[2] {
  return (given, read, { request }) => {
    if (request.method !== method) return read(given);
    try {
      return read(given);
    } catch {
      return read(less(given));
    }
  };
}

/** A write that is refused for its status, and done without it. */
export function doneAnyway(write: string, word: string, title: string): Mutant {
  const refusals = new WeakMap<ApiRequest, unknown>();
  return mutant(
    `${write}/${word}`,
    title,
    together(
      reading(write, (given, read, { request }) => {
        try {
          return read(given);
        } catch (error) {
          refusals.set(request, error);
          return read(without(given, 'status'));
        }
      }),
      handling(write, async (call) => {
        const shown = await healthy(call);
        if (refusals.has(call.request)) throw refusals.get(call.request);
        return shown;
      }),
    ),
  );
}
