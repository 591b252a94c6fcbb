import { addAbortListener } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Redactor } from '../../client/redact.ts';
import { TargetError } from '../../client/target-error.ts';
import type { Blamed, SiteReading } from '../../compare/blame/ask.ts';
import { areDeclared, blamedIn, shownBetween } from '../../compare/blame/ask.ts';
import type { BlameDocument, ReadingExtent } from '../../compare/blame/document.ts';
import { findSteps, type Steps } from '../../compare/blame/search.ts';
import { type Comparison, compareSides, readComparison } from '../../compare/comparison.ts';
import type { Side } from '../../compare/side.ts';
import { listed, messageOf, plural } from '../../engine/text.ts';
import { jsonText } from '../../reports/files.ts';
import { note } from '../../reports/print.ts';
import type { RunSettings } from '../options.ts';
import { interruptible } from '../shell/on-interrupt.ts';
import { writeOutput } from '../shell/output.ts';
import { settleOne } from './configure.ts';
import { CommandFailed, type NamedCommand, SteppedSite } from './stepped-site.ts';

const EXTENTS: readonly [ReadingExtent, ...ReadingExtent[]] = ['requests', 'routes', 'everything'];
/** How many readings of one state of a site must agree, by extent, because complete readings take long. */
const READINGS: Readonly<Record<ReadingExtent, number>> = { requests: 3, routes: 2, everything: 2 };
/** How many further readings are made if they do not agree, to report how often a change shows. */
const MORE = 3;
const MOST_NAMED = 4;

/** What a search runs, how long it waits, and where it keeps what it finds. */
export interface SearchOptions {
  readonly change: string;
  readonly reset: string;
  readonly step: readonly NamedCommand[];
  readonly stepTimeout: number;
  readonly siteTimeout: number;
  readonly out: string;
}

/** Nothing can be concluded, and why. */
class Inconclusive extends Error {
  override readonly name: string = 'Inconclusive';
}

interface BlameSearch {
  readonly site: SteppedSite;
  readonly document: BlameDocument;
  readonly keep: () => void;
}

interface Against extends BlameSearch {
  readonly base: SiteReading;
  readonly extent: ReadingExtent;
  readonly blamed: readonly Blamed[];
}

/** The change that a site no longer answers, for a search for any breaking change. */
const DOWN: Blamed = {
  id: 'down',
  headline: 'the site does not answer its index any more',
  changes: [],
};

/** Searches, stores the result in the document, and resets the site. @returns whether the reset worked */
export async function blame(task: {
  readonly options: SearchOptions;
  readonly given: RunSettings;
  readonly before: Side;
  readonly document: BlameDocument;
  /** Writes the document. */
  readonly keep: () => void;
  readonly hide: Redactor;
  /** The changes to explain; undefined if one complete run is to find them. */
  readonly blamed: readonly Blamed[] | undefined;
}): Promise<boolean> {
  const { options, given, document, keep, hide } = task;
  using stopping = interruptible(() => leaveAtOnce(site));
  const site = new SteppedSite({
    reset: { name: '--reset', command: options.reset },
    steps: options.step,
    timeouts: { command: options.stepTimeout, site: options.siteTimeout },
    config: await settleOne(given),
    settings: given,
    hide,
    signal: stopping.signal,
    spent: document.spent,
  });
  using _noting = addAbortListener(stopping.signal, () =>
    note('interrupted: the command under way ends, and the site is reset; once more leaves it as it is'),
  );
  let found: SiteReading | undefined;
  try {
    found = await site.read('requests', []).catch((error: unknown) => {
      if (!(error instanceof TargetError)) throw error;
      return undefined;
    });
    const blamed = task.blamed ?? (await learn(options, task.before, document, site));
    document.blamed = blamed.map(({ id, headline }) => ({ id, headline }));
    keep();
    await searchSteps({ site, document, keep }, blamed);
  } catch (error) {
    const reason = stopping.signal.aborted
      ? 'interrupted; the same command goes on from what is known'
      : reasonOf(error, hide);
    if (reason === undefined) throw error;
    document.inconclusive = reason;
  } finally {
    const left = await leave(site, found);
    if (left !== undefined) document.left = left;
    keep();
  }
  return site.has !== undefined;
}

/** Why nothing can be concluded; undefined for a fault of the suite. */
function reasonOf(error: unknown, hide: Redactor): string | undefined {
  if (error instanceof Inconclusive || error instanceof CommandFailed) return error.message;
  return error instanceof TargetError ? hide(error.message) : undefined;
}

