import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder of the system's own, which goes with all that it holds where its block ends. @param purpose a word for its name */
export function temporaryFolder(purpose: string): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), `site-conformance-${purpose}-`));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
