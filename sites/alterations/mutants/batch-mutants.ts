import { readArguments } from '../../reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract } from '../../reference/load-contract.ts';
import { type Answer, answer, type Call } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Mutant, mutant } from '../alteration.ts';
import { handling, healthy } from '../handling.ts';

const BATCH = 'batch.run';
/** Roles that change a record. */
const CHANGES = ['create', 'update', 'delete'];

/** Mutants of batches (§4.2): parts that are lost, reordered, run although others are invalid, or read otherwise. */
export function batchMutants(contract: Contract): Mutant[] {
  if (!contract.operations.some(({ id }) => id === BATCH)) return [];
  return [...answerMutants(), ...partMutants(), ...typeMutants(), ...runMutants(), ...sameMutants(contract)];
}

/** A batch whose parts are other than those that were sent. */
function turningParts(turn: (part: JsonObject, at: number) => Json): Mutant['behaviour'] {
  return handling(BATCH, (call) =>
    healthy({
      ...call,
      args: {
        ...call.args,
        requests: partsOf(call).map((part, at) => (isObject(part) ? turn(part, at) : part)),
      },
    }),
  );
}

function partsOf(call: Call): Json[] {
  return Array.isArray(call.args.requests) ? call.args.requests : [];
}

function responsesOf({ body }: Answer): Json[] {
  return isObject(body) && Array.isArray(body.responses) ? body.responses : [];
}

function answerMutants(): Mutant[] {
  const isUnknown = (part: Json): boolean => isObject(part) && !String(part.path).startsWith('/cms/v2/');
  const nothing = answer({ responses: [] }, 207);
  return [
    mutant(
      'batch/one',
      'lost',
      'a batch of one request carries out nothing',
      handling(BATCH, (call) => (partsOf(call).length === 1 ? nothing : healthy(call))),
    ),
    mutant(
      'batch/empty',
      'fails',
      'an empty batch makes the server fail',
      handling(BATCH, (call) => {
        if (partsOf(call).length === 0) throw new Error('no parts');
        return healthy(call);
      }),
    ),
    mutant(
      'batch/cap',
      'lower',
      'a batch runs no more than 20 parts',
      handling(BATCH, (call) =>
        partsOf(call).length > 20 ? answer({ code: 'too_many', message: 'Too many.' }, 400) : healthy(call),
      ),
    ),
    mutant(
      'batch/cap',
      'only-the-first-24',
      'a batch loses its last part when it is as long as it may be',
      handling(BATCH, (call) =>
        healthy({ ...call, args: { ...call.args, requests: partsOf(call).slice(0, 24) } }),
      ),
    ),
    ...[
      {
        word: 'unknown-path',
        is: (part: Json) => isUnknown(part) && isObject(part) && String(part.path).startsWith('/'),
      },
      {
        word: 'outside-path',
        is: (part: Json) => isUnknown(part) && isObject(part) && !String(part.path).startsWith('/'),
      },
    ].map(({ word, is }) =>
      mutant(
        `batch/${word}`,
        'ends-the-batch',
        'a part that leads nowhere ends its batch',
        handling(BATCH, (call) => {
          const at = partsOf(call).findIndex(is);
          const requests = at < 0 ? partsOf(call) : partsOf(call).slice(0, at);
          return healthy({ ...call, args: { ...call.args, requests } });
        }),
      ),
    ),
    mutant(
      'batch/unmarked',
      'runs',
      'a batch runs requests to endpoints without the batch mark',
      handling(BATCH, async (call) => {
        const contract = call.site.contract;
        const operations = contract.operations.map((one) => ({ ...one, batchable: true }));
        return healthy({ ...call, site: { ...call.site, contract: { ...contract, operations } } });
      }),
    ),
  ];
}

function partMutants(): Mutant[] {
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
    mutant(
      `batch/method/${method}`,
      'refused',
      `a batch knows no ${method}`,
      turningParts((part) => (part.method === method ? { ...part, path: '/cms/v2/no-such-route' } : part)),
    ),
  );
  return [
    ...methods,
    mutant(
      'batch/method-default',
      'put',
      'a part without a method counts as DELETE',
      turningParts((part) => ({ method: 'DELETE', ...part })),
    ),
    mutant(
      'batch/headers',
      'fails',
      'headers of a part make it fail',
      turningParts((part) => ('headers' in part ? { ...part, path: '/cms/v2/no-such-route' } : part)),
    ),
    mutant(
      'batch/body',
      'ignored',
      'a batch ignores the bodies of its parts',
      turningParts(({ body: _, ...part }) => part),
    ),
    mutant(
      'batch/query',
      'ignored',
      'a batch ignores the queries of its paths',
      turningParts((part) => ({ ...part, path: String(part.path).split('?')[0] ?? '' })),
    ),
  ];
}

