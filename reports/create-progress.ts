import { createBarProgress } from './create-bar-progress.ts';
import { createLineProgress } from './create-line-progress.ts';

/** Shows how far a run is. After `stop` it shows nothing more. */
export interface Progress {
  /** How many checks are done, how many of them failed, and how many requests were sent, all since the start. */
  update(done: number, failed: number, requests: number): void;
  /** Takes the display away; to be called on every way out. Calling it again does nothing. */
  stop(): void;
}

/** Where and what to show: the stream, how many checks there are, what is checked, and whether to draw a bar. */
export interface ProgressOptions {
  stream: NodeJS.WritableStream;
  total: number;
  label: string;
  tty: boolean;
}

/** Starts a progress display: a bar on one line of a terminal, else a plain line now and then. */
export function createProgress(options: ProgressOptions): Progress {
  return options.tty ? createBarProgress(options) : createLineProgress(options);
}
