import { type Dirent, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Command, Option } from 'commander';
import { member } from '../../client/json.ts';
import { type History, type HistoryOptions, historyOf, Roll } from '../../compare/history/history.ts';
import { readDocument, runIn } from '../../compare/side.ts';
import { messageOf, plural } from '../../engine/text.ts';
import { historyView } from '../../reports/views/history.ts';
import { UsageError } from '../../specs/validators.ts';
import { wholeNumber } from '../options.ts';
import type { CommandContext } from '../read-options.ts';
import { type GivenOut, showDocument, writeDocument } from '../shell/output.ts';

/** Adds the command `history`. */
export default function defineHistory(program: Command, { ends }: CommandContext): void {
  program
    .command('history')
    .description('the runs in a folder: what is new, what fails for how long, what is unstable')
    .argument('<folder>', 'has results.json files, at any depth, or other *.json files of results')
    .option('--last <n>', 'list the latest runs of each series only', wholeNumber(1, 100_000))
    .option('--one-site', 'runs of one deployment and mode are of one site, whatever their address')
    .addOption(new Option('--json', 'print history.json').conflicts('markdown'))
    .option('--markdown', 'print Markdown')
    .option('--out <dir>', 'write history.json, history.md and the page history.html into this folder')
    .action((folder, options) => ends(historyCommand(folder, options)));
}

function historyCommand(
  folder: string,
  options: GivenOut & Pick<HistoryOptions, 'last' | 'oneSite'>,
): number {
  const { last, oneSite } = options;
  const history = readHistory(folder, { last, oneSite });
  const view = historyView(history);
  writeDocument('history', history, view, options);
  return showDocument(history, view, options);
}

const MOST_NOTES = 20;

/** The history of a folder. One file is in memory at a time; other documents of ours are ignored. */
function readHistory(folder: string, options: Omit<HistoryOptions, 'repeated' | 'notes'>): History {
  const roll = new Roll();
  const runs = new Set<string>();
  const notes: string[] = [];
  let [repeated, unread] = [0, 0];
  const { files, cut } = findResults(folder);
  for (const file of files) {
    try {
      const document = readDocument(file);
      if (typeof member(document, 'kind') === 'string') continue;
      const run = runIn(file, document);
      const key = JSON.stringify([run.run.id, run.target.deployment, run.run.started]);
      if (runs.has(key)) repeated += 1;
      else roll.add(run);
      runs.add(key);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      unread += 1;
      if (unread <= MOST_NOTES)
        notes.push(`left out ${error.message.replace(file, () => relative(folder, file))}`);
    }
  }
  if (unread > MOST_NOTES) notes.push(`left out ${unread - MOST_NOTES} more files that are no results`);
  if (cut) notes.push(`the folder holds more than ${files.length} files of JSON: the others were not read`);
  if (roll.runs.length > 0) {
    const history = historyOf(roll, { ...options, repeated, notes });
    return { ...history, notes: [...history.notes, ...portNotes(history)] };
  }
  throw new UsageError(
    `${folder}: holds no results of a run (results.json, format 1)${unread === 0 ? '' : `, and ${plural(unread, 'file that is none', 'files that are none')}`}; make some with "run --out ${'<folder>'}"`,
  );
}

/** Notes about sites whose port differs in each run, because they are started for it. */
function portNotes({ series }: History): string[] {
  const alike = Map.groupBy(series, ({ target, mode }) =>
    JSON.stringify([URL.parse(target.url)?.hostname ?? target.url, target.deployment, mode]),
  );
  return [...alike.values()]
    .filter((those) => those.length > 1)
    .map(
      ([first, ...others]) =>
        `${others.length + 1} series of deployment ${first?.target.deployment} on ${URL.parse(first?.target.url ?? '')?.hostname} differ in port or path alone: with --one-site they are one`,
    );
}

const DEEPEST = 8;
/** More than a year of nightly runs of a fleet of 50. */
const MOST_FILES = 20_000;
/** Documents without a `kind` that are written next to the results of other runs. */
const OTHER_DOCUMENTS = ['summary.json', 'index.json'];
/** Folders that other tools fill with thousands of files. */
const OTHERS = new Set(['node_modules', 'allure-results', 'allure-report']);

/** In each folder `results.json`, or otherwise every `*.json`, sorted. Links are not followed, to avoid cycles. */
function findResults(folder: string): { readonly files: readonly string[]; readonly cut: boolean } {
  const files: string[] = [];
  const visit = (path: string, depth: number): void => {
    const entries = entriesOf(path, depth === 0);
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    const own = names.includes('results.json')
      ? ['results.json']
      : names.filter((name) => /^[^.].*\.json$/.test(name) && !OTHER_DOCUMENTS.includes(name));
    files.push(...own.sort().map((name) => join(path, name)));
    if (depth === DEEPEST) return;
    const inner = entries.filter(
      (entry) => entry.isDirectory() && !(entry.name.startsWith('.') || OTHERS.has(entry.name)),
    );
    for (const name of inner.map((entry) => entry.name).sort()) {
      if (files.length > MOST_FILES) return;
      visit(join(path, name), depth + 1);
    }
  };
  visit(folder, 0);
  return { files: files.slice(0, MOST_FILES), cut: files.length > MOST_FILES };
}

/** The entries of a folder; empty for a subfolder that cannot be read. */
function entriesOf(path: string, isRoot: boolean): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (!isRoot) return [];
    throw new UsageError(`${path}: cannot be read as a folder (${messageOf(error)})`);
  }
}
