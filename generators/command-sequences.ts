import fc from 'fast-check';
import { validatorOf } from '../specs/validators.ts';

/** Statuses that a record accepts without conditions. */
export type PlainStatus = 'draft' | 'pending' | 'private' | 'publish';

/** The fields to write; the others stay unchanged. */
export interface Writing {
  readonly title?: string;
  readonly excerpt?: string;
  readonly status?: PlainStatus;
}

/** The record of a step: `pick` counts through those that fit; `of` keeps it the same if other steps are left out. */
export interface Chosen {
  readonly pick: number;
  readonly of?: number;
}

/** A step that creates a record. Then `as` is its name for later steps. */
export interface Creation {
  readonly kind: 'create';
  readonly writing: Writing;
  readonly as?: number;
}

/** A step that a batch may contain. */
export type BatchStep =
  | Creation
  | ({ readonly kind: 'update'; readonly writing: Writing } & Chosen)
  | ({ readonly kind: 'delete' } & Chosen);

/** One command on the records of a collection. */
export type RecordStep =
  | BatchStep
  | ({ readonly kind: 'trash' | 'restore' | 'read' } & Chosen)
  | { readonly kind: 'list' }
  | { readonly kind: 'batch'; readonly steps: readonly BatchStep[] };

/** Half are published, because those show in most places. */
const STATUSES: readonly PlainStatus[] = ['draft', 'pending', 'private', 'publish', 'publish', 'publish'];

/** A step, by the seed. Written values are not shrunk, because a shorter word explains nothing. */
export function recordStep(): fc.Arbitrary<RecordStep> {
  const any = fc.noShrink(fc.nat({ max: 9 }));
  // Half of the changes go to the oldest record, to find what only several changes break.
  const pick = fc.noShrink(fc.oneof(fc.constant(0), any));
  const word = fc.stringMatching(/^[a-z]{3,8}$/);
  const status = fc.constantFrom(...STATUSES);
  const writing = fc.noShrink(fc.record({ title: word, excerpt: word, status }, { requiredKeys: ['title'] }));
  const create = fc.record({ kind: fc.constant('create' as const), writing });
  const update = fc.record({ kind: fc.constant('update' as const), pick, writing });
  const remove = fc.record({ kind: fc.constant('delete' as const), pick: any });
  // Any part may be left out, while a list would only shrink from its beginning.
  const part = fc.oneof(create, update, remove);
  const batch = fc.tuple(fc.option(part), fc.option(part), fc.option(part)).map((parts): RecordStep => {
    const steps = parts.filter((one) => one !== null);
    const [first, ...others] = steps;
    return first !== undefined && others.length === 0 ? first : { kind: 'batch', steps };
  });
  // Steps that depend most on earlier ones come most often.
  return fc.oneof(
    { weight: 2, arbitrary: create },
    { weight: 6, arbitrary: update },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('trash' as const), pick }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('restore' as const), pick }) },
    { weight: 1, arbitrary: remove },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), pick }) },
    { weight: 3, arbitrary: fc.constant({ kind: 'list' as const }) },
    { weight: 2, arbitrary: batch },
  );
}

/** A command of a sequence. `check` says whether it fits the model; `run` throws if the site and the model differ. */
export type Command<Model extends object, Site> = fc.AsyncCommand<Model, Site>;

/** Commands in order, as fast-check draws and shrinks them. */
export type CommandSequence<Model extends object, Site> = Iterable<Command<Model, Site>>;

/** Command sequences, by the seed. They shrink to the fewest commands that still fail. */
export function commandSequences<Model extends object, Site>(
  command: fc.Arbitrary<Command<Model, Site>>,
  { shortest, longest }: Readonly<Record<'shortest' | 'longest', number>>,
): fc.Arbitrary<CommandSequence<Model, Site>> {
  const any: fc.Arbitrary<CommandSequence<Model, Site>> = fc.commands([command], {
    maxCommands: longest,
    size: 'max',
  });
  return new AtFirst(any, (commands) => [...commands].length >= shortest);
}

/** Values that fit when they are drawn. Unlike with `filter`, those that they shrink to need not fit. */
class AtFirst<T> extends fc.Arbitrary<T> {
  readonly #values: fc.Arbitrary<T>;
  readonly #fits: (value: T) => boolean;

  constructor(values: fc.Arbitrary<T>, fits: (value: T) => boolean) {
    super();
    this.#values = values;
    this.#fits = fits;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    for (;;) {
      const drawn = this.#values.generate(random, bias);
      // `value` would return a clone next time, which does not show which commands were run.
      if (this.#fits(drawn.value_)) return drawn;
    }
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#values.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#values.shrink(value, context);
  }
}

/** Runs each command that fits the model, one after the other. @throws unknown whatever a command throws */
export function runSequence<Model extends object, Site>(
  start: { readonly model: Model; readonly site: Site },
  commands: CommandSequence<Model, Site>,
): Promise<void> {
  return fc.asyncModelRun(() => ({ model: start.model, real: start.site }), commands);
}

/** Steps that were stored as data; undefined for other data. */
export function readSteps(kept: unknown): readonly RecordStep[] | undefined {
  const isKept = validatorOf<{ readonly steps: readonly RecordStep[] }>('record-steps.schema.json');
  return isKept(kept) ? kept.steps : undefined;
}
