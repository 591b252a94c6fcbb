import { join } from 'node:path';
import type { BaselineReport, CheckResult, Conclusion, PartialRun, RunResult } from '../../engine/result.ts';
import { validated } from '../../specs/validators.ts';
import type { DocumentHead } from '../change.ts';
import { isFolder, readDocument } from '../side.ts';

/** The exit code of one target, or of a fleet. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** The document `fleet.json`, format 1; `specs/schemas/fleet.schema.json` describes its members. */
export interface Fleet extends DocumentHead<'fleet'> {
  readonly run: {
    readonly started: string;
    readonly seconds: number;
    readonly parallel: number;
    readonly requests: number;
    readonly ended?: string;
  };
  readonly configuration: string;
  readonly selected: number;
  readonly shard?: Shard;
  readonly parts?: number;
  readonly conclusion: Conclusion;
  readonly reason: string;
  readonly exitCode: ExitCode;
  readonly notes: readonly string[];
  readonly counts: Readonly<Record<Conclusion | 'targets' | 'compared' | 'worse', number>>;
  readonly targets: readonly FleetTarget[];
  readonly checks: readonly FleetCheck[];
  readonly software: readonly {
    readonly namespace: string;
    readonly count: number;
    readonly targets: readonly string[];
  }[];
}

/** One of several parts of a fleet or a list, numbered from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Parses `I/N`. @returns undefined for anything else */
export function parseShard(text: string): Shard | undefined {
  const [, index = '', of = ''] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  return shard.index >= 1 && shard.index <= shard.of ? shard : undefined;
}

/** One target of a fleet. The digests of its contract and its index are empty if it did not start. */
export interface FleetTarget
  extends Pick<RunResult, 'conclusion' | 'reason' | 'counts'>,
    Pick<RunResult['tool'], 'contract'>,
    Pick<RunResult['target'], 'url' | 'deployment' | 'vocabulary' | 'index'>,
    Pick<RunResult['run'], 'mode' | 'started' | 'seconds' | 'requests'> {
  readonly name: string;
  /** The folder of its reports, relative to the file, with `/` as separator. */
  readonly folder: string;
  readonly exitCode: ExitCode;
  readonly namespaces?: readonly string[];
  readonly failing: readonly string[];
  readonly partial?: PartialRun;
  /** How much of what the site does was evaluated; absent if it was enough for the conclusion. */
  readonly extent?: { readonly evaluated: number; readonly wanted: number };
  readonly baseline?: TargetBaseline;
}

/** A target compared with its earlier run: how long each list of its `results.json` is. */
interface TargetBaseline
  extends Pick<BaselineReport, 'run' | 'started'>,
    Readonly<Record<'new' | 'still' | 'fixed' | 'untold' | 'vanished' | 'unstable', number>>,
    Readonly<Partial<Record<'found' | 'answers', number>>> {
  readonly worst: readonly string[];
}

/** A check that fails on some targets. */
export interface FleetCheck extends Pick<CheckResult, 'id' | 'area' | 'title' | 'section'> {
  readonly fail: number;
  readonly waived: number;
  readonly new: number;
  readonly targets: readonly string[];
}

/** Reads `fleet.json`. @param named the file, or the folder that holds it @throws UsageError */
export function readFleet(named: string): { readonly path: string; readonly fleet: Fleet } {
  const path = isFolder(named) ? join(named, 'fleet.json') : named;
  const document = readDocument(path, 'the fleet.json of a run');
  return { path, fleet: validated<Fleet>(path, document, 'fleet.schema.json') };
}
