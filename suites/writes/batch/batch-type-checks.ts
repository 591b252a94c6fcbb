import { NOWHERE } from '../../../client/ownership.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { show } from '../../../engine/show.ts';
import { type BatchPart, withQuery } from '../../records/own/batch-part.ts';
import { readHints } from '../../records/own/read-hints.ts';
import { batchCheck } from './batch-check.ts';
import { type BatchTrial, batchFailure } from './batch-trial.ts';

/** A value of another type than a member of a batch has (R34), and a batch that holds it. */
interface Wrong {
  readonly value: unknown;
  /** What is sent as `requests`. @param draft a part that creates a draft without a body */
  readonly requests: (value: unknown, draft: BatchPart) => unknown;
}

/** One member of a batch, and values that it cannot have. */
interface Member {
  readonly word: string;
  readonly title: string;
  readonly wrong: readonly Wrong[];
}

const whole = (value: unknown): unknown => value;
const inside =
  (name: 'path' | 'body' | 'headers') =>
  (value: unknown, draft: BatchPart): unknown => [{ ...draft, [name]: value }];
const each = (values: readonly unknown[], requests: Wrong['requests']): Wrong[] =>
  values.map((value) => ({ value, requests }));

/** What software reads as a list, an object or a text, such as an empty text or a list in place of an object, is left out. */
const MEMBERS: readonly Member[] = [
  {
    word: 'requests',
    title: 'a batch whose requests are no array is refused',
    wrong: [
      ...each(['sample', 5, true], whole),
      { value: 'an object of requests', requests: (_, draft) => ({ first: draft }) },
    ],
  },
  {
    word: 'items',
    title: 'a request of a batch that is no object is refused',
    wrong: each(['sample', 5, true], (value) => [value]),
  },
  {
    word: 'path',
    title: 'a request of a batch whose path is no string is refused',
    wrong: [{ value: 'an object', requests: (_, draft) => [{ ...draft, path: { path: draft.path } }] }],
  },
  {
    word: 'body',
    title: 'a request of a batch whose body is no object is refused',
    wrong: each(['sample', 5, true], inside('body')),
  },
  {
    word: 'headers',
    title: 'a request of a batch whose headers are no object of strings is refused',
    wrong: each(['sample', 5, true, { 'X-Sample': { deep: 'one' } }], inside('headers')),
  },
];

/** Checks that a batch refuses what is of another type than stated (§4.2, R34): as a whole, or in that part. */
export function batchTypeChecks(): Check[] {
  return MEMBERS.map(({ word, title, wrong }) =>
    batchCheck({
      word: `types/${word}`,
      title,
      basis: 'stated',
      // What the draft of a part without a body holds stands in its query.
      dependsOn: [checkId('batch', 'query')],
      run: (trial) => judge(trial, wrong),
    }),
  );
}

async function judge(trial: BatchTrial, wrong: readonly Wrong[]): Promise<Finding[]> {
  const control = await trial.run('a batch with its fields in the query', [draftOf(trial, 'control')]);
  if (!control.found.has('control')) {
    return [inconclusive('the control, a request with its fields in the query, makes no draft')];
  }
  for (const [at, { value, requests }] of wrong.entries()) {
    const name = `wrong${at}`;
    const what = `a batch with ${show(value)} there`;
    const outcome = await trial.send(what, requests(value, draftOf(trial, name)));
    const made = outcome.found.has(name);
    if (!made && (outcome.answer.answer !== 'accepted' || isRefusedInParts(outcome.answer))) continue;
    const observed = made ? 'the draft' : 'no draft';
    return [batchFailure(`${what} is accepted`, 'refused', observed, outcome)];
  }
  return [];
}

/** A part that creates a draft by its query alone. */
function draftOf({ group }: BatchTrial, name: string): BatchPart {
  const { body = {}, ...part } = group.draft(name);
  return withQuery({ ...part, path: part.path || NOWHERE }, body);
}

/** How the answer of a part is wrapped is silent (R37): where it cannot be read, that no draft is there has to do. */
function isRefusedInParts(answer: Parameters<typeof readHints>[0]): boolean {
  const hints = readHints(answer);
  return hints.length > 0 && hints.every(({ status }) => status === undefined || status >= 400);
}
