import { join } from 'node:path';
import type { BaselineReport, CheckResult, Conclusion, PartialRun, RunResult } from '../../engine/result.ts';
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
  /** Targets in all and by conclusion, those with a baseline, and those of them with new failures. */
  readonly counts: Readonly<Record<Conclusion | 'targets' | 'compared' | 'worse', number>>;
  /** The worst first. */
  readonly targets: readonly FleetTarget[];
  /** Failing checks: those that are new on most targets first, then those that fail on most. */
  readonly checks: readonly FleetCheck[];
  /** The namespaces, which carry the versions of software, with the number and the first twenty names of targets. */
  readonly software: readonly {
    readonly namespace: string;
    readonly count: number;
    readonly targets: readonly string[];
  }[];
}

/** One part of a fleet, numbered from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** One target of a fleet. The digests of its contract and its index are empty if it did not start. */
export interface FleetTarget
  extends Pick<RunResult, 'conclusion' | 'reason' | 'counts'>,
    Pick<RunResult['tool'], 'contract'>,
    Pick<RunResult['target'], 'url' | 'deployment' | 'vocabulary' | 'index'>,
    Pick<RunResult['run'], 'mode' | 'started' | 'seconds' | 'requests'> {
  /** Its name in the configuration. */
  readonly name: string;
  /** The folder of its reports, relative to the file, with `/` as separator. */
  readonly folder: string;
  readonly exitCode: ExitCode;
  /** Its namespaces; absent if its index was not read. */
  readonly namespaces?: readonly string[];
  /** The first failing checks in the order of the plan, without waived ones. */
  readonly failing: readonly string[];
  /** The share of its plan that ran, if that is not all of it. */
  readonly partial?: PartialRun;
  readonly baseline?: TargetBaseline;
}

/** A target compared with its earlier run: how long each list of its `results.json` is. */
interface TargetBaseline
  extends Pick<BaselineReport, 'run' | 'started'>,
    Readonly<Record<'new' | 'still' | 'fixed' | 'untold' | 'vanished' | 'unstable', number>>,
    Readonly<Partial<Record<'found' | 'answers', number>>> {
  /** The first new failures in the order of the plan. */
  readonly worst: readonly string[];
}

/** A check that fails on some targets. */
export interface FleetCheck extends Pick<CheckResult, 'id' | 'title' | 'section'> {
  /** The group in reports; absent in fleets of earlier versions. */
  readonly area?: string;
  /** On how many targets it fails without a waiver, fails with one, and is new. */
  readonly fail: number;
  readonly waived: number;
  readonly new: number;
  /** Up to twenty names of targets on which it fails, those where it is new first. */
  readonly targets: readonly string[];
}

/** Reads `fleet.json`. @param named the file, or the folder that holds it @throws UsageError */
export function readFleet(named: string): { readonly path: string; readonly fleet: Fleet } {
  const path = isFolder(named) ? join(named, 'fleet.json') : named;
  const document = readDocument(path, 'the fleet.json of a run');
  return { path, fleet: validated<Fleet>(path, document, 'fleet.schema.json') };
}
