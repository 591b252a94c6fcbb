import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdsSecret, type Redactor, redactJson } from '../client/redact.ts';

/** The index of a run on the disk. */
export interface KeptIndex {
  /** The file that the checks read: the index as it came. */
  readonly file: string;
  /** Takes away what is not a report. */
  release(): void;
}

/**
 * Writes the index as a report, masked. What is judged is the index as it came: where masking changed anything, that is
 * kept apart in a file of this user alone, until `release`.
 * @param path where the report goes
 * @param document what `text` was parsed to
 */
export function keepIndex(path: string, document: unknown, text: string, redact: Redactor): KeptIndex {
  if (!holdsSecret(document, redact)) {
    writeFileSync(path, text);
    return { file: path, release: () => undefined };
  }
  // Masked value by value and written anew: masking a text could leave something that is no JSON.
  writeFileSync(path, JSON.stringify(redactJson(document, redact)));
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-index-'));
  const file = join(folder, 'index.json');
  writeFileSync(file, text, { mode: 0o600 });
  return { file, release: () => rmSync(folder, { recursive: true, force: true }) };
}
