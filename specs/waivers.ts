import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readValidated } from './validators.ts';
import { loadVersions, sinceOf } from './versions/versions.ts';

/** Who accepts something, and why. Members that begin with `x-` are the user's own. */
interface Acceptance {
  readonly reason: string;
  readonly owner: string;
  readonly firstSeen?: string;
  readonly lastSeen?: string;
  readonly link?: string;
}

/** An accepted failure (`waivers.schema.json`). */
export interface Waiver extends Acceptance {
  /** The id of a check, for that check alone, or a glob of ids. */
  readonly check: string;
  /** The id of one finding of that check, or a glob of such ids; without it, all findings. */
  readonly finding?: string;
  /** The last day on which it applies, as an ISO date. */
  readonly expires: string;
  readonly seenWith?: { readonly tool?: string; readonly contract?: string };
  /** The software with its versions to which it applies. */
  readonly versions?: readonly string[];
}

/** An accepted change between two runs. */
export interface AcceptedChange extends Acceptance {
  /** The id of a change or a cause, as shown by `diff`. */
  readonly id: string;
  /** The last day on which it applies, as an ISO date; optional with `announced`. */
  readonly expires?: string;
  /** The day until which an announced change is accepted. */
  readonly announced?: string;
  /** The change in one sentence for people, without effect. */
  readonly about?: string;
  /** The kind of change, to tell whether a comparison would have shown it. */
  readonly kind?: string;
}

/** The last day on which an accepted change applies, as an ISO date: the earlier of its two dates. */
export function lastDayOf({ expires, announced }: AcceptedChange): string {
  const [first = ''] = [expires, announced].filter((day) => day !== undefined).toSorted();
  return first;
}

/** A file of waivers, format 1. */
export interface WaiverFile {
  readonly format: 1;
  readonly waivers: readonly Waiver[];
  readonly changes?: readonly AcceptedChange[];
}

/** The schema of such a file. */
export const WAIVERS_SCHEMA = 'waivers.schema.json';

const SHIPPED: string = join(import.meta.dirname, 'waivers');

/** The name of a waiver in reports. */
export function waiverName({ check, finding }: Waiver): string {
  return finding ?? check;
}

/** The known failures of published software (`known`). @param software with version, adds what a later one fixed */
export function knownWaivers(software?: string): Waiver[] {
  const shipped = readdirSync(SHIPPED)
    .toSorted()
    .flatMap((name) => readShipped(join(SHIPPED, name)));
  return software === undefined ? shipped : [...shipped, ...laterWaivers(software)];
}

/** The expiry date of waivers that are not in a file. */
const LAST_DAY = '2028-12-31';

function laterWaivers(software: string): Waiver[] {
  const versions = loadVersions();
  const at = versions.runs.findIndex(({ version }) => isVersion(software, versions.software, version));
  const run = versions.runs[at];
  if (run === undefined || at === versions.runs.length - 1) return [];
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

/** Whether a software with its version is one of the known ones, judged by the first two numbers. */
function isVersion(named: string, software: string, version: string): boolean {
  const [, tried = ''] = /^(\d+\.\d+)/.exec(version) ?? [];
  const name = `${software} ${tried}`.toLowerCase();
  return named.toLowerCase().startsWith(name) && !/^\d/.test(named.slice(name.length));
}

/** The known failures of the software behind a vocabulary, by its name. */
export function knownIn(vocabulary: string): readonly Waiver[] {
  const path = join(SHIPPED, `${vocabulary}.json`);
  return /^[a-z]+$/.test(vocabulary) && existsSync(path) ? readShipped(path) : [];
}

function readShipped(path: string): readonly Waiver[] {
  return readValidated<WaiverFile>(path, WAIVERS_SCHEMA).waivers;
}
