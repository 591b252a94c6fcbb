import type { Check, Finding } from '../../../engine/check.ts';
import { type BatchPart, withQuery } from '../../records/own/batch-part.ts';
import { rawOf } from '../../records/own/raw-of.ts';
import { batchCheck } from './batch-check.ts';
import { type BatchTrial, batchFailure } from './batch-trial.ts';
import type { DraftGroup } from './draft-group.ts';

const BY_QUERY = 'from the query';

/** A form that a request of a batch may have, seen by the draft that it creates. */
interface Shape {
  readonly word: string;
  readonly title: string;
  readonly basis: Check['basis'];
  /** What a draft that was created in this form says in its excerpt; anything unless told. */
  readonly excerpt?: string;
  readonly parts: Readonly<Record<string, (part: BatchPart, group: DraftGroup) => BatchPart>>;
}

const SHAPES: readonly Shape[] = [
  {
    word: 'method-default',
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
    basis: 'implied',
    excerpt: BY_QUERY,
    parts: {
      query: (part, group) => withQuery(part, group.stated({ excerpt: BY_QUERY })),
    },
  },
];

/** Checks of the members of a request of a batch (§4.2), one form each. */
export function batchMemberChecks(): Check[] {
  return SHAPES.map((shape) =>
    batchCheck({
      word: shape.word,
      title: shape.title,
      basis: shape.basis,
      run: (trial) => judge(trial, shape),
    }),
  );
}

async function judge(trial: BatchTrial, { title, parts, excerpt }: Shape): Promise<Finding[]> {
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
