import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract } from '../../reference/load-contract.ts';
import { type Answer, answer, type Call } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import type { Mutant } from '../alteration.ts';
import { argsMutant, handlerMutant, healthy, readingMutant, withObject, without } from '../handling.ts';

const BATCH = 'batch.run';
/** Roles that change a record. */
const CHANGES = ['create', 'update', 'delete'];
const NOWHERE = '/cms/v2/no-such-route';

/** Mutants of batches (§4.2): parts that are lost, reordered, parsed wrongly, or run although others are invalid. */
export function batchMutants(contract: Contract): Mutant[] {
  if (!contract.operations.some(({ id }) => id === BATCH)) return [];
  return [
    ...refusedMutants(),
    ...lostMutants(),
    ...partMutants(),
    ...typeMutants(),
    ...runMutants(),
    ...sameMutants(contract),
  ];
}

function partsOf({ requests }: JsonObject): Json[] {
  return Array.isArray(requests) ? requests : [];
}

function responsesOf({ body }: Answer): Json[] {
  return isObject(body) && Array.isArray(body.responses) ? body.responses : [];
}

/** A mutant that runs other parts than were sent. */
function partsMutant(id: string, title: string, turn: (parts: Json[]) => Json[]): Mutant {
  return argsMutant(id, title, BATCH, (args) => ({ ...args, requests: turn(partsOf(args)) }));
}

function refusedMutants(): Mutant[] {
  return [
    handlerMutant('batch/one~lost', 'a batch of one request carries out nothing', BATCH, (call) =>
      partsOf(call.args).length === 1 ? answer({ responses: [] }, 207) : healthy(call),
    ),
    handlerMutant('batch/empty~fails', 'an empty batch makes the server fail', BATCH, (call) => {
      if (partsOf(call.args).length === 0) throw new Error('no parts');
      return healthy(call);
    }),
    handlerMutant('batch/cap~lower', 'a batch runs no more than 20 parts', BATCH, (call) =>
      partsOf(call.args).length > 20
        ? answer({ code: 'too_many', message: 'Too many.' }, 400)
        : healthy(call),
    ),
  ];
}

function lostMutants(): Mutant[] {
  const endingAt = (word: string, startsWithSlash: boolean): Mutant =>
    partsMutant(`batch/${word}~ends-the-batch`, 'a part that leads nowhere ends its batch', (parts) => {
      const at = parts.findIndex((part) => {
        const path = isObject(part) ? String(part.path) : '/cms/v2/';
        return !path.startsWith('/cms/v2/') && path.startsWith('/') === startsWithSlash;
      });
      return at < 0 ? parts : parts.slice(0, at);
    });
  return [
    partsMutant(
      'batch/cap~only-the-first-24',
      'a batch loses its last part when it is as long as it may be',
      (parts) => parts.slice(0, 24),
    ),
    endingAt('unknown-path', true),
    endingAt('outside-path', false),
    handlerMutant(
      'batch/unmarked~runs',
      'a batch runs requests to endpoints without the batch mark',
      BATCH,
      (call) => {
        const { contract } = call.site;
        const operations = contract.operations.map((one) => ({ ...one, batchable: true }));
        return healthy({ ...call, site: { ...call.site, contract: { ...contract, operations } } });
      },
    ),
  ];
}

/** Changes each part that is an object. */
function inEach(turn: (part: JsonObject) => Json): (parts: Json[]) => Json[] {
  return (parts) => parts.map((part) => (isObject(part) ? turn(part) : part));
}

function partMutants(): Mutant[] {
  const each = (id: string, title: string, turn: (part: JsonObject) => Json): Mutant =>
    partsMutant(id, title, inEach(turn));
  return [
    ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
      each(`batch/method/${method}~refused`, `a batch knows no ${method}`, (part) =>
        part.method === method ? { ...part, path: NOWHERE } : part,
      ),
    ),
    each('batch/method-default~put', 'a part without a method counts as DELETE', (part) => ({
      method: 'DELETE',
      ...part,
    })),
    each('batch/headers~fails', 'headers of a part make it fail', (part) =>
      'headers' in part ? { ...part, path: NOWHERE } : part,
    ),
    each('batch/body~ignored', 'a batch ignores the bodies of its parts', (part) => without(part, 'body')),
    each('batch/query~ignored', 'a batch ignores the queries of its paths', (part) => ({
      ...part,
      path: String(part.path).split('?')[0] ?? '',
    })),
  ];
}

