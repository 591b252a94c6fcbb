import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalState, readJournal } from '../../client/journal.ts';
import { isFolder } from '../../compare/side.ts';
import { plural, visibleLine } from '../../engine/text.ts';
import { note } from '../../reports/print.ts';
import { findResource } from '../../specs/find-resource.ts';
import type { Contract } from '../../specs/model.ts';
import { cleanLine } from '../run/suggest.ts';
import { isAlive } from './lock-folder.ts';

/** The folder of the journals, below one for reports. */
export const JOURNALS = 'journals';
/** Larger than some hundred thousand records. Anything larger, and pipes and devices, are not from a run. */
const LARGEST_JOURNAL = 64_000_000;
/** The depth of journals: the folders of a fleet, and below each those of repeated runs. */
const DEEPEST = 2;
/** Large folders of other tools without journals. */
const FOREIGN: ReadonlySet<string> = new Set(['node_modules', 'allure-results', '.git']);

/** An existing journal: its run is running, or may have left records. */
export interface FoundJournal {
  readonly path: string;
  readonly state: JournalState;
  readonly folder: string;
}

function journalsIn(folder: string): FoundJournal[] {
  return namesIn(join(folder, JOURNALS))
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => {
      const path = join(folder, JOURNALS, name);
      try {
        const about = statSync(path);
        if (!about.isFile() || about.size > LARGEST_JOURNAL) return [];
        return [{ path, folder, state: readJournal(path) }];
      } catch {
        // A journal without a complete first line belongs to a run that created nothing.
        return [];
      }
    });
}

/** The journals of a folder for reports, and of its subfolders from a fleet or a repeated run, unless `depth` is 0. */
export function journalsBelow(folder: string, depth: number = DEEPEST): FoundJournal[] {
  const own = journalsIn(folder);
  if (depth === 0) return own;
  const inside = namesIn(folder).filter((name) => name !== JOURNALS && !FOREIGN.has(name));
  return [...own, ...inside.flatMap((name) => journalsBelow(join(folder, name), depth - 1))];
}

/** Whether the run of a journal goes on. Numbers are reused: one that began before this process is another. */
export function isUnderWay({ state: { head } }: FoundJournal): boolean {
  if (head.pid !== process.pid) return isAlive(head.pid);
  return Date.parse(head.started) >= Math.floor(performance.timeOrigin);
}

/** Prints for each dead run in a folder for reports what it left, and the command that removes it. */
export function reportLeftovers(folder: string): void {
  const dead = journalsBelow(folder).filter((one) => !isUnderWay(one));
  for (const line of dead.flatMap(describeLeft)) note(line);
}

/** Prints the same for every run, also this one, which is about to exit. */
export function reportLeftAtOnce(folder: string): void {
  for (const line of journalsBelow(folder).flatMap(describeLeft)) note(`left at once: ${line}`);
}

/** How many uploads of a run created no record, such as after a server error; software may keep their files. */
export function uploadsWithoutRecord(contract: Contract, { unanswered }: JournalState): number {
  return unanswered.filter(({ collection }) => findResource(contract, collection)?.kind === 'uploads').length;
}

function describeLeft({ state, folder }: FoundJournal): string[] {
  const { head, left, unanswered } = state;
  const all = [...left, ...unanswered];
  const each = [...Map.groupBy(all, ({ collection }) => collection)].map(
    ([collection, own]) => `${own.length} ${collection}`,
  );
  const line = `run ${head.run} left up to ${plural(all.length, 'record')} on ${head.target} (${each.join(', ')}); to remove them: ${cleanLine(head, folder)}`;
  return all.length === 0 ? [] : [visibleLine(line)];
}

function namesIn(folder: string): string[] {
  if (!isFolder(folder)) return [];
  try {
    return readdirSync(folder);
  } catch {
    // Unreadable files are not journals of this user.
    return [];
  }
}
