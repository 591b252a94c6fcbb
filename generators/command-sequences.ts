import fc from 'fast-check';

/**
 * What a command sequence is made of: `check` says whether the command fits the model, `run` carries it out on the site,
 * changes the model, and throws where the two differ.
 */
export type Command<Model extends object, Site> = fc.AsyncCommand<Model, Site>;

/** Commands in their order, as fast-check draws and shrinks them. */
export type CommandSequence<Model extends object, Site> = Iterable<Command<Model, Site>>;

/** How many commands are drawn: a sequence may shrink to fewer. */
export interface Lengths {
  readonly shortest: number;
  readonly longest: number;
}

/**
 * Command sequences, the same for the same seed. They shrink to the fewest commands that still fail: what was not run is
 * left out first, then whatever the failure does without.
 */
export function commandSequences<Model extends object, Site>(
  command: fc.Arbitrary<Command<Model, Site>>,
  { shortest, longest }: Lengths,
): fc.Arbitrary<CommandSequence<Model, Site>> {
  const any: fc.Arbitrary<CommandSequence<Model, Site>> = fc.commands([command], {
    maxCommands: longest,
    size: 'max',
  });
  return new AtFirst(any, (commands) => [...commands].length >= shortest);
}

/** Values of another arbitrary that fit when they are drawn; unlike with `filter`, what they shrink to need not fit. */
class AtFirst<T> extends fc.Arbitrary<T> {
  readonly #any: fc.Arbitrary<T>;
  readonly #fits: (value: T) => boolean;

  constructor(any: fc.Arbitrary<T>, fits: (value: T) => boolean) {
    super();
    this.#any = any;
    this.#fits = fits;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    for (;;) {
      const drawn = this.#any.generate(random, bias);
      // `value` would hand out a clone the next time, and what is cloned does not tell which commands were run.
      if (this.#fits(drawn.value_)) return drawn;
    }
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#any.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#any.shrink(value, context);
  }
}

/**
 * Runs each command that fits the model, one after the other.
 * @throws unknown what a command throws, at once
 */
export function runSequence<Model extends object, Site>(
  start: { readonly model: Model; readonly site: Site },
  commands: CommandSequence<Model, Site>,
): Promise<void> {
  return fc.asyncModelRun(() => ({ model: start.model, real: start.site }), commands);
}
