import { isObject, type Json, type JsonObject, mapped } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { type Answer, answer, type Call, type Handler } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import { dropping, healthy, mutantsIn, ofList, withObject, without } from '../handling.ts';
import { partsOf, sameMutants } from './batch-same-mutants.ts';

const METHOD = 'requests/items/properties/method';
const NOWHERE = '/cms/v2/no-such-route';

const inBatches = mutantsIn('batch.run', 'batch', 'a batch');

/** Mutants of batches (§4.2): parts that are lost, reordered, parsed wrongly, or run although others are invalid. */
export function batchMutants(contract: Contract): Mutants {
  if (!contract.operations.some(({ role }) => role === 'batch')) return [];
  return [WHOLE, PARTS, TYPES, RUNS, TWICE, LENIENT, sameMutants(contract), mixedMutants(contract)];
}

/** Runs a batch with other parts, or another way to treat invalid ones. */
function running(call: Call, other: { requests?: Json[]; validation?: 'normal' }): ReturnType<Handler> {
  return healthy({ ...call, args: { ...call.args, ...other } });
}

function responsesOf({ body }: Answer): Json[] {
  return isObject(body) && Array.isArray(body.responses) ? body.responses : [];
}

function parting(how: string, title: string, turn: (parts: JsonObject[]) => Json[]): Mutant {
  return inBatches.args(how, title, (args) => ({ ...args, requests: turn(partsOf(args)) }));
}

function endingAt(word: string, startsWithSlash: boolean): Mutant {
  return parting(`${word}~ends-the-batch`, 'ends at a part that leads nowhere', (parts) => {
    const at = parts
      .map(({ path }) => String(path))
      .findIndex((path) => {
        return !path.startsWith('/cms/v2/') && path.startsWith('/') === startsWithSlash;
      });
    return at < 0 ? parts : parts.slice(0, at);
  });
}

/** A batch that runs requests to some endpoints without the batch mark. */
function marking(how: string, title: string, isMeant: (operation: Operation) => boolean): Mutant {
  return inBatches.handler(how, title, (call) => {
    const { contract } = call.site;
    const operations = contract.operations.map((one) => (isMeant(one) ? { ...one, batchable: true } : one));
    return healthy({ ...call, site: { ...call.site, contract: { ...contract, operations } } });
  });
}

/** A batch that runs its valid parts if it has certain parts, whatever was asked for. */
function forgiving(how: string, title: string, isMeant: (part: JsonObject) => boolean): Mutant {
  return inBatches.args(how, title, (args) =>
    partsOf(args).some(isMeant) ? { ...args, validation: 'normal' } : args,
  );
}

const WHOLE: Mutants = [
  inBatches.handler('one~lost', 'of one request carries out nothing', (call) =>
    partsOf(call.args).length === 1 ? answer({ responses: [] }, 207) : healthy(call),
  ),
  inBatches.handler('empty~fails', 'without parts makes the server fail', (call) => {
    if (partsOf(call.args).length === 0) throw new Error('no parts');
    return healthy(call);
  }),
  inBatches.handler('cap~lower', 'runs no more than 20 parts', (call) =>
    partsOf(call.args).length > 20 ? answer({ code: 'too_many', message: 'Too many.' }, 400) : healthy(call),
  ),
  parting('each~without-the-fifth', 'loses its fifth part', (parts) =>
    parts.map((part, at) => (at === 4 ? { path: NOWHERE } : part)),
  ),
  parting('each~bodies-of-the-first', 'ignores the bodies of all parts but the first', (parts) =>
    parts.map((part, at) => (at > 0 ? without(part, 'body') : part)),
  ),
  parting('cap~only-the-first-24', 'loses its last part when it is as long as it may be', (parts) =>
    parts.slice(0, 24),
  ),
  inBatches.handler(
    'cap~20-that-run',
    'carries out 20 parts, and answers further ones all the same',
    (call) => {
      const parts = partsOf(call.args);
      const left = parts.filter((part) => 'method' in part).slice(20);
      return running(call, {
        requests: parts.map((part) => (left.includes(part) ? { path: NOWHERE } : part)),
      });
    },
  ),
  endingAt('unknown-path', true),
  endingAt('outside-path', false),
  marking('unmarked~runs', 'runs requests to endpoints without the batch mark', () => true),
  forgiving(
    'unmarked/require-all-validate~beside',
    'with a part for an endpoint without the batch mark runs the others, whatever was asked for',
    ({ path }) => /\/(?:media|autosaves)\b/.test(String(path)),
  ),
  marking(
    'unmarked/revisions~deleted',
    'deletes revisions',
    ({ resource, role }) => resource?.kind === 'revisions' && role === 'delete',
  ),
];

