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
    /** When the first target started, as an ISO date. */
    readonly started: string;
    /** Wall time; for a merged fleet, that of its longest part. */
    readonly seconds: number;
    /** Targets that were checked at once. */
    readonly parallel: number;
    readonly requests: number;
    /** Why it ended early. */
    readonly ended?: string;
  };
  /** The digest of the names and settings of all selected targets, with those of other shards. */
  readonly configuration: string;
  /** Targets that the configuration selects, with those of other shards. */
  readonly selected: number;
  /** Only for one part of a fleet. */
  readonly shard?: Shard;
  /** Only for a merged fleet: the number of its parts. */
  readonly parts?: number;
  readonly conclusion: Conclusion;
  readonly reason: string;
  /** The exit code of the worst target: 4, otherwise 1, 3, 2 or 0. */
  readonly exitCode: ExitCode;
  /** Limits of the fleet's statements, in sentences. */
  readonly notes: readonly string[];
  readonly counts: FleetCounts;
  /** The worst first. */
  readonly targets: readonly FleetTarget[];
  /** Failing checks: those that are new on most targets first, then those that fail on most. */
  readonly checks: readonly FleetCheck[];
  /** The namespaces of the targets, which carry the versions of their software. */
  readonly software: readonly FleetNamespace[];
}

/** One part of a fleet, numbered from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

interface FleetCounts {
  readonly targets: number;
  /** By conclusion; their sum is the number of targets. */
  readonly conformant: number;
  readonly nonconformant: number;
  readonly inconclusive: number;
  /** Targets with a baseline, and those of them with new failures. */
  readonly compared: number;
  readonly worse: number;
}

/** One target of a fleet. Its folder holds its reports. */
export interface FleetTarget {
  /** Its name in the configuration. */
  readonly name: string;
  /** The folder of its reports, relative to the file, with `/` as separator. */
  readonly folder: string;
  readonly url: string;
  readonly deployment: string;
  readonly vocabulary: string;
  readonly mode: RunMode;
  readonly exitCode: ExitCode;
  readonly conclusion: Conclusion;
  readonly reason: string;
  readonly counts: Counts;
  readonly started: string;
  readonly seconds: number;
  readonly requests: number;
  /** The digest of its contract; empty if the run did not start. */
  readonly contract: string;
  /** The digest of its index; empty if it was not read. */
  readonly index: string;
  /** Its namespaces; absent if its index was not read. */
  readonly namespaces?: readonly string[];
  /** The first failing checks in the order of the plan, without waived ones. */
  readonly failing: readonly string[];
  /** The share of its plan that ran, if that is not all of it. */
  readonly partial?: PartialRun;
  readonly baseline?: TargetBaseline;
}

/** A target compared with its earlier run. The lists are in its `results.json`. */
interface TargetBaseline {
  /** The id of the earlier run, and its start. */
  readonly run: string;
  readonly started: string;
  /** How many checks are in each list. */
  readonly new: number;
  /** Failures on sets that the earlier run did not send; absent if there are none. */
  readonly found?: number;
  readonly still: number;
  readonly fixed: number;
  readonly untold: number;
  readonly vanished: number;
  readonly unstable: number;
  /** Causes of changes in answers that clients may notice; absent if there are none. */
  readonly answers?: number;
  /** The first new failures in the order of the plan. */
  readonly worst: readonly string[];
}

/** A check that fails on some targets. */
export interface FleetCheck {
  readonly id: string;
  /** The group in reports; absent in fleets of earlier versions. */
  readonly area?: string;
  readonly title: string;
  readonly section: string;
  /** On how many targets it fails without a waiver, fails with one, and is new. */
  readonly fail: number;
  readonly waived: number;
  readonly new: number;
  /** Up to twenty names of targets on which it fails, those where it is new first. */
  readonly targets: readonly string[];
}

interface FleetNamespace {
  readonly namespace: string;
  /** How many targets have it, and the names of the first twenty. */
  readonly count: number;
  readonly targets: readonly string[];
}

/** Reads `fleet.json`. @param named the file, or the folder that holds it @throws UsageError */
export function readFleet(named: string): { readonly path: string; readonly fleet: Fleet } {
  const path = isFolder(named) ? join(named, 'fleet.json') : named;
  const document = readDocument(path, 'the fleet.json of a run');
  return { path, fleet: validated<Fleet>(path, document, 'fleet.schema.json') };
}
