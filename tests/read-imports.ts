import { posix } from 'node:path';

/** One import of a file: its source, and whether it vanishes when types are stripped. */
export interface Import {
  /** The name of a package, `node:…`, or a path relative to the folder of the project. */
  readonly from: string;
  readonly typeOnly: boolean;
}

const STATEMENT = /^(?:import|export)\s+(?:(type)\s)?(?:[^'"`;=]*?\bfrom\s+)?'([^']+)'/gm;
const CALL = /\bimport\(\s*['"`]([^'"`]+)['"`]/g;

/**
 * The imports of a source file, with dynamic ones and re-exports.
 * @param file its path relative to the folder of the project
 */
export function readImports(file: string, text: string): Import[] {
  const found = [
    ...[...text.matchAll(STATEMENT)].map(([, type, from = '']) => ({ from, typeOnly: type !== undefined })),
    ...[...text.matchAll(CALL)].map(([, from = '']) => ({ from, typeOnly: false })),
  ];
  return found.map(({ from, typeOnly }) => ({
    from: from.startsWith('.') ? posix.join(posix.dirname(file), from) : from,
    typeOnly,
  }));
}