function sorting(how: string, title: string, rankOf: (part: JsonObject) => number): Mutant {
  return parting(how, title, (parts) => parts.toSorted((one, other) => rankOf(one) - rankOf(other)));
}

/** Changes each object of a list that need not be valid. */
function inEach(turn: (part: JsonObject) => Json): (parts: Json) => Json {
  return ofList((parts) => parts.map((part) => (isObject(part) ? turn(part) : part)));
}

function inParts(how: string, title: string, turn: (part: JsonObject) => Json): Mutant {
  return parting(how, title, (parts) => parts.map(turn));
}

const PARTS: Mutants = [
  ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
    inParts(`method/${method}~refused`, `knows no ${method}`, (part) =>
      part.method === method ? { ...part, path: NOWHERE } : part,
    ),
  ),
  inBatches.handler('method/POST~alone', 'refuses parts by more than two methods', (call) =>
    new Set(partsOf(call.args).map(({ method }) => method)).size > 2
      ? answer({ code: 'mixed', message: 'Mixed.' }, 400)
      : healthy(call),
  ),
  mutantsIn('batch.run', `batch.run/${METHOD}`, 'a batch').reading(
    'enum/enforced~reads-for-posts',
    'takes a read for a POST',
    (given, read) => {
      const asPost = inEach((part) => (part.method === 'GET' ? { ...part, method: 'POST' } : part));
      return read({ ...given, requests: asPost(given.requests ?? []) });
    },
  ),
  inParts('method-default~put', 'deletes by a part without a method', (part) => ({
    method: 'DELETE',
    ...part,
  })),
  inParts('headers~fails', 'fails in parts with headers', (part) =>
    'headers' in part ? { ...part, path: NOWHERE } : part,
  ),
  inParts('body~ignored', 'ignores the bodies of its parts', dropping('body')),
  inParts('query~ignored', 'ignores the queries of its paths', (part) => ({
    ...part,
    path: String(part.path).split('?')[0] ?? '',
  })),
];

function validating(how: string, title: string, turn: (value: Json, call: Call) => Json): Mutant {
  return inBatches.args(how, title, (args, call) => ({
    ...args,
    validation: turn(args.validation ?? null, call),
  }));
}

function losing(how: string, what: string, isLost: (value: Json) => boolean): Mutant {
  return inParts(`sequence~loses-${how}`, `loses ${what}`, (part) => ({
    ...part,
    ...(isObject(part.body) && { body: mapped(part.body, (value) => (isLost(value) ? undefined : value)) }),
  }));
}

