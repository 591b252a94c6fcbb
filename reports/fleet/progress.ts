import { formatDuration, present, visibleLine } from '../../engine/text.ts';
import { type ProgressStream, showLine } from '../show-line.ts';

const MOST_NAMES = 3;

/** Starts the display. */
export function createFleetProgress({
  stream,
  total,
}: {
  readonly stream: ProgressStream;
  readonly total: number;
}): { begins(name: string): void; ended(name: string, exitCode: number): void; stop(): void } {
  const state = { done: 0, failing: 0, inconclusive: 0, total, under: new Set<string>() };
  const line = showLine({
    stream,
    words: (seconds) => fleetLine({ ...state, under: [...state.under], seconds }),
    share: () => state.done / total,
  });
  return {
    begins(name) {
      state.under.add(name);
      line.update();
    },
    ended(name, exitCode) {
      state.under.delete(name);
      state.done += 1;
      if (exitCode === 1) state.failing += 1;
      else if (exitCode !== 0) state.inconclusive += 1;
      line.update();
    },
    stop: () => line.stop(),
  };
}

type FleetState = Readonly<Record<'done' | 'total' | 'failing' | 'inconclusive' | 'seconds', number>> & {
  readonly under: readonly string[];
};

/** The progress in words: `412/1000 targets, 3 failing, 1 not evaluated, 2 under way (a, b), 2 min 10 s left`. */
export function fleetLine({ done, total, failing, inconclusive, under, seconds }: FleetState): string {
  const names = under.slice(0, MOST_NAMES).map(visibleLine).join(', ');
  const more = under.length > MOST_NAMES ? ', …' : '';
  const isKnown = done > 0 && done < total && seconds > 0;
  return present([
    `${done}/${total} targets`,
    `${failing} failing`,
    inconclusive > 0 && `${inconclusive} not evaluated`,
    under.length > 0 && `${under.length} under way (${names}${more})`,
    isKnown && `${formatDuration((seconds / done) * (total - done))} left`,
  ]).join(', ');
}
