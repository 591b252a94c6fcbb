import type { JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { NOWHERE } from '../../../client/ownership.ts';
import { isFinding, orAbort, orFinding } from '../../../engine/aborted.ts';
import { checkId, type Found } from '../../../engine/check.ts';
import { blocked, inconclusive, show } from '../../../engine/findings.ts';
import { listed } from '../../../engine/text.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import { type BatchPart, MOST_PARTS, readHints } from '../../../probing/records/own/batch-part.ts';
import { must } from '../../../probing/records/own/outcome.ts';
import { ownFixture, roots } from '../../../probing/records/own/own-check.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import type { Resource } from '../../../specs/model.ts';
import {
  type BatchCheck,
  type BatchOutcome,
  BatchTrial,
  batchFailure,
  changesTo,
  EACH,
  isChangedTo,
  letterOf,
  ROOT,
} from './batch-trial.ts';
import { methodChecks, showsChanges, unshown } from './method-checks.ts';

/** Each method but the first occurs twice: software may keep one request of a method for each path. */
const STEPS = ['POST', 'PUT', 'PATCH', 'PATCH', 'POST', 'PUT'] as const;
/** How many lost requests a message names. */
const MOST_PLACES = 8;

/** Checks of the requests of a batch: how many, their form and types, and their methods (§4.2, §8). */
export function batchEffectChecks(sample: Resource): BatchCheck[] {
  return [
    { word: ROOT, title: 'a batch of one request carries it out', basis: 'stated', run: one },
    { word: EACH, title: 'a batch carries out each of its requests', run: evaluateEach },
    {
      word: 'empty',
      title: 'a batch without requests is answered without a server error',
      run: async (trial) => void must.conclude('a batch without requests', await trial.ask({ requests: [] })),
    },
    {
      word: 'cap',
      title: `a batch of ${MOST_PARTS} requests is carried out and one of ${MOST_PARTS + 1} is not`,
      basis: 'stated',
      // Most requests of the larger batch have an unknown path, and no method.
      needs: [checkId('batch', 'unknown-path')],
      after: [checkId('batch', 'method-default')],
      run: cap,
    },
    ...SHAPES.map(({ excerpt, parts, ...about }) => ({
      ...about,
      ...(excerpt !== undefined && { after: [roots.stored(`${sample.id}.create`, 'excerpt')] }),
      run: (trial: BatchTrial) => evaluateShape(trial, { ...about, excerpt, parts }),
    })),
    ...WRONG_TYPES.map(
      ([word, what]): BatchCheck => ({
        word: `types/${word}`,
        title: `${what} is refused`,
        basis: 'stated',
        // A part without a body has its fields in the query.
        needs: [checkId('batch', 'query')],
        run: (trial) => evaluateWrong(trial, word),
      }),
    ),
    ...methodChecks(sample),
    {
      word: 'order',
      title: 'the requests of a batch are carried out in their order',
      needs: ['batch/method/POST'],
      after: [
        'batch/method/PUT',
        'batch/method/PATCH',
        (['PUT', 'PATCH'] as const).map((method) => roots.update(`${sample.id}.update`, method)),
      ],
      run: evaluateOrder,
    },
  ];
}

/** Each request overwrites the previous one, so the last value must remain. */
async function evaluateOrder(trial: BatchTrial): Promise<Found> {
  const path = trial.path(await trial.alone('ordered'));
  const steps = STEPS.map((method, at): BatchPart => ({ method, path, body: changesTo(`step ${at + 1}`) }));
  const outcome = await trial.run(`a batch of ${steps.length} updates`, steps);
  const [last, draft] = [`step ${steps.length}`, outcome.found.get('ordered')];
  if (isChangedTo(draft, last)) return [];
  const message = `of ${steps.length} updates of one draft in a batch the last is not the one that stays`;
  return batchFailure(
    message,
    `the excerpt ${last}`,
    `the excerpt ${String(rawOf(draft, 'excerpt'))}`,
    outcome,
  );
}

async function one(trial: BatchTrial): Promise<Found> {
  await trial.alone('alone');
  const outcome = await trial.run('a batch of one request', [trial.draft('batched')]);
  if (outcome.found.has('batched')) return [];
  if (!outcome.found.has('alone')) {
    return inconclusive('a draft that was created without a batch is not listed either');
  }
  return batchFailure('a batch of one request creates no draft', 'the draft', 'no draft', outcome);
}

/** The largest batch, of creations: only requests that are carried out show which are lost, and a smaller limit. */
const largest = ownFixture('batch of the most requests', async (own) => {
  const trial = new BatchTrial(own);
  const names = Array.from({ length: MOST_PARTS }, (_, at) => `each${letterOf(at)}`);
  const parts = names.map((name) => trial.draft(name));
  const outcome = await trial.run(`a batch of ${MOST_PARTS} requests`, parts, 'normal');
  const lost = [...names.keys()].filter((at) => !outcome.found.has(names[at] ?? ''));
  // What is lost at the end is beyond a limit, but a limit of one request would be no batch.
  const isAtEnd = lost.every((at, index) => at === MOST_PARTS - lost.length + index);
  return { outcome, lost, isCut: isAtEnd && MOST_PARTS - lost.length > 1 };
});

async function evaluateEach({ own }: BatchTrial): Promise<Found> {
  const { outcome, lost, isCut } = await largest(own);
  if (lost.length === 0) return [];
  const cap = checkId('batch', 'cap');
  if (isCut && own.session.runs(cap)) return blocked(cap);
  return lostRequests(outcome, lost);
}

function lostRequests(outcome: BatchOutcome, lost: readonly number[]): Found {
  const places = listed(
    lost.map((at) => at + 1),
    MOST_PLACES,
  );
  const message = `a batch of ${MOST_PARTS} requests does not carry out request ${places}`;
  return batchFailure(message, `${MOST_PARTS} drafts`, `${MOST_PARTS - lost.length} drafts`, outcome);
}

/** The creations of a batch that is too large. */
const PLACES = { first: 0, middle: Math.floor(MOST_PARTS / 2), last: MOST_PARTS };

async function cap(trial: BatchTrial): Promise<Found> {
  const within = await largest(trial.own);
  if (within.lost.length > 0) return lostRequests(within.outcome, within.lost);
  const parts = Array.from({ length: MOST_PARTS + 1 }, (): BatchPart => ({ path: NOWHERE }));
  for (const [name, at] of Object.entries(PLACES)) parts[at] = trial.draft(name);
  const beyond = await trial.run(`a batch of ${MOST_PARTS + 1} requests`, parts, 'normal');
  const made = Object.keys(PLACES).filter((name) => beyond.found.has(name));
  if (made.length === 0) return [];
  const message = `a batch of ${MOST_PARTS + 1} requests is carried out, or a part of it`;
  return batchFailure(message, 'no draft', `the drafts of the ${made.join(' and the ')} request`, beyond);
}

const BY_QUERY = 'from the query';

interface Shape extends Omit<BatchCheck, 'run'> {
  readonly excerpt?: string | undefined;
  /** Members that nobody knows, which a site may refuse in any request. */
  readonly unknown?: JsonObject;
  readonly parts: Readonly<Record<string, (part: BatchPart, trial: BatchTrial) => BatchPart>>;
}

const ANY_MEMBERS = { x_sample: { deep: [1, { deeper: true }] }, 'x-other': 'two' };

const SHAPES: readonly Shape[] = [
  {
    word: 'method-default',
    kind: 'defaults',
    title: 'a request of a batch without a method is a POST',
    basis: 'stated',
    parts: { bare: ({ method: _, ...part }) => part },
  },
  {
    word: 'headers',
    title: 'a request of a batch takes a header as a string and as an array of strings',
    basis: 'stated',
    parts: {
      text: (part) => ({ ...part, headers: { 'X-Sample': 'one' } }),
      list: (part) => ({ ...part, headers: { 'X-Sample': ['one', 'two'], 'X-Other': ['three'] } }),
    },
  },
  {
    word: 'body',
    title: 'the body of a request of a batch takes any members',
    basis: 'stated',
    unknown: ANY_MEMBERS,
    parts: { members: (part) => ({ ...part, body: { ...part.body, ...ANY_MEMBERS } }) },
  },
  {
    word: 'query',
    title: 'a request of a batch whose path carries a query reads it',
    excerpt: BY_QUERY,
    parts: { query: (part, trial) => withQuery(part, trial.stated({ excerpt: BY_QUERY })) },
  },
];

function withQuery(part: BatchPart, fields: JsonObject): BatchPart {
  const pairs = encodeArgs(fields).map(([name, text]) => [name, text]);
  return { ...part, path: `${part.path}?${new URLSearchParams(pairs)}` };
}

/** Whether one batch carries out the requests of all shapes; one that is not so is sent in a batch of its own. */
const shapedTogether = ownFixture('batch of all shapes', async (own): Promise<ReadonlySet<string>> => {
  const trial = new BatchTrial(own);
  const shapes = SHAPES.flatMap(({ parts, excerpt }) =>
    Object.entries(parts).map(([name, turn]) => ({ name, excerpt, part: turn(trial.draft(name), trial) })),
  );
  const parts = shapes.map(({ part }) => part);
  const outcome = await orFinding(trial.run('a batch of all shapes', parts));
  if (isFinding(outcome)) return new Set();
  return new Set(shapes.filter((one) => isShaped(outcome, one.name, one.excerpt)).map(({ name }) => name));
});

function isShaped({ found }: Pick<BatchOutcome, 'found'>, name: string, excerpt?: string): boolean {
  const draft = found.get(name);
  return draft !== undefined && (excerpt === undefined || rawOf(draft, 'excerpt') === excerpt);
}

async function evaluateShape(trial: BatchTrial, { title, parts, excerpt, unknown }: Shape): Promise<Found> {
  const shaped = await shapedTogether(trial.own);
  if (Object.keys(parts).every((name) => shaped.has(name))) return [];
  const drafts = Object.entries(parts).map(([name, turn]) => turn(trial.draft(name), trial));
  const outcome = await trial.run('the batch', drafts);
  const names = Object.keys(parts);
  const wrong = names.filter((name) => !isShaped(outcome, name, excerpt));
  if (wrong.length === 0) return [];
  if (unknown !== undefined && !('id' in (await trial.create('unbatched', unknown)))) {
    return inconclusive('a request with such members is not accepted without a batch either');
  }
  const each = `a draft each: ${names.join(', ')}`;
  const expected = excerpt === undefined ? each : `a draft with the excerpt ${excerpt}`;
  const areThere = wrong.every((name) => outcome.found.has(name));
  if (excerpt !== undefined) {
    if (!areThere)
      return inconclusive('the site takes no query in the path of a request, which is not stated');
    if (!(await showsChanges(trial.own, 'POST'))) return inconclusive(unshown('POST'));
  }
  const observed = areThere ? 'a draft without it' : `none: ${wrong.join(', ')}`;
  return batchFailure(`it is not true that ${title}`, expected, observed, outcome);
}

interface Wrong {
  readonly value: unknown;
  /** Builds `requests` with a wrong value. @param draft a part that creates a draft without a body */
  readonly requests: (value: unknown, draft: BatchPart) => unknown;
}

const PLAIN = ['sample', 5, true];
const each = (values: readonly unknown[], requests: Wrong['requests']): Wrong[] =>
  values.map((value) => ({ value, requests }));

/** Values that software accepts as a list, object or text are left out, such as an empty text. */
const WRONG_TYPES: readonly (readonly [word: string, what: string, wrong: readonly Wrong[]])[] = [
  [
    'requests',
    'a batch whose requests are no array',
    [
      ...each(PLAIN, (value) => value),
      { value: 'an object of requests', requests: (_, draft) => ({ first: draft }) },
    ],
  ],
  ['items', 'a request of a batch that is no object', each(PLAIN, (value) => [value])],
  [
    'path',
    'a request of a batch whose path is no string',
    [{ value: 'an object', requests: (_, draft) => [{ ...draft, path: { path: draft.path } }] }],
  ],
  [
    'body',
    'a request of a batch whose body is no object',
    each(PLAIN, (body, draft) => [{ ...draft, body }]),
  ],
  [
    'headers',
    'a request of a batch whose headers are no object of strings',
    each([...PLAIN, { 'X-Sample': { deep: 'one' } }], (headers, draft) => [{ ...draft, headers }]),
  ],
];

async function evaluateWrong({ own }: BatchTrial, word: string): Promise<Found> {
  if (!(await takesQuery(own))) {
    return inconclusive('the control, a request with its fields in the query, makes no draft');
  }
  const { asked, found } = await wrongBatches(own);
  for (const { what, name, answer } of asked.filter((one) => one.word === word)) {
    must.conclude(what, answer);
    const made = orAbort(found).has(name);
    if (!made && isRefused(answer)) continue;
    return batchFailure(`${what} is accepted`, 'refused', made ? 'the draft' : 'no draft', { answer });
  }
  return [];
}

/** The batches with wrong values of all members, up to the first of each that is accepted. */
const wrongBatches = ownFixture('wrong batches', async (own) => {
  const trial = new BatchTrial(own);
  const asked: { word: string; what: string; name: string; answer: Observation }[] = [];
  for (const [word, , wrong] of WRONG_TYPES) {
    for (const [at, { value, requests }] of wrong.entries()) {
      const name = `${word}${letterOf(at)}`;
      const answer = await trial.ask({ requests: requests(value, draftOf(trial, name)) });
      asked.push({ word, what: `a batch with ${show(value)} there`, name, answer });
      if (!isRefused(answer)) break;
    }
  }
  // One look after the last of them shows what any of them made.
  const last = asked.at(-1);
  return { asked, found: last === undefined ? new Map<string, JsonObject>() : await trial.look(last.answer) };
});

const takesQuery = ownFixture('batch with a query', async (own): Promise<boolean> => {
  const trial = new BatchTrial(own);
  const { found } = await trial.run('a batch with its fields in the query', [draftOf(trial, 'control')]);
  return found.has('control');
});

function draftOf(trial: BatchTrial, name: string): BatchPart {
  const { body = {}, ...part } = trial.draft(name);
  return withQuery({ ...part, path: part.path || NOWHERE }, body);
}

/** Whether a batch is refused, as a whole or in each part; unreadable parts (R37) leave it to the missing draft. */
function isRefused(batch: Observation): boolean {
  if (batch.answer !== 'accepted') return batch.answer === 'refused' || batch.answer === 'absent';
  const hints = readHints(batch);
  return hints.length > 0 && hints.every(({ status }) => status === undefined || status >= 400);
}
