import { join } from 'node:path';
import type { RunMode } from '../../client/mode.ts';
import type { Conclusion, Counts, PartialRun } from '../../engine/result.ts';
import type { DocumentHead } from '../change.ts';
import { isFolder, readDocument, validated } from '../side.ts';

/** The exit code of one target, or of a fleet. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** The document `fleet.json`, format 1; its schema is `specs/schemas/fleet.schema.json`. */
export interface Fleet extends DocumentHead<'fleet'> {
  readonly run: {
    /** When the first target began, as an ISO date. */
    readonly started: string;
    /** Wall time; of a merged fleet that of its longest part. */
    readonly seconds: number;
    /** Targets under way at once. */
    readonly parallel: number;
    /** Requests to all targets together. */
    readonly requests: number;
    /** Why it ended before every target was checked. */
    readonly ended?: string;
  };
  /** The digest of the names and settings of all selected targets, those of other shards included. */
  readonly configuration: string;
  /** Targets that the configuration selects, those of other shards included. */
  readonly selected: number;
  /** Only of one part of a fleet. */
  readonly shard?: Shard;
  /** Only of a fleet that was merged of parts: how many. */
  readonly parts?: number;
  /** That of the worst target. */
  readonly conclusion: Conclusion;
  /** Why, in one sentence. */
  readonly reason: string;
  /** The worst of the targets: 4, else 1, else 3, else 2, else 0. */
  readonly exitCode: ExitCode;
  /** What limits what the fleet says, in sentences. */
  readonly notes: readonly string[];
  readonly counts: FleetCounts;
  /** The worst first. */
  readonly targets: readonly FleetTarget[];
  /** Checks that fail anywhere: those that are new on the most targets first, then those that fail on the most. */
  readonly checks: readonly FleetCheck[];
  /** What targets say of their software: the namespaces that they serve, each with its version. */
  readonly software: readonly FleetNamespace[];
}

/** One part of a fleet: the first is 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** How many targets there are of each kind. */
interface FleetCounts {
  readonly targets: number;
  /** By conclusion: together the number of targets. */
  readonly conformant: number;
  readonly nonconformant: number;
  readonly inconclusive: number;
  /** Those that have a baseline, and of them those with new failures. */
  readonly compared: number;
  readonly worse: number;
}

/** One target of a fleet; its reports are in its folder. */
export interface FleetTarget {
  /** Its name in the configuration. */
  readonly name: string;
  /** The folder of its reports, relative to the file, with `/` between its parts. */
  readonly folder: string;
  readonly url: string;
  readonly deployment: string;
  readonly vocabulary: string;
  readonly mode: RunMode;
  /** That of a run of this target alone. */
  readonly exitCode: ExitCode;
  readonly conclusion: Conclusion;
  readonly reason: string;
  readonly counts: Counts;
  readonly started: string;
  readonly seconds: number;
  readonly requests: number;
  /** The digest of its contract; empty where the run never began. */
  readonly contract: string;
  /** The digest of its index; empty where it was never read. */
  readonly index: string;
  /** The namespaces that it serves; absent where its index was never read. */
  readonly namespaces?: readonly string[];
  /** Checks that fail, waived ones left out: the first of them, in the order of the plan. */
  readonly failing: readonly string[];
  /** How much of its plan was asked, where that is not all of it. */
  readonly partial?: PartialRun;
  /** Only beside a baseline. */
  readonly baseline?: TargetBaseline;
}

/** How a target stands against its earlier run; the lists are in its `results.json`. */
interface TargetBaseline {
  /** The earlier run: its id, and when it began. */
  readonly run: string;
  readonly started: string;
  /** How many checks fail now only, fail still, no longer fail, and so on. */
  readonly new: number;
  /** Found by sets of arguments that the earlier run did not ask; absent where none was. */
  readonly found?: number;
  readonly still: number;
  readonly fixed: number;
  readonly untold: number;
  readonly vanished: number;
  readonly unstable: number;
  /** Causes of changes in answers that clients may notice; absent where there is none. */
  readonly answers?: number;
  /** The first of what is new, in the order of the plan. */
  readonly worst: readonly string[];
}

/** A check that fails on some target. */
export interface FleetCheck {
  readonly id: string;
  /** What reports group it under; fleets of earlier versions do not say it. */
  readonly area?: string;
  readonly title: string;
  readonly section: string;
  /** Targets on which it fails and no waiver covers it; those on which one does; those on which it is new. */
  readonly fail: number;
  readonly waived: number;
  readonly new: number;
  /** Names of targets on which it fails, those where it is new first; no more than twenty. */
  readonly targets: readonly string[];
}

/** A namespace that some targets serve. */
interface FleetNamespace {
  readonly namespace: string;
  /** How many targets serve it, and the names of the first twenty. */
  readonly count: number;
  readonly targets: readonly string[];
}

/** A file that is no fleet, or fleets that do not belong together: one line that names it and what to do. */
export class UnreadableFleet extends Error {
  override readonly name: string = 'UnreadableFleet';
}

const FLEET = { what: 'the fleet.json of a run', Unreadable: UnreadableFleet };

/** The file of a fleet, and what it says. */
export interface FleetFile {
  readonly path: string;
  readonly fleet: Fleet;
}

/**
 * Reads `fleet.json`.
 * @param named the file, or the folder that holds it
 * @throws UnreadableFleet
 */
export function readFleet(named: string): FleetFile {
  const path = isFolder(named) ? join(named, 'fleet.json') : named;
  const document = readDocument(path, FLEET);
  return { path, fleet: validated<Fleet>(path, document, 'fleet.schema.json', FLEET) };
}
