import { NOWHERE } from '../../../client/ownership.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { fixture } from '../../../engine/fixture.ts';
import type { BatchPart } from '../../../probing/records/own/batch-part.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { type BatchCheck, type BatchOutcome, BatchTrial, batchFailure, ROOT } from './batch-trial.ts';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const STEPS = 5;

/** Checks that each method works in a batch, and that its requests are carried out in their order (§4.2). */
export function batchMethodChecks(): BatchCheck[] {
  return [
    ...METHODS.map(
      (method): BatchCheck => ({
        word: `method/${method}`,
        title: `a request of a batch can be a ${method}`,
        basis: 'stated',
        run: (trial) => judge(trial, method),
      }),
    ),
    {
      word: 'order',
      title: 'the requests of a batch are carried out in their order',
      needs: ['batch/method/POST'],
      run: inOrder,
    },
  ];
}

type BatchMethod = (typeof METHODS)[number];

const triedTogether = fixture(
  'batch methods',
  (_, trial: BatchTrial) => tryMethods(trial, METHODS),
  (_trial) => [],
);

/** One batch tries all four; a method that has no effect there is tried alone. */
async function judge(trial: BatchTrial, method: BatchMethod): Promise<Finding[]> {
  const together = await triedTogether(trial.session, trial);
  if (isCarriedOut(together, method)) return [];
  const alone = await tryMethods(new BatchTrial(trial.session, trial.own), [method]);
  if (isCarriedOut(alone, method)) {
    const message = `${method} works in a batch of its own, but not after others: batch/cap and batch/normal show why`;
    return [inconclusive(message)];
  }
  const expected = method === 'DELETE' ? 'the draft is gone' : 'the draft is changed';
  return [batchFailure(`a batch does not carry out a ${method}`, expected, 'the draft as it was', alone)];
}

async function tryMethods(trial: BatchTrial, methods: readonly BatchMethod[]): Promise<BatchOutcome> {
  const parts: BatchPart[] = [];
  for (const method of methods) {
    const path = trial.path(await trial.alone(nameOf(method)));
    const body = method === 'DELETE' ? { force: true } : { excerpt: excerptOf(method) };
    parts.push({ method, path, body });
  }
  return trial.run(`a batch with ${methods.join(', ')}`, parts);
}

function isCarriedOut({ found }: BatchOutcome, method: BatchMethod): boolean {
  const draft = found.get(nameOf(method));
  return method === 'DELETE' ? draft === undefined : rawOf(draft, 'excerpt') === excerptOf(method);
}

function nameOf(method: BatchMethod): string {
  return method.toLowerCase();
}

function excerptOf(method: BatchMethod): string {
  return `changed by ${method}`;
}

/** Each request overwrites what the one before it wrote: the last one stays. */
async function inOrder(trial: BatchTrial): Promise<Finding[]> {
  const path = trial.path(await trial.alone('ordered'));
  const texts = Array.from({ length: STEPS }, (_, at) => `step ${at + 1}`);
  const outcome = await trial.run(
    `a batch of ${STEPS} updates`,
    texts.map((excerpt): BatchPart => ({ method: 'POST', path, body: { excerpt } })),
  );
  const stays = rawOf(outcome.found.get('ordered'), 'excerpt');
  if (stays === texts.at(-1)) return [];
  const message = `of ${STEPS} updates of one draft in a batch the last is not the one that stays`;
  return [batchFailure(message, `the excerpt ${texts.at(-1)}`, `the excerpt ${String(stays)}`, outcome)];
}

const MOST = 25;
/** Drafts at the beginning, in the middle and at the end show how much of a batch is carried out. */
const DRAFTS = ['first', 'middle', 'last'] as const;

/** Checks of how many requests a batch takes (§4.2, §8). */
export function batchSizeChecks(): BatchCheck[] {
  return [
    { word: ROOT, title: 'a batch of one request carries it out', basis: 'stated', run: one },
    {
      word: 'empty',
      title: 'a batch without requests is answered without a server error',
      run: async (trial) => {
        await trial.run('a batch without requests', []);
        return [];
      },
    },
    {
      word: 'cap',
      title: `a batch of ${MOST} requests is carried out and one of ${MOST + 1} is not`,
      basis: 'stated',
      // Most of its requests lead nowhere.
      needs: [checkId('batch', 'unknown-path')],
      run: cap,
    },
  ];
}

async function one(trial: BatchTrial): Promise<Finding[]> {
  await trial.alone('alone');
  const outcome = await trial.run('a batch of one request', [trial.group.draft('batched')]);
  if (outcome.found.has('batched')) return [];
  if (!outcome.found.has('alone')) {
    return [inconclusive('a draft that was created without a batch is not listed either')];
  }
  return [batchFailure('a batch of one request creates no draft', 'the draft', 'no draft', outcome)];
}

async function cap(trial: BatchTrial): Promise<Finding[]> {
  const within = await trial.run(`a batch of ${MOST} requests`, batchOf(trial, MOST, 'w'), 'normal');
  const lost = DRAFTS.filter((name) => !within.found.has(`w${name}`));
  if (lost.length > 0) {
    const message = `a batch of ${MOST} requests does not carry out the ${lost.join(' and the ')} of them`;
    return [batchFailure(message, 'three drafts', `${DRAFTS.length - lost.length} of the drafts`, within)];
  }
  const beyond = await trial.run(`a batch of ${MOST + 1} requests`, batchOf(trial, MOST + 1, 'x'), 'normal');
  const made = DRAFTS.filter((name) => beyond.found.has(`x${name}`));
  if (made.length === 0) return [];
  const message = `a batch of ${MOST + 1} requests is carried out, or a part of it`;
  return [batchFailure(message, 'no draft', `the drafts of the ${made.join(' and the ')} request`, beyond)];
}

/** A batch in which three requests create drafts and all others lead nowhere. */
function batchOf(trial: BatchTrial, size: number, prefix: string): BatchPart[] {
  const places: Readonly<Record<(typeof DRAFTS)[number], number>> = {
    first: 0,
    middle: Math.floor(size / 2),
    last: size - 1,
  };
  const parts = Array.from({ length: size }, (): BatchPart => ({ path: NOWHERE }));
  for (const name of DRAFTS) parts[places[name]] = trial.group.draft(`${prefix}${name}`);
  return parts;
}