const RUNS: Mutants = [
  stopping('failure', 'valid part that fails', ({ body }, { accounts }) => {
    const author = isObject(body) ? body.author : undefined;
    return typeof author === 'number' && !accounts.some(({ id }) => id === author);
  }),
  stopping('error', 'error', () => true),
  validating('require-all-validate~ignored', 'runs its valid parts although others are invalid', (value) =>
    value === 'require-all-validate' ? 'normal' : value,
  ),
  inBatches.handler(
    'require-all-validate~last-decides',
    'runs its valid parts if the last one is valid, whatever was asked for',
    async (call) => {
      const shown = await healthy(call);
      const isLastValid = responsesOf(shown).at(-1) === null;
      return isLastValid ? running(call, { validation: 'normal' }) : shown;
    },
  ),
  inBatches.handler(
    'require-all-validate~all-but-last',
    'runs its valid parts if the last one alone is invalid, whatever was asked for',
    async (call) => {
      const shown = await healthy(call);
      const [last, ...others] = responsesOf(shown).toReversed();
      const isLastAlone = last !== null && others.length > 0 && others.every((one) => one === null);
      return isLastAlone ? running(call, { validation: 'normal' }) : shown;
    },
  ),
  ['PATCH', 'DELETE'].map((method) =>
    forgiving(
      `require-all-validate~ignored-beside-${method}`,
      `with a ${method} runs its valid parts although others are invalid`,
      (part) => part.method === method,
    ),
  ),
  validating(
    'require-all-validate~first-20',
    'runs its valid parts although one after the first 20 is invalid',
    (value, { args }) => (partsOf(args).length > 20 ? 'normal' : value),
  ),
  validating(
    'normal~all-or-nothing',
    'runs nothing when a part is invalid, whatever was asked for',
    (value) => (value === 'normal' ? 'require-all-validate' : value),
  ),
  validating(
    'validation-default~all-or-nothing',
    'runs nothing when a part is invalid, unless asked otherwise',
    (value, { request }) =>
      'validation' in { ...request.form, ...request.json } ? value : 'require-all-validate',
  ),
  oneByOne('sequence~forgets-earlier-parts', 'starts each part from the records before it', ({ site }) => {
    const records = new Map<number, StoredRecord>();
    return (run, part) => {
      const id = Number(/\/(\d+)$/.exec(String(part.path))?.[1]);
      const stored = site.store.get(id);
      const before = records.get(id);
      if (stored && before) Object.assign(stored, before);
      else if (stored) records.set(id, { ...stored });
      return run();
    };
  }),
  losing('empty-values', 'values that are empty', (value) => value === 0 || String(value) === ''),
  losing('false', 'values that are false', (value) => value === false),
  sorting('sequence~deletions-first', 'runs its deletions first', ({ method }) =>
    method === 'DELETE' ? 0 : 1,
  ),
  sorting('sequence~by-method', 'runs its parts by their methods', ({ method }) =>
    ['POST', 'PUT', 'PATCH', 'DELETE'].indexOf(String(method)),
  ),
  parting('order~one-put-each', 'runs the first PUT of a record alone', (parts) => {
    const isPut = ({ method }: JsonObject): boolean => method === 'PUT';
    return parts.filter(
      (one) => !isPut(one) || one === parts.find((put) => isPut(put) && put.path === one.path),
    );
  }),
  inBatches.handler('order~runs-backwards', 'runs its last part first', async (call) => {
    const shown = await running(call, { requests: partsOf(call.args).toReversed() });
    return withObject(shown, (body) => ({ ...body, responses: responsesOf(shown).toReversed() }));
  }),
];

const TWICE: Mutants = [
  inBatches.handler('once~first-twice', 'runs the first of its parts twice', async (call) => {
    const [first, ...others] = partsOf(call.args);
    if (first === undefined || others.length === 0) return healthy(call);
    const shown = await running(call, { requests: [first, first, ...others] });
    const responses = responsesOf(shown);
    return responses.length < 3 ? shown : answer({ responses: responses.slice(1) }, shown.status);
  }),
  inBatches.handler(
    'once~tries-again',
    'runs again as a whole when a part of it is refused',
    async (call) => {
      const shown = await healthy(call);
      const isRefused = responsesOf(shown).some((one) => isObject(one) && Number(one.status) >= 400);
      return isRefused ? healthy(call) : shown;
    },
  ),
];

