import { BroadcastChannel } from 'node:worker_threads';
import type { Interlude } from '../engine/engine-options.ts';
import type { FuzzCoverage, Phase } from '../engine/fuzz-options.ts';
import type { Session } from '../engine/session.ts';

const EVERY_MS = 1000;

/** How far a search is that is under way. */
export interface Search {
  /** The id of the check. */
  readonly check: string;
  readonly phase: Phase;
  /** Of the phase. */
  readonly judged: number;
  readonly planned: number;
  /** Violations so far. */
  readonly found: number;
}

/** What a run tells while its checks are under way: a search may take minutes, and its result comes last. */
export interface Live {
  readonly requests: number;
  readonly searches: readonly Search[];
  /** What is done in place of judging checks of the plan. */
  readonly interlude?: Interlude;
}

/**
 * Tells every second what a session is at.
 * @param name of the channel; @param interlude what is done in place of judging checks
 * @returns what ends it
 */
export function tellLive(
  name: string,
  session: Session,
  interlude: () => Interlude | undefined = () => undefined,
): () => void {
  const channel = new BroadcastChannel(name);
  const timer = setInterval(() => channel.postMessage(liveOf(session, interlude())), EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    channel.close();
  };
}

/** Hears what a run in a thread of this process tells. @returns what ends it */
export function hearLive(name: string, heard: (live: Live) => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = (message) => {
    const { data }: { data: Live } = message;
    heard(data);
  };
  return () => channel.close();
}

/** What a session is at. */
export function liveOf({ client, tried }: Pick<Session, 'client' | 'tried'>, interlude?: Interlude): Live {
  return {
    requests: client.traffic.requests,
    searches: [...tried].flatMap(([check, coverage]) => searchOf(check, coverage)),
    ...(interlude !== undefined && { interlude }),
  };
}

function searchOf(check: string, { phases, found, ended }: FuzzCoverage): Search[] {
  if (ended !== undefined) return [];
  const names = ['kept', 'boundary', 'pairs', 'random'] as const;
  for (const phase of names) {
    const extent = phases[phase];
    if (extent !== undefined && extent.judged < extent.planned) return [{ check, phase, ...extent, found }];
  }
  return [];
}
