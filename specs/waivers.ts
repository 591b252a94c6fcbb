import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readValidated } from './validators.ts';
import { loadVersions, sinceOf } from './versions/versions.ts';

/** An accepted failure (`waivers.schema.json`). Members that begin with `x-` are the user's own. */
export interface Waiver {
  /** The id of a check, which stands for that check alone, or a glob of ids. */
  readonly check: string;
  /** The id of one finding of that check, or a glob of such ids; without it the whole check is meant. */
  readonly finding?: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it counts, as an ISO date. */
  readonly expires: string;
  readonly firstSeen?: string;
  readonly lastSeen?: string;
  readonly seenWith?: { readonly tool?: string; readonly contract?: string };
  /** The software to which it applies, each with its version. */
  readonly versions?: readonly string[];
  readonly link?: string;
}

/** A change from one run to another that is accepted. Members that begin with `x-` are the user's own. */
export interface AcceptedChange {
  /** The id of a change or of a cause, as `diff` says it. */
  readonly id: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it counts, as an ISO date; not needed where `announced` has one. */
  readonly expires?: string;
  /** The day until which an announced change is accepted. */
  readonly announced?: string;
  /** What changed, in one sentence for people; it has no effect. */
  readonly about?: string;
  /** The kind of the change, by which it is known whether a comparison would have shown it. */
  readonly kind?: string;
  readonly firstSeen?: string;
  readonly lastSeen?: string;
  readonly link?: string;
}

/** The last day on which an accepted change counts, as an ISO date: the earlier of those that its entry has. */
export function lastDayOf({ expires, announced }: AcceptedChange): string {
  const [first = ''] = [expires, announced].filter((day) => day !== undefined).toSorted();
  return first;
}

/** A file of waivers, format 1. */
export interface WaiverFile {
  readonly format: 1;
  readonly waivers: readonly Waiver[];
  /** What `diff` accepts. */
  readonly changes?: readonly AcceptedChange[];
}

/** The schema of such a file. */
export const WAIVERS_SCHEMA = 'waivers.schema.json';

const SHIPPED: string = join(import.meta.dirname, 'waivers');

/** What a waiver is called in reports. */
export function waiverName({ check, finding }: Waiver): string {
  return finding ?? check;
}

/**
 * The failures that are known of published software: the waivers that a run names as `known`.
 * @param software the software with its version, where it is named: what a later version was the first to keep is known of it too
 */
export function knownWaivers(software?: string): Waiver[] {
  const shipped = readdirSync(SHIPPED)
    .toSorted()
    .flatMap((name) => readShipped(join(SHIPPED, name)));
  return software === undefined ? shipped : [...shipped, ...laterWaivers(software)];
}

/** The last day of what stands in no file. */
const LAST_DAY = '2028-12-31';

/** What a version fails because a later one was the first to keep it. */
function laterWaivers(software: string): Waiver[] {
  const versions = loadVersions();
  const at = versions?.runs.findIndex(({ version }) => isVersion(software, versions.software, version)) ?? -1;
  const [run, ...later] = versions?.runs.slice(at) ?? [];
  if (versions === undefined || run === undefined || at === -1 || later.length === 0) return [];
  return Object.entries(versions.verdicts).flatMap(([letters, ids]) => {
    const since = letters[at] === 'f' ? sinceOf(versions, letters) : undefined;
    if (since === undefined) return [];
    return ids.map((check) => ({
      check,
      reason: `${versions.software} keeps it since ${since.version}: ${versions.failures[check] ?? ''}`,
      owner: versions.software,
      expires: LAST_DAY,
      firstSeen: run.day,
      lastSeen: run.day,
      versions: [software],
    }));
  });
}

/** Whether a software with its version is one that was tried, as far as the first two numbers say it. */
function isVersion(named: string, software: string, version: string): boolean {
  const [, tried = ''] = /^(\d+\.\d+)/.exec(version) ?? [];
  const name = `${software} ${tried}`.toLowerCase();
  return named.toLowerCase().startsWith(name) && !/^\d/.test(named.slice(name.length));
}

/** Those of the software that speaks a vocabulary, by the name of that vocabulary; none where none are known. */
export function knownIn(vocabulary: string): readonly Waiver[] {
  const path = join(SHIPPED, `${vocabulary}.json`);
  return /^[a-z]+$/.test(vocabulary) && existsSync(path) ? readShipped(path) : [];
}

function readShipped(path: string): readonly Waiver[] {
  return readValidated<WaiverFile>(path, WAIVERS_SCHEMA).waivers;
}
