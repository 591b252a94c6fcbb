import { existsSync, realpathSync } from 'node:fs';
import { type AcceptedWith, acceptIn, renewAcceptance } from '../../compare/acceptance.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { plural } from '../../engine/text.ts';
import type { AcceptedChange, WaiverFile } from '../../specs/waivers.ts';
import { readWaivers } from '../run/waivers.ts';
import { UsageError } from '../shell/errors.ts';
import { writeOutput } from '../shell/output.ts';
import { guardWords, renderWaiverFile } from './waivers.ts';

/** The options of `diff` that are about accepted changes. */
export interface AcceptOptions extends Partial<AcceptedWith> {
  readonly accept?: string;
  readonly writeAccept?: string;
}

/**
 * Marks what the file of `--accept` accepts; that of `--write-accept` is made to fit first, and made where it is not there.
 * @returns the comparison with its marks, and what was done to the file, in lines
 * @throws UsageError for a file that cannot be used, and where new entries would not say who accepts them, why and until when
 */
export function acceptChanges(
  comparison: Comparison,
  options: AcceptOptions,
  now: Date,
): { readonly comparison: Comparison; readonly done: readonly string[] } {
  const today = now.toISOString().slice(0, 'yyyy-mm-dd'.length);
  const { accept, writeAccept } = options;
  const path = writeAccept ?? accept;
  if (path === undefined) return { comparison, done: [] };
  const isNew = writeAccept !== undefined && !existsSync(writeAccept);
  const file: WaiverFile = isNew ? { format: 1, waivers: [] } : readWaivers(path);
  const { changes = [] } = file;
  const accepted = acceptIn(comparison, changes, today);
  if (writeAccept === undefined) return { comparison: accepted, done: [] };
  if (comparison.inconclusive !== undefined) {
    return { comparison: accepted, done: [`${path}: not written, for nothing can be concluded`] };
  }
  const { reason = '', owner = '', expires = '' } = options;
  const { entries, added, removed } = renewAcceptance(accepted, changes, { reason, owner, expires });
  if (added.length > 0) guardNew(options, added, today);
  writeOutput(isNew ? path : realpathSync(path), renderWaiverFile({ ...file, changes: entries }), '');
  return {
    comparison: acceptIn(comparison, entries, today),
    done: [
      ...removed.map((one) => `removes ${describe(one)}: nothing that changed needs it`),
      `${path}: ${plural(entries.length, 'accepted change')}, ${added.length} of them new`,
    ],
  };
}

function guardNew(options: AcceptOptions, added: readonly AcceptedChange[], today: string): void {
  const missing = (['owner', 'reason', 'expires'] as const).filter((name) => options[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map((name) => `--${name}`).join(', ');
    throw new UsageError(
      `--write-accept: ${plural(added.length, 'new entry', 'new entries')} would not say who accepts it, why and until when; add ${names}`,
    );
  }
  const { reason = '', owner = '', expires = '' } = options;
  guardWords({ reason, owner, expires }, today);
}

/** An entry with what would be lost with it. */
function describe({ id, about, owner, reason }: AcceptedChange): string {
  return `${id}${about === undefined ? '' : ` (${about})`}, ${owner}: ${reason}`;
}