function runMutants(): Mutant[] {
  const validating = (id: string, title: string, turn: (value: Json, call: Call) => Json): Mutant =>
    argsMutant(id, title, BATCH, (args, call) => ({
      ...args,
      validation: turn(args.validation ?? null, call),
    }));
  return [
    oneByOneMutant('batch/normal~stops-at-first-error', 'a batch stops at its first error', () => {
      let failed = false;
      return async (run) => {
        if (failed) return [];
        const [response = null] = await run();
        failed = isObject(response) && Number(response.status) >= 400;
        return [response];
      };
    }),
    validating(
      'batch/require-all-validate~ignored',
      'a batch runs its valid parts although others are invalid',
      (value) => (value === 'require-all-validate' ? 'normal' : value),
    ),
    ...['PATCH', 'DELETE'].map((method) =>
      argsMutant(
        `batch/require-all-validate~ignored-beside-${method}`,
        `a batch with a ${method} runs its valid parts although others are invalid`,
        BATCH,
        (args) =>
          partsOf(args).some((part) => isObject(part) && part.method === method)
            ? { ...args, validation: 'normal' }
            : args,
      ),
    ),
    validating(
      'batch/normal~all-or-nothing',
      'a batch runs nothing when a part is invalid, whatever was asked for',
      (value) => (value === 'normal' ? 'require-all-validate' : value),
    ),
    validating(
      'batch/validation-default~all-or-nothing',
      'a batch runs nothing when a part is invalid, unless asked otherwise',
      (value, { request }) =>
        'validation' in { ...request.form, ...request.json } ? value : 'require-all-validate',
    ),
    oneByOneMutant(
      'batch/sequence~forgets-earlier-parts',
      'each part of a batch starts from the records as they were before it',
      ({ site: { store } }) => {
        const records = new Map<number, StoredRecord>();
        return (run, part) => {
          const id = Number(isObject(part) ? /\/(\d+)$/.exec(String(part.path))?.[1] : undefined);
          const stored = store.get(id);
          const before = records.get(id);
          if (stored && before) Object.assign(stored, before);
          else if (stored) records.set(id, { ...stored });
          return run();
        };
      },
    ),
    handlerMutant('batch/order~runs-backwards', 'a batch runs its last part first', BATCH, async (call) => {
      const requests = partsOf(call.args).toReversed();
      const shown = await healthy({ ...call, args: { ...call.args, requests } });
      return withObject(shown, (body) => ({ ...body, responses: responsesOf(shown).toReversed() }));
    }),
  ];
}

/** Runs a part, or does not, and gives its responses. */
type RunPart = (run: () => Promise<Json[]>, part: Json) => Promise<Json[]>;

/** A mutant that runs the parts of a batch one by one, unless all have to be valid. @param begin makes the runner of a batch */
function oneByOneMutant(id: string, title: string, begin: (call: Call) => RunPart): Mutant {
  return handlerMutant(id, title, BATCH, async (call) => {
    if (call.args.validation === 'require-all-validate') return healthy(call);
    const runPart = begin(call);
    const responses: Json[] = [];
    for (const part of partsOf(call.args)) {
      const alone = { ...call, args: { ...call.args, requests: [part] } };
      responses.push(...(await runPart(async () => responsesOf(await healthy(alone)), part)));
    }
    return answer({ responses }, 207);
  });
}

/** Batches that make something right of what is of another type than stated. */
function typeMutants(): Mutant[] {
  const repairing = (word: string, repair: (requests: Json) => Json): Mutant =>
    readingMutant(`batch/types/${word}~repaired`, `a batch reads ${word} of any type`, BATCH, (given, read) =>
      read(given.requests === undefined ? given : { ...given, requests: repair(given.requests) }),
    );
  const repairingEach = (word: string, repair: (part: JsonObject) => Json): Mutant =>
    repairing(word, (requests) => (Array.isArray(requests) ? inEach(repair)(requests) : requests));
  return [
    repairing('requests', (requests) => {
      if (Array.isArray(requests)) return requests;
      return isObject(requests) ? Object.values(requests) : [];
    }),
    repairing('items', (requests) => (Array.isArray(requests) ? requests.filter(isObject) : requests)),
    repairingEach('path', (part) =>
      isObject(part.path) ? { ...part, path: Object.values(part.path)[0] ?? '' } : part,
    ),
    ...['body', 'headers'].map((name) =>
      repairingEach(name, (part) => (isObject(part[name]) ? part : without(part, name))),
    ),
  ];
}

/** Parts that succeed in a batch, and do something else than alone. */
function sameMutants({ operations }: Contract): Mutant[] {
  const isPart = ({ request: { route, headers } }: Call): boolean =>
    route !== '/batch/v1' && headers.host === undefined;
  return operations
    .filter(({ batchable, resource, role = '' }) => batchable && resource && CHANGES.includes(role))
    .flatMap(({ id, role, methods, pathParameters }) => [
      argsMutant(
        `batch/same/${id}~other-title`,
        `${id} does something else inside a batch`,
        id,
        (args, call) => {
          if (!isPart(call)) return args;
          if (role === 'delete') return { ...args, force: args.force !== true };
          return { ...args, title: { raw: 'Another title' } };
        },
      ),
      ...(role === 'update' ? methods : []).map((method) =>
        argsMutant(
          `batch/same/${id}~ignores-${method}`,
          `${method} of ${id} changes nothing inside a batch`,
          id,
          (args, call) =>
            isPart(call) && call.request.method === method
              ? Object.fromEntries(Object.entries(args).filter(([name]) => name in pathParameters))
              : args,
        ),
      ),
    ]);
}
