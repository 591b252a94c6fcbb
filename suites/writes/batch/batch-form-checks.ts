import { NOWHERE } from '../../../client/ownership.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { inconclusive, show } from '../../../engine/findings.ts';
import { type BatchPart, readHints, withQuery } from '../../../probing/records/own/batch-part.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { type BatchCheck, type BatchTrial, batchFailure } from './batch-trial.ts';
import type { DraftGroup } from './draft-group.ts';

const BY_QUERY = 'from the query';

/** A form that a request of a batch may have, seen by the draft that it creates. */
interface Shape extends Omit<BatchCheck, 'run'> {
  /** What a draft that was created in this form says in its excerpt; anything unless told. */
  readonly excerpt?: string | undefined;
  readonly parts: Readonly<Record<string, (part: BatchPart, group: DraftGroup) => BatchPart>>;
}

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
    parts: {
      members: (part) => ({
        ...part,
        body: { ...part.body, x_sample: { deep: [1, { deeper: true }] }, 'x-other': 'two' },
      }),
    },
  },
  {
    word: 'query',
    title: 'the path of a request of a batch may carry a query',
    excerpt: BY_QUERY,
    parts: {
      query: (part, group) => withQuery(part, group.stated({ excerpt: BY_QUERY })),
    },
  },
];

/** Checks of the members of a request of a batch (§4.2), one form each. */
export function batchMemberChecks(): BatchCheck[] {
  return SHAPES.map(({ excerpt, parts, ...about }) => ({
    ...about,
    run: (trial) => judgeShape(trial, { ...about, excerpt, parts }),
  }));
}

async function judgeShape(trial: BatchTrial, { title, parts, excerpt }: Shape): Promise<Finding[]> {
  const names = Object.keys(parts);
  const drafts = Object.entries(parts).map(([name, turn]) => turn(trial.group.draft(name), trial.group));
  const outcome = await trial.run('the batch', drafts);
  const wrong = names.filter((name) => {
    const draft = outcome.found.get(name);
    return draft === undefined || (excerpt !== undefined && rawOf(draft, 'excerpt') !== excerpt);
  });
  if (wrong.length === 0) return [];
  const expected =
    excerpt === undefined ? `a draft each: ${names.join(', ')}` : `a draft with the excerpt ${excerpt}`;
  const observed = wrong.every((name) => outcome.found.has(name))
    ? 'a draft without it'
    : `none: ${wrong.join(', ')}`;
  return [batchFailure(`it does not hold that ${title}`, expected, observed, outcome)];
}

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
export function batchTypeChecks(): BatchCheck[] {
  return MEMBERS.map(
    ({ word, title, wrong }): BatchCheck => ({
      word: `types/${word}`,
      title,
      basis: 'stated',
      // What the draft of a part without a body holds stands in its query.
      needs: [checkId('batch', 'query')],
      run: (trial) => judgeWrong(trial, wrong),
    }),
  );
}

async function judgeWrong(trial: BatchTrial, wrong: readonly Wrong[]): Promise<Finding[]> {
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
