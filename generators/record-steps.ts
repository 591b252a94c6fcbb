import fc from 'fast-check';

/** Statuses that a record takes without further conditions. */
export type PlainStatus = 'draft' | 'pending' | 'private' | 'publish';

/** What is written into a record; a field that is left out stays as it is. */
export interface Writing {
  readonly title?: string;
  readonly excerpt?: string;
  readonly status?: PlainStatus;
}

/** A step that may stand in a batch. `pick` chooses among the records that the step fits, counted round and round. */
export type BatchStep =
  | { readonly kind: 'create'; readonly writing: Writing }
  | { readonly kind: 'update'; readonly pick: number; readonly writing: Writing }
  | { readonly kind: 'delete'; readonly pick: number };

/** What one command does with the records of a collection. */
export type RecordStep =
  | BatchStep
  | { readonly kind: 'trash' | 'restore' | 'read'; readonly pick: number }
  | { readonly kind: 'list' }
  | { readonly kind: 'batch'; readonly steps: readonly BatchStep[] };

const MOST_IN_BATCH = 3;
/** Half of them published: those show in most places. */
const STATUSES: readonly PlainStatus[] = ['draft', 'pending', 'private', 'publish', 'publish', 'publish'];

/**
 * A step, the same for the same seed. What is written is not shrunk, because each example costs requests and a shorter
 * word explains nothing; a batch is, down to the one step that it then is.
 */
export function recordStep(): fc.Arbitrary<RecordStep> {
  const pick = fc.noShrink(fc.nat({ max: 9 }));
  const word = fc.stringMatching(/^[a-z]{3,8}$/);
  const status = fc.constantFrom(...STATUSES);
  const writing = fc.noShrink(fc.record({ title: word, excerpt: word, status }, { requiredKeys: ['title'] }));
  const create = fc.record({ kind: fc.constant('create' as const), writing });
  const update = fc.record({ kind: fc.constant('update' as const), pick, writing });
  const remove = fc.record({ kind: fc.constant('delete' as const), pick });
  const parts = fc.array(fc.oneof(create, update, remove), {
    minLength: 1,
    maxLength: MOST_IN_BATCH,
    size: 'max',
  });
  const batch = parts.map((steps): RecordStep => {
    const [first, ...others] = steps;
    return first !== undefined && others.length === 0 ? first : { kind: 'batch', steps };
  });
  // The weights: what has most to do with the steps before it comes most often.
  return fc.oneof(
    { weight: 2, arbitrary: create },
    { weight: 4, arbitrary: update },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('trash' as const), pick }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('restore' as const), pick }) },
    { weight: 2, arbitrary: remove },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), pick }) },
    { weight: 3, arbitrary: fc.constant({ kind: 'list' as const }) },
    { weight: 2, arbitrary: batch },
  );
}
