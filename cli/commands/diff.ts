import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { affectedClients } from '../../compare/clients/affected-calls.ts';
import { readClients } from '../../compare/clients/uses.ts';
import { type Comparison, compareSides } from '../../compare/comparison.ts';
import { acceptIn, countedOf, renewAcceptance } from '../../compare/groups/acceptance.ts';
import { type ChangeClass, CLASSES } from '../../compare/law.ts';
import { folderOf, readSide, type Side } from '../../compare/side.ts';
import { dayOf, plural } from '../../engine/text.ts';
import type { ReportFile } from '../../reports/files.ts';
import { note } from '../../reports/print.ts';
import type { View } from '../../reports/views/blocks.ts';
import { comparisonView } from '../../reports/views/comparison.ts';
import { UsageError } from '../../specs/validators.ts';
import type { AcceptedChange, WaiverFile } from '../../specs/waivers.ts';
import { type CommandContext, optionFor } from '../read-options.ts';
import { readWaivers, renderWaiverFile } from '../run/waivers.ts';
import { reportLeftovers } from '../shell/leftovers.ts';
import { type GivenOut, showDocument, writeDocument, writeOutput } from '../shell/output.ts';
import { guardWords } from './waivers.ts';

/** Adds the command `diff` */
export default function defineDiff(program: Command, { ends }: CommandContext): void {
  const command = program
    .command('diff')
    .description('what changed from one run or snapshot to another, and whether it breaks callers')
    .argument('<before>', 'results.json, snapshot.json, or a folder that holds one')
    .argument('<after>', 'the same for the later one');
  addComparisonOptions(command).action((before: string, after: string, options: ComparisonOptions) => {
    ends(diffCommand(before, after, options));
  });
}

/** Adds the options of a comparison: what it fails on, what it accepts, and how it is shown. */
export function addComparisonOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--fail-on <what>', 'the changes that end with exit code 1')
        .choices(['breaking', 'exposed', 'any', 'none'])
        .default('breaking'),
    )
    .addOption(optionFor('asClient'))
    .addOption(new Option('--json', 'print comparison.json').conflicts('markdown'))
    .option('--markdown', 'print Markdown')
    .option('--html <file>', 'write the page into this file')
    .option('--out <dir>', 'write comparison.json, comparison.md and comparison.html into this folder')
    .addOption(
      new Option('--accept <file>', 'accepted changes: visible, not counted').conflicts('writeAccept'),
    )
    .option('--write-accept <file>', 'accept what breaks callers in this file, and remove needless entries')
    .option('--reason <text>', 'with --write-accept: why')
    .option('--owner <name>', 'with --write-accept: who accepts it')
    .option('--expires <date>', 'with --write-accept: the last day of the acceptance, such as 2027-01-31');
}

/** The options of a comparison. */
export interface ComparisonOptions extends AcceptOptions, GivenOut {
  readonly failOn: 'breaking' | 'exposed' | 'any' | 'none';
  readonly asClient?: readonly string[];
}

/** @returns the exit code: 3 if nothing can be concluded, 1 if a change counts as a failure */
function diffCommand(before: string, after: string, options: ComparisonOptions): number {
  const earlier = readSide(before);
  const compared = compareSides(earlier, readSide(after));
  const code = showComparison(compared, earlier, options);
  for (const side of new Set([before, after])) reportLeftovers(folderOf(side));
  return code;
}

interface Concluded {
  readonly comparison: Comparison;
  readonly view: View;
  readonly files: readonly ReportFile[];
  readonly done: readonly string[];
  readonly code: number;
}

/** Shows a comparison. @returns the exit code */
export function showComparison(compared: Comparison, earlier: Side, options: ComparisonOptions): number {
  const { comparison, view, files, done, code } = concludeComparison(compared, earlier, options);
  showDocument(comparison, view, options, files);
  for (const line of done) note(line);
  return code;
}

/** Concludes a comparison, and writes the requested files. */
export function concludeComparison(
  compared: Comparison,
  earlier: Side,
  options: ComparisonOptions,
): Concluded {
  const clients = readClients(options.asClient);
  const { comparison: accepted, done } = acceptChanges(compared, options, new Date());
  const comparison: Comparison =
    clients.length === 0 ? accepted : { ...accepted, clients: affectedClients(accepted, clients, earlier) };
  const document = options.out === undefined ? undefined : join(options.out, 'comparison.json');
  const view = comparisonView(comparison, document);
  const files = writeDocument('comparison', comparison, view, options);
  const code = comparison.inconclusive !== undefined ? 3 : isFailing(comparison, options.failOn) ? 1 : 0;
  return { comparison, view, files, done, code };
}

const FAILING: Readonly<Record<ComparisonOptions['failOn'], readonly ChangeClass[]>> = {
  exposed: ['exposed'],
  breaking: ['exposed', 'breaking'],
  any: CLASSES,
  none: [],
};

/** Accepted changes, and those that no call of the clients meets, do not count. */
function isFailing(comparison: Comparison, failOn: ComparisonOptions['failOn']): boolean {
  const { clients } = comparison;
  const failing = FAILING[failOn];
  if (clients === undefined) return failing.some((name) => countedOf(comparison, name) > 0);
  return clients.some(
    ({ breaking, unknown }) =>
      (failing.includes('breaking') && breaking.length > 0) ||
      (failing.includes('unknown') && unknown.length > 0),
  );
}

interface AcceptOptions extends Partial<Pick<AcceptedChange, 'reason' | 'owner' | 'expires'>> {
  readonly accept?: string;
  readonly writeAccept?: string;
}

/** Marks the changes that the file accepts, after an update with `--write-accept`. @returns messages about it, too */
function acceptChanges(
  comparison: Comparison,
  options: AcceptOptions,
  now: Date,
): { readonly comparison: Comparison; readonly done: readonly string[] } {
  const today = dayOf(now);
  const { accept, writeAccept } = options;
  const path = writeAccept ?? accept;
  if (path === undefined) return { comparison, done: [] };
  const isNew = writeAccept !== undefined && !existsSync(writeAccept);
  const file: WaiverFile = isNew ? { format: 1, waivers: [] } : readWaivers(path);
  const { changes = [] } = file;
  const accepted = acceptIn(comparison, changes, today);
  if (writeAccept === undefined) return { comparison: accepted, done: [] };
  if (comparison.inconclusive !== undefined) {
    return { comparison: accepted, done: [`${path}: not written, because nothing can be concluded`] };
  }
  const { reason = '', owner = '', expires = '' } = options;
  const words = { reason, owner, expires };
  const { entries, added, removed } = renewAcceptance(accepted, changes, words);
  const missing = (['owner', 'reason', 'expires'] as const).filter((name) => options[name] === undefined);
  if (added.length > 0 && missing.length > 0) {
    throw new UsageError(
      `--write-accept: ${plural(added.length, 'new entry', 'new entries')} would not say who accepts it, why and until when; add ${missing.map((name) => `--${name}`).join(', ')}`,
    );
  }
  if (added.length > 0) guardWords(words, today);
  writeOutput(isNew ? path : realpathSync(path), renderWaiverFile({ ...file, changes: entries }), '');
  return {
    comparison: acceptIn(comparison, entries, today),
    done: [
      // With the words of the entry, which are lost with it.
      ...removed.map(
        ({ id, about, owner: by, reason: why }) =>
          `removes ${id}${about === undefined ? '' : ` (${about})`}, ${by}: ${why}: nothing that changed needs it`,
      ),
      `${path}: ${plural(entries.length, 'accepted change')}, ${added.length} of them new`,
    ],
  };
}
