import fc from 'fast-check';

/**
 * What a command sequence is made of: `check` says whether the command fits the model, `run` carries it out on the site,
 * changes the model, and throws where the two differ.
 */
export type Command<Model extends object, Site> = fc.AsyncCommand<Model, Site>;

/** Commands in their order, as fast-check draws and shrinks them. */
export type CommandSequence<Model extends object, Site> = Iterable<Command<Model, Site>>;

/**
 * Sequences of up to so many commands, the same for the same seed. They shrink to the fewest commands that still fail:
 * what was not run is left out first, then whatever the failure does without.
 */
export function commandSequences<Model extends object, Site>(
  command: fc.Arbitrary<Command<Model, Site>>,
  longest: number,
): fc.Arbitrary<CommandSequence<Model, Site>> {
  return fc.commands([command], { maxCommands: longest, size: 'max' });
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
