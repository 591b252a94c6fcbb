import type { Check, Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { fixture } from '../../../engine/fixture.ts';
import type { BatchPart } from '../../records/own/batch-part.ts';
import { rawOf } from '../../records/own/raw-of.ts';
import { batchCheck } from './batch-check.ts';
import { type BatchOutcome, BatchTrial, batchFailure } from './batch-trial.ts';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const STEPS = 5;

/** Checks that each method works in a batch, and that its requests are carried out in their order (§4.2). */
export function batchMethodChecks(): Check[] {
  return [
    ...METHODS.map((method) =>
      batchCheck({
        word: `method/${method}`,
        title: `a request of a batch can be a ${method}`,
        basis: 'stated',
        run: (trial) => judge(trial, method),
      }),
    ),
    batchCheck({
      word: 'order',
      title: 'the requests of a batch are carried out in their order',
      basis: 'implied',
      dependsOn: ['batch/method/POST'],
      run: inOrder,
    }),
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
    const message = `${method} works in a batch of its own, but not after others: batch/cap and batch/normal tell why`;
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
