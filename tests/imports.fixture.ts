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

/**
 * Groups of files that import each other in a circle, each sorted.
 * @param imports the imports of each file; names without an entry are ignored
 */
export function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const queue = [...(imports.get(from) ?? [])];
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      queue.push(...(imports.get(file) ?? []));
    }
    return seen;
  };
  const reached = new Map([...imports.keys()].map((file) => [file, reach(file)]));
  const groups = new Set(
    [...reached]
      .filter(([file, all]) => all.has(file))
      .map(([file, all]) =>
        [...all]
          .filter((other) => reached.get(other)?.has(file) === true)
          .toSorted()
          .join('\n'),
      ),
  );
  return [...groups].map((group) => group.split('\n'));
}
