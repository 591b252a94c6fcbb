import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { once } from './memoized.ts';
import type { Basis } from './operation-file.ts';
import { readValidated, UsageError } from './validators.ts';

/** What a reimplementation may claim. Each level includes those before it. */
export type Level = 'index' | 'read' | 'write' | 'full';

/** The levels, the lowest first. */
export const LEVELS: readonly Level[] = ['index', 'read', 'write', 'full'];

/** A check that a release of the contract requires. */
export interface ReleasedCheck {
  readonly level: Level;
  readonly basis: Basis;
  /** Different bases, by deployment and vocabulary, such as `b wordpress`. */
  readonly basisIn?: Readonly<Record<string, Basis>>;
  /** The beginning of a digest of its contents. */
  readonly asks: string;
  readonly requirements: readonly string[];
  /** The deployments that have it. */
  readonly in: readonly string[];
  /** Whether it is met even if inconclusive. */
  readonly untold?: true;
}

/** The file of a release: its changes to the previous release (`contract-release.schema.json`). */
export interface ReleaseFile {
  readonly format: 1;
  readonly version: string;
  /** The previous release; absent in the first. */
  readonly after?: string;
  /** The digests of the contracts, by deployment and vocabulary. */
  readonly contracts: Readonly<Record<string, string>>;
  readonly added: Readonly<Record<string, ReleasedCheck>>;
  readonly dropped: readonly string[];
  readonly changed: Readonly<Record<string, ReleasedCheck>>;
}

/** A release of the contract with all of its checks. */
export interface Release {
  readonly version: string;
  readonly contracts: Readonly<Record<string, string>>;
  readonly checks: ReadonlyMap<string, ReleasedCheck>;
}

/** The folder of the releases. */
export const RELEASES_FOLDER: string = join(import.meta.dirname, 'releases');

/** All releases of the contract, the oldest first. @throws UsageError for files that break their schema */
export const loadReleases: () => readonly Release[] = once(() => foldReleases(readReleaseFiles()));

/** The files of the releases, the oldest first. @throws UsageError for a wrong one, or one without predecessor */
export function readReleaseFiles(): ReleaseFile[] {
  const files = readdirSync(RELEASES_FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readValidated<ReleaseFile>(join(RELEASES_FOLDER, name), 'contract-release.schema.json'));
  const sorted: ReleaseFile[] = [];
  for (let last: string | undefined; sorted.length < files.length; last = sorted.at(-1)?.version) {
    const next = files.filter(({ after }) => after === last);
    if (next.length !== 1 || next[0] === undefined) {
      throw new UsageError(
        `${RELEASES_FOLDER}: ${next.length} releases follow ${last ?? 'nothing'}, expected one`,
      );
    }
    sorted.push(next[0]);
  }
  return sorted;
}

/** Computes the checks of each release from the changes. @param files the oldest first */
export function foldReleases(files: readonly ReleaseFile[]): Release[] {
  let checks: ReadonlyMap<string, ReleasedCheck> = new Map();
  return files.map(({ version, contracts, added, dropped, changed }) => {
    const gone = new Set(dropped);
    checks = new Map([
      ...[...checks].filter(([id]) => !gone.has(id)),
      ...Object.entries(added),
      ...Object.entries(changed),
    ]);
    return { version, contracts, checks };
  });
}

/** The name of a contract within a release. */
export function contractKey({ deployment, vocabulary }: { deployment: string; vocabulary: string }): string {
  return `${deployment} ${vocabulary}`;
}

/** Whether a level includes another one. */
export function includesLevel(level: Level, required: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(required);
}
