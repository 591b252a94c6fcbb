import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalState, readJournal } from '../../client/journal.ts';
import { isFolder } from '../../compare/side.ts';
import { plural, visibleLine } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import { findResource } from '../../specs/find-resource.ts';
import type { Contract } from '../../specs/model.ts';
import { cleanLine } from '../run/suggest.ts';
import { isAlive } from './lock-folder.ts';

/** The folder of the journals, below one for reports. */
export const JOURNALS = 'journals';
/** Some hundred thousand records; what is larger, or is a pipe or a device, no run wrote. */
const LARGEST_JOURNAL = 64_000_000;
/** The folders of a fleet, and below each those of runs that repeat another. */
const DEEPEST = 2;
/** Folders of other tools may be large, and hold no journals. */
const FOREIGN: ReadonlySet<string> = new Set(['node_modules', 'allure-results', '.git']);

/** A journal that stands: of a run that goes on, or of one that may have left something. */
export interface FoundJournal {
  readonly path: string;
  readonly state: JournalState;
  /** The folder for reports that it is below. */
  readonly folder: string;
}

/** The journals of one folder for reports that can be read. */
export function journalsIn(folder: string): FoundJournal[] {
  return namesIn(join(folder, JOURNALS))
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => {
      const path = join(folder, JOURNALS, name);
      try {
        const about = statSync(path);
        if (!about.isFile() || about.size > LARGEST_JOURNAL) return [];
        return [{ path, folder, state: readJournal(path) }];
      } catch {
        // A journal that died before its first line was whole has created nothing.
        return [];
      }
    });
}

/** The journals of a folder for reports, and of those below it that a fleet or the repetition of a run filled. */
export function journalsBelow(folder: string, depth: number = DEEPEST): FoundJournal[] {
  const own = journalsIn(folder);
  if (depth === 0) return own;
  const inside = namesIn(folder).filter((name) => name !== JOURNALS && !FOREIGN.has(name));
  return [...own, ...inside.flatMap((name) => journalsBelow(join(folder, name), depth - 1))];
}

/** Whether the run of a journal goes on, this process included. A number is used again: what began before this process is not its own. */
export function isUnderWay({ state: { head } }: FoundJournal): boolean {
  if (head.pid !== process.pid) return isAlive(head.pid);
  return Date.parse(head.started) >= Math.floor(performance.timeOrigin);
}

/** Says on standard error what runs that ended without cleaning up have left, as far as a folder for reports knows, in a line for each with the command that cleans. */
export function reportLeftovers(folder: string): void {
  for (const journal of journalsBelow(folder).filter((one) => !isUnderWay(one)))
    for (const line of describeLeft(journal)) print(process.stderr, `${line}\n`);
}

/** How many uploads of a run ended without a record, as after a server error: software may keep the file of each. */
export function uploadsWithoutRecord(contract: Contract, { unanswered }: JournalState): number {
  return unanswered.filter(({ collection }) => findResource(contract, collection)?.kind === 'uploads').length;
}

/** One line about the records that a run may have left; none where its journal names none. */
export function describeLeft({ state, folder }: FoundJournal): string[] {
  const { head, left, unanswered } = state;
  const counts = new Map<string, number>();
  for (const { collection } of [...left, ...unanswered]) {
    counts.set(collection, (counts.get(collection) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const all = left.length + unanswered.length;
  const each = [...counts].map(([collection, count]) => `${count} ${collection}`).join(', ');
  return [
    visibleLine(
      `run ${head.run} left up to ${plural(all, 'record')} on ${head.target} (${each}); to remove them: ${cleanLine(head, folder)}`,
    ),
  ];
}

function namesIn(folder: string): string[] {
  if (!isFolder(folder)) return [];
  try {
    return readdirSync(folder);
  } catch {
    // What cannot be read, nobody here has written.
    return [];
  }
}
