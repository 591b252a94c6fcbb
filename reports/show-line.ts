import cliProgress from 'cli-progress';
import { visibleLine } from '../engine/text.ts';
import { print } from './print.ts';

interface ProgressLine {
  update(): void;
  /** Removes the line. Call it on every exit; further calls do nothing. */
  stop(): void;
}

export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

interface Shown {
  readonly stream: ProgressStream;
  readonly label?: string;
  words(seconds: number): string;
  share(): number;
  /** Whether a log needs a last line; default: yes. */
  hasBegun?(): boolean;
}

/** Starts a line: with a bar on a terminal, otherwise plain lines now and then. */
export function showLine(shown: Shown): ProgressLine {
  return shown.stream.isTTY === true ? drawBar(shown) : writeLines(shown);
}

const WHOLE = 1000;
const LONGEST_BAR = 30;
/** A shorter bar says less than its words. */
const SHORTEST_BAR = 5;

function drawBar({ stream, label, words, share }: Shown): ProgressLine {
  const seconds = stopwatch();
  const name = label === undefined ? '' : `${visibleLine(label)}  `;
  const bar = new cliProgress.SingleBar({
    stream,
    clearOnComplete: true,
    // Trims the line, because `false` would change a terminal setting that a crash leaves behind.
    linewrap: true,
    barsize: LONGEST_BAR,
    // The command handles signals, because it has to clean up.
    gracefulExit: false,
    format: (options, params): string => {
      const text = `${name}${words(seconds())}`;
      const free = Math.min(LONGEST_BAR, params.maxWidth - text.length - 4);
      // In steps, so that the bar does not move whenever a number grows.
      const room = free - (free % SHORTEST_BAR);
      if (room < SHORTEST_BAR) return text;
      return `[${cliProgress.Format.BarFormat(params.progress, { ...options, barsize: room })}] ${text}`;
    },
  });
  const step = (): number => Math.floor(WHOLE * share());
  bar.start(WHOLE, step());
  return {
    update(): void {
      if (bar.isActive) bar.update(step());
    },
    stop(): void {
      if (bar.isActive) bar.stop();
    },
  };
}

const SECONDS_BETWEEN = 10;

/** Plain lines for logs: at most one every ten seconds, and one at the end. */
function writeLines({ stream, label, words, hasBegun }: Shown): ProgressLine {
  const seconds = stopwatch();
  const name = label === undefined ? '' : `${visibleLine(label)}: `;
  let shown = 0;
  let stopped = false;
  const show = (): void => {
    shown = seconds();
    print(stream, `${name}${words(shown)}\n`);
  };
  return {
    update(): void {
      if (!stopped && seconds() - shown >= SECONDS_BETWEEN) show();
    },
    stop(): void {
      if (!stopped && hasBegun?.() !== false) show();
      stopped = true;
    },
  };
}

function stopwatch(): () => number {
  const begun = performance.now();
  return () => (performance.now() - begun) / 1000;
}
