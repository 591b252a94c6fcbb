import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new temporary folder, removed with its contents at the end of its block. @param purpose a word for its name */
export function temporaryFolder(purpose: string): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), `site-conformance-${purpose}-`));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