function runMutants(): Mutant[] {
  const stopping = handling(BATCH, async (call) => {
    if (call.args.validation === 'require-all-validate') return healthy(call);
    const responses: Json[] = [];
    for (const part of partsOf(call)) {
      const [response] = responsesOf(await healthy({ ...call, args: { ...call.args, requests: [part] } }));
      responses.push(response ?? null);
      if (isObject(response) && Number(response.status) >= 400) break;
    }
    return answer({ responses }, 207);
  });
  const validation = (value: Json, other: Json): Mutant['behaviour'] =>
    handling(BATCH, (call) =>
      healthy({
        ...call,
        args: {
          ...call.args,
          validation: call.args.validation === value ? other : (call.args.validation ?? null),
        },
      }),
    );
  return [
    mutant('batch/normal', 'stops-at-first-error', 'a batch stops at its first error', stopping),
    mutant(
      'batch/require-all-validate',
      'ignored',
      'a batch runs its valid parts although others are invalid',
      validation('require-all-validate', 'normal'),
    ),
    mutant(
      'batch/normal',
      'all-or-nothing',
      'a batch runs nothing when a part is invalid, whatever was asked for',
      validation('normal', 'require-all-validate'),
    ),
    mutant(
      'batch/validation-default',
      'all-or-nothing',
      'a batch runs nothing when a part is invalid, unless asked otherwise',
      handling(BATCH, (call) => {
        const sent = { ...call.request.form, ...call.request.json };
        const args = 'validation' in sent ? call.args : { ...call.args, validation: 'require-all-validate' };
        return healthy({ ...call, args });
      }),
    ),
    mutant(
      'batch/sequence',
      'forgets-earlier-parts',
      'each part of a batch starts from the records as they were before it',
      handling(BATCH, async (call) => {
        if (call.args.validation === 'require-all-validate') return healthy(call);
        const { store } = call.site;
        const records = new Map<number, StoredRecord>();
        const responses: Json[] = [];
        for (const part of partsOf(call)) {
          const id = Number(isObject(part) ? /\/(\d+)$/.exec(String(part.path))?.[1] : undefined);
          const stored = store.get(id);
          const before = records.get(id);
          if (stored && before) Object.assign(stored, before);
          else if (stored) records.set(id, { ...stored });
          const shown = await healthy({ ...call, args: { ...call.args, requests: [part] } });
          responses.push(...responsesOf(shown));
        }
        return answer({ responses }, 207);
      }),
    ),
    mutant(
      'batch/order',
      'runs-backwards',
      'a batch runs its last part first',
      handling(BATCH, async (call) => {
        const requests = partsOf(call).toReversed();
        const shown = await healthy({ ...call, args: { ...call.args, requests } });
        return isObject(shown.body)
          ? { ...shown, body: { ...shown.body, responses: responsesOf(shown).toReversed() } }
          : shown;
      }),
    ),
  ];
}

/** Batches that make something right of what is of another type than stated. */
function typeMutants(): Mutant[] {
  const repairing = (word: string, repair: (requests: Json) => Json): Mutant =>
    mutant(`batch/types/${word}`, 'repaired', `a batch reads ${word} of any type`, {
      readArguments: (parameters, given, { operation }) =>
        readArguments(
          parameters,
          operation.id === BATCH && given.requests !== undefined
            ? { ...given, requests: repair(given.requests) }
            : given,
        ),
    });
  const inEach = (turn: (part: JsonObject) => Json): ((requests: Json) => Json) => {
    return (requests) =>
      Array.isArray(requests) ? requests.map((part) => (isObject(part) ? turn(part) : part)) : requests;
  };
  const without = (name: string): ((part: JsonObject) => Json) => {
    return ({ [name]: value, ...part }) => (isObject(value) ? { ...part, [name]: value } : part);
  };
  return [
    repairing('requests', (requests) => {
      if (Array.isArray(requests)) return requests;
      return isObject(requests) ? Object.values(requests) : [];
    }),
    repairing('items', (requests) => (Array.isArray(requests) ? requests.filter(isObject) : requests)),
    repairing(
      'path',
      inEach((part) => (isObject(part.path) ? { ...part, path: Object.values(part.path)[0] ?? '' } : part)),
    ),
    repairing('body', inEach(without('body'))),
    repairing('headers', inEach(without('headers'))),
  ];
}

/** A part that succeeds in a batch, and changes nothing. */
function sameMutants({ operations }: Contract): Mutant[] {
  return operations
    .filter(
      ({ batchable, resource, role }) =>
        batchable && resource && role !== undefined && CHANGES.includes(role),
    )
    .map(({ id, role }) =>
      mutant(
        `batch/same/${id}`,
        'other-title',
        `${id} does something else inside a batch`,
        handling(id, (call) => {
          if (call.request.route === '/batch/v1' || call.request.headers.host !== undefined)
            return healthy(call);
          const args =
            role === 'delete'
              ? { ...call.args, force: call.args.force !== true }
              : { ...call.args, title: { raw: 'Another title' } };
          return healthy({ ...call, args });
        }),
      ),
    );
}