/** Finds what all steps together change, with one complete run. A comparison of an interrupted search is reused. */
async function learn(
  options: SearchOptions,
  before: Side,
  document: BlameDocument,
  site: SteppedSite,
): Promise<readonly Blamed[]> {
  const path = join(options.out, 'comparison.json');
  const { change } = options;
  let comparison: Comparison;
  if (document.blamed !== undefined && existsSync(path)) comparison = readComparison(path);
  else {
    note('all steps are applied, and everything is run once, to see what they change');
    await site.go([], true);
    await site.go(options.step.map((_, at) => at));
    const extent = before.run === undefined ? 'requests' : 'everything';
    try {
      comparison = compareSides(before, (await site.read(extent, [])).side);
    } catch (error) {
      if (error instanceof TargetError && change === 'any') return [DOWN];
      throw error;
    }
    writeOutput(path, jsonText(comparison));
  }
  const blamed = blamedIn(comparison, change);
  if (blamed.length > 0) return blamed;
  throw new Inconclusive(
    `all steps together do not show ${change === 'any' ? 'any change that breaks' : change}: ${path} has what they change`,
  );
}

/** Resets the site. @returns how it differs from its initial state */
async function leave(site: SteppedSite, found: SiteReading | undefined): Promise<string | undefined> {
  try {
    await site.leave();
    if (found === undefined) return undefined;
    const { changes } = compareSides(found.side, (await site.read('requests', [])).side);
    if (changes.length === 0) return undefined;
    return `the site is as the reset makes it, which is not as it was found: its index differs in ${plural(changes.length, 'thing')}, such as ${changes[0]?.place} ${changes[0]?.subject}`;
  } catch (error) {
    return `the site could not be reset at the end (${messageOf(error)}): reset it by hand`;
  }
}

/** The second interruption: nothing is reset, and the applied steps are named. */
function leaveAtOnce({ has }: SteppedSite): never {
  const state = has === undefined ? 'some of the steps' : has.length === 0 ? 'no step' : has.join(', ');
  note(`left at once: the site has ${state}; reset it by hand`);
  process.exit(3);
}

/**
 * Finds the steps that cause a change, and confirms them: it does not show without them, and shows with them alone.
 * @throws Inconclusive, CommandFailed of the reset, TargetError if the site does not answer after it
 */
async function searchSteps(search: BlameSearch, blamed: readonly Blamed[]): Promise<void> {
  const { document, keep } = search;
  const all = document.steps.map((_, at) => at);
  const against = await againstFor(search, blamed, all);
  // Changes that a reset does not undo would be attributed to the next steps.
  const residue = await readSure(against, []);
  if (residue.length > 0) {
    throw new Inconclusive(
      `the reset does not bring the earlier site back: ${headlineOf(residue[0], blamed)} shows after it, because all steps were applied before`,
    );
  }
  const found = await findSteps(all.length, (some) => tested(against, some));
  const names = namesOf(found.steps, document);
  note(`confirming ${names.join(' with ')}`);
  const without = await readSure(against, []);
  const withThem = await readSure(against, found.steps);
  const problem = without.includes(found.id)
    ? 'shows without any step'
    : !withThem.includes(found.id) && `does not show again with ${names.join(' and ')}`;
  if (problem) throw new Inconclusive(`unstable: ${headlineOf(found.id, blamed)} ${problem}`);
  document.found = {
    id: found.id,
    headline: headlineOf(found.id, blamed),
    steps: names,
    others: withThem.filter((id) => id !== found.id).map((id) => headlineOf(id, blamed)),
  };
  keep();
}

function namesOf(steps: Steps, { steps: names }: BlameDocument): string[] {
  return steps.map((at) => names[at] ?? '');
}

function headlineOf(id: string | undefined, blamed: readonly Blamed[]): string {
  return blamed.find((one) => one.id === id)?.headline ?? id ?? '';
}

