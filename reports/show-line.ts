import cliProgress from 'cli-progress';
import { visibleLine } from '../engine/text.ts';
import { print } from './print.ts';

/** A line that shows how far something is. */
interface ProgressLine {
  /** Shows what has changed. */
  update(): void;
  /** Takes the line away; to be called on every way out. Calling it again does nothing. */
  stop(): void;
}

/** Where and what to show. */
interface Shown {
  readonly stream: NodeJS.WritableStream;
  /** Whether to draw a bar in front of it. */
  readonly tty: boolean;
  /** What is under way. */
  readonly label?: string;
  /** How far it is, in words. */
  words(seconds: number): string;
  /** The share that is done, from 0 to 1. */
  share(): number;
  /** Whether a log has anything to say at the end; it has unless given. */
  hasBegun?(): boolean;
}

/** Starts a line: behind a bar on a terminal, else a plain line now and then. */
export function showLine(shown: Shown): ProgressLine {
  return shown.tty ? drawBar(shown) : writeLines(shown);
}

/** Steps of the bar. */
const WHOLE = 1000;
const LONGEST_BAR = 30;
/** A bar shorter than this says less than the words beside it. */
const SHORTEST_BAR = 5;

/** One line of a terminal; it is wiped away at the end, for the report to take its place. */
function drawBar({ stream, label, words, share }: Shown): ProgressLine {
  const seconds = stopwatch();
  const name = label === undefined ? '' : `${visibleLine(label)}  `;
  const bar = new cliProgress.SingleBar({
    stream,
    clearOnComplete: true,
    // Trims the line itself, where `false` would change a setting of the terminal that a crash leaves changed.
    linewrap: true,
    barsize: LONGEST_BAR,
    // Signals belong to the command, which has to clean up after itself.
    gracefulExit: false,
    format: (options, params): string => {
      const text = `${name}${words(seconds())}`;
      const free = Math.min(LONGEST_BAR, params.maxWidth - text.length - 4);
      // In steps, so that the bar does not twitch whenever a number grows.
      const room = free - (free % SHORTEST_BAR);
      if (room < SHORTEST_BAR) return text;
      return `[${cliProgress.Format.BarFormat(params.progress, { ...options, barsize: room })}] ${text}`;
    },
  });
  const step = (): number => Math.floor(WHOLE * share());
  const leave = takeTurn(stream, () => bar.start(WHOLE, step()));
  return {
    update(): void {
      if (bar.isActive) bar.update(step());
    },
    stop(): void {
      if (bar.isActive) bar.stop();
      leave();
    },
  };
}

/** What waits to be drawn on each stream, the one that is drawn first: one line has room for one bar. */
const turns = new WeakMap<NodeJS.WritableStream, (() => void)[]>();

/** Calls `draw` as soon as nothing else is drawn on the stream. @returns what makes room for the next; calling it again does nothing */
function takeTurn(stream: NodeJS.WritableStream, draw: () => void): () => void {
  const waiting = turns.get(stream) ?? [];
  turns.set(stream, waiting);
  waiting.push(draw);
  if (waiting[0] === draw) draw();
  return () => {
    const at = waiting.indexOf(draw);
    if (at < 0) return;
    waiting.splice(at, 1);
    if (at === 0) waiting[0]?.();
  };
}

const SECONDS_BETWEEN = 10;

/** Plain lines, for logs: one every ten seconds at most, and one at the end. */
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