/** Leaves out an invalid field of some parts, instead of refusing them. */
function leaving(
  how: string,
  title: string,
  name: string,
  isValid: (value: Json, part: JsonObject) => boolean,
): Mutant {
  return inParts(how, `${title} by a part with an invalid ${name}`, (part) => {
    const { body } = part;
    const value = isObject(body) ? body[name] : undefined;
    return !isObject(body) || value === undefined || isValid(value, part)
      ? part
      : { ...part, body: without(body, name) };
  });
}

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'];
const LENIENT: Mutants = [
  leaving('normal~takes-any-status', 'creates', 'status', (value) => STATUSES.includes(String(value))),
  leaving('normal~takes-any-date', 'creates', 'date', (value) => /^\d{4}-\d\d-\d\dT/.test(String(value))),
  leaving(
    'validation-default~updates-with-any-author',
    'updates',
    'author',
    (value, { path }) => typeof value === 'number' || !/\/\d+$/.test(String(path)),
  ),
];

type RunPart = (run: () => Promise<Json[]>, part: JsonObject) => Promise<Json[]>;

/** A mutant that runs the parts of a batch one by one, unless all have to be valid. @param begin makes the runner of a batch */
function oneByOne(how: string, title: string, begin: (call: Call) => RunPart): Mutant {
  return inBatches.handler(how, title, async (call) => {
    if (call.args.validation === 'require-all-validate') return healthy(call);
    const runPart = begin(call);
    const responses: Json[] = [];
    for (const part of partsOf(call.args)) {
      const run = async (): Promise<Json[]> => responsesOf(await running(call, { requests: [part] }));
      responses.push(...(await runPart(run, part)));
    }
    return answer({ responses }, 207);
  });
}

/** A batch that ends at a part that is refused. @param isFatal whether it is that part */
function stopping(
  how: string,
  what: string,
  isFatal: (part: JsonObject, site: Call['site']) => boolean,
): Mutant {
  return oneByOne(`normal~stops-at-first-${how}`, `stops at its first ${what}`, ({ site }) => {
    let stopped = false;
    return async (run, part) => {
      if (stopped) return [];
      const responses = await run();
      const status = Math.max(...responses.map((one) => Number(isObject(one) && one.status)));
      stopped = status >= 400 && isFatal(part, site);
      return responses;
    };
  });
}

function repairing(word: string, repair: (requests: Json) => Json): Mutant {
  return inBatches.reading(`types/${word}~repaired`, `reads ${word} of any type`, (given, read) =>
    read(given.requests === undefined ? given : { ...given, requests: repair(given.requests) }),
  );
}

const TYPES: Mutants = [
  repairing('requests', (requests) => {
    if (Array.isArray(requests)) return requests;
    return isObject(requests) ? Object.values(requests) : [];
  }),
  repairing(
    'items',
    ofList((requests) => requests.filter(isObject)),
  ),
  repairing(
    'path',
    inEach((part) => (isObject(part.path) ? { ...part, path: Object.values(part.path)[0] ?? '' } : part)),
  ),
  ['body', 'headers'].map((name) =>
    repairing(
      name,
      inEach((part) => (isObject(part[name]) ? part : without(part, name))),
    ),
  ),
];

function mixedMutants({ operations }: Contract): Mutants {
  const created = operations.filter(({ batchable, role }) => batchable && role === 'create');
  const kindOf = ({ path }: JsonObject): string | undefined =>
    created.find(({ route }) => String(path).startsWith(route))?.id;
  const keeping = (id: string, at: number): Mutant =>
    mutantsIn('batch.run', `batch/same/${id}`, 'a batch').args(
      '~keeps-to-one',
      `loses the parts for other collections than that of its ${at === 0 ? 'first' : 'last'} one`,
      (args) => {
        const parts = partsOf(args);
        const kept = parts.flatMap((part) => kindOf(part) ?? []).at(at);
        const isLost = (part: JsonObject): boolean => ![undefined, kept].includes(kindOf(part));
        return { ...args, requests: parts.map((part) => (isLost(part) ? { path: NOWHERE } : part)) };
      },
    );
  return created.length < 2 ? [] : created.map(({ id }, at) => keeping(id, at === 0 ? 0 : -1));
}