/** Finds the smallest extent in which the change shows with all steps, and not without any. */
async function againstFor(search: BlameSearch, blamed: readonly Blamed[], all: Steps): Promise<Against> {
  const { document, site, keep } = search;
  const [first] = EXTENTS;
  const extents = document.extent !== undefined ? [document.extent] : areDeclared(blamed) ? [first] : EXTENTS;
  for (const extent of extents) {
    await site.go([], true);
    const base = await site.read(extent, blamed);
    const atBase = await readShown({ ...search, base, extent, blamed }, []);
    const still = blamed.filter(({ id }) => !atBase.shown.includes(id) && !atBase.doubtful.has(id));
    if (still.length === 0) {
      throw new Inconclusive(
        `unstable: ${headlineOf(blamed[0]?.id, blamed)} comes and goes without any step: readings of the same site differ in it`,
      );
    }
    const against = { ...search, base, extent, blamed: still };
    const shown = await tested(against, all);
    if (shown.length > 0) {
      document.extent = extent;
      keep();
      return { ...against, blamed: still.filter(({ id }) => shown.includes(id)) };
    }
    document.tests = [];
    if (extent !== extents.at(-1)) note('few requests do not show it: more is asked');
  }
  throw new Inconclusive(
    `all steps together do not show ${blamed.length === 1 ? headlineOf(blamed[0]?.id, blamed) : 'any of the changes'}: something else brought it about, or the reset does not bring the earlier site back`,
  );
}

async function tested(search: Against, steps: Steps): Promise<readonly string[]> {
  const { document, keep } = search;
  const names = namesOf(steps, document);
  const known = document.tests.find((one) => one.steps.join('\0') === names.join('\0'));
  if (known !== undefined) return known.shown;
  const test = await testNow(search, steps, names);
  document.tests.push(test);
  keep();
  const what = test.failed ?? (test.shown.length === 0 ? 'does not show' : 'shows');
  note(`${plural(steps.length, 'step')} of ${document.steps.length}: ${what}`);
  return test.shown;
}

async function testNow(
  search: Against,
  steps: Steps,
  names: readonly string[],
): Promise<BlameDocument['tests'][number]> {
  const isAll = steps.length === search.document.steps.length;
  try {
    const { shown, doubtful } = await readShown(search, steps);
    const [first] = doubtful;
    // Of several changes, only the stable ones count.
    if (first !== undefined && !(isAll && shown.length > 0)) throw unstable(search, steps, first);
    return { steps: names, shown, readings: READINGS[search.extent] };
  } catch (error) {
    if (error instanceof CommandFailed && !isAll && names.includes(error.step)) {
      // A step that fails without another one shows nothing.
      return { steps: names, shown: [], readings: 0, failed: error.message };
    }
    if (!(error instanceof TargetError)) throw error;
    const isWanted = search.blamed.includes(DOWN);
    if (isAll && !isWanted) {
      throw new Inconclusive(`with all steps the site does not answer: ${error.message}`);
    }
    const failed = `the site does not answer: ${error.message}`;
    return { steps: names, shown: isWanted ? [DOWN.id] : [], readings: 1, ...(!isWanted && { failed }) };
  }
}

/** The changes that every reading shows, and how often each of those that only some show. */
async function readShown({ site, base, extent, blamed }: Against, steps: Steps) {
  await site.go(steps);
  const readings: (readonly string[])[] = [];
  const read = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      readings.push(shownBetween(base, await site.read(extent, blamed), blamed));
    }
  };
  const timesOf = (id: string): number => readings.filter((ids) => ids.includes(id)).length;
  const isDoubtful = ({ id }: Blamed): boolean => timesOf(id) > 0 && timesOf(id) < readings.length;
  await read(READINGS[extent]);
  if (blamed.some(isDoubtful)) await read(MORE);
  const shown = blamed.flatMap(({ id }) => (timesOf(id) === readings.length ? [id] : []));
  const doubtful = blamed.filter(isDoubtful).map(({ id }) => [id, [timesOf(id), readings.length]] as const);
  return { shown, doubtful: new Map(doubtful) };
}

async function readSure(search: Against, steps: Steps): Promise<readonly string[]> {
  const { shown, doubtful } = await readShown(search, steps);
  const [first] = doubtful;
  if (first !== undefined) throw unstable(search, steps, first);
  return shown;
}

function unstable(
  { document, blamed }: Against,
  steps: Steps,
  [id, [times, readings]]: readonly [string, readonly [number, number]],
): Inconclusive {
  const names = namesOf(steps, document);
  const state = names.length === 0 ? 'without any step' : `with ${listed(names, MOST_NAMED)}`;
  return new Inconclusive(
    `unstable: ${headlineOf(id, blamed)} shows in ${times} of ${readings} readings ${state}, and nothing was changed between them`,
  );
}
