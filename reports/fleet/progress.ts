import cliProgress from 'cli-progress';
import { formatDuration, present, visibleLine } from '../../engine/text.ts';
import { print } from '../print.ts';

/** Shows how far a fleet is, in one line for all targets. */
interface FleetProgress {
  begins(name: string): void;
  ended(name: string, exitCode: number): void;
  /** Takes the display away. Calling it again does nothing. */
  stop(): void;
}

const SECONDS_BETWEEN = 10;
const MOST_NAMES = 3;
const BAR = 20;

/** Starts the display: a bar on a terminal, else a plain line every ten seconds at most and one at the end. */
export function createFleetProgress({
  stream,
  total,
}: {
  stream: NodeJS.WritableStream & { isTTY?: boolean };
  total: number;
}): FleetProgress {
  const begun = performance.now();
  const state = { done: 0, failing: 0, inconclusive: 0, total, under: new Set<string>() };
  const seconds = (): number => (performance.now() - begun) / 1000;
  const line = (): string => fleetLine({ ...state, under: [...state.under], seconds: seconds() });
  const bar =
    stream.isTTY === true
      ? new cliProgress.SingleBar({
          stream,
          clearOnComplete: true,
          linewrap: true,
          barsize: BAR,
          gracefulExit: false,
          format: (options, params) =>
            `[${cliProgress.Format.BarFormat(params.progress, options)}] ${line()}`,
        })
      : undefined;
  bar?.start(total, 0);
  let shown = 0;
  let stopped = false;
  const show = (): void => {
    if (bar !== undefined) bar.update(state.done);
    else if (seconds() - shown >= SECONDS_BETWEEN) {
      shown = seconds();
      print(stream, `${line()}\n`);
    }
  };
  return {
    begins(name) {
      state.under.add(name);
      show();
    },
    ended(name, exitCode) {
      state.under.delete(name);
      state.done += 1;
      if (exitCode === 1) state.failing += 1;
      else if (exitCode !== 0) state.inconclusive += 1;
      show();
    },
    stop() {
      if (stopped) return;
      stopped = true;
      if (bar === undefined) print(stream, `${line()}\n`);
      else bar.stop();
    },
  };
}

/** How far a fleet is. */
interface FleetState {
  readonly done: number;
  readonly total: number;
  readonly failing: number;
  readonly inconclusive: number;
  /** Names of targets under way. */
  readonly under: readonly string[];
  readonly seconds: number;
}

/** How far a fleet is, in words: `412/1000 targets, 3 failing, 1 not evaluated, 2 under way (a, b), 2 min 10 s left`. */
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
