import type { LoadedFile, LoadedOperation } from './load-operations.ts';
import type { OperationRow, ParameterSet } from './operation-file.ts';
import { closest, SpecError } from './validators.ts';

/** What a site publishes otherwise than a built-in operation file says: there the site's own words are the measure. */
export interface Amendment {
  /** False where the site does not serve the operation: nothing is asked of it. */
  readonly served?: false;
  readonly methods?: OperationRow['methods'];
  readonly batchable?: boolean;
  readonly captures?: NonNullable<OperationRow['captures']>;
  /** Parameters as the site declares them, in place of those of the file. */
  readonly parameters?: ParameterSet;
  /** Parameters of the file that the site does not declare. */
  readonly without?: readonly string[];
}

/** Amendments by the ids of operations. */
export type Amendments = Readonly<Record<string, Amendment>>;

/**
 * Operation files with the amendments of a deployment.
 * @param deployment its name, for a reader
 * @throws SpecError for an amendment of an operation that no file has
 */
export function amendFiles(
  files: readonly LoadedFile[],
  amendments: Amendments,
  deployment: string,
): readonly LoadedFile[] {
  const ids = files.flatMap(({ operations }) => operations.map(({ row }) => row.id));
  for (const id of Object.keys(amendments)) {
    if (ids.includes(id)) continue;
    const near = closest(id, ids);
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    throw new SpecError(
      `deployment ${deployment}: instead names "${id}", which no operation file has${hint}`,
    );
  }
  return files.map((file) => ({
    ...file,
    operations: file.operations.flatMap((loaded) => {
      const amendment = Object.hasOwn(amendments, loaded.row.id) ? amendments[loaded.row.id] : undefined;
      return amendment === undefined ? [loaded] : amended(loaded, amendment);
    }),
  }));
}

function amended(loaded: LoadedOperation, amendment: Amendment): LoadedOperation[] {
  const { served, methods, batchable, captures, without = [], parameters: own = {} } = amendment;
  if (served === false) return [];
  const published = Object.entries(own.properties ?? {}).map(
    ([name, schema]) => [name, { ...schema, 'x-section': 'published', 'x-basis': 'published' }] as const,
  );
  const replaced = new Set([...without, ...published.map(([name]) => name)]);
  const kept = Object.entries(loaded.parameters).filter(([name]) => !replaced.has(name));
  return [
    {
      row: {
        ...loaded.row,
        ...(methods !== undefined && { methods }),
        ...(batchable !== undefined && { batchable }),
        ...(captures !== undefined && { captures: { ...loaded.row.captures, ...captures } }),
      },
      parameters: Object.fromEntries([...kept, ...published]),
      required: [...loaded.required.filter((name) => !replaced.has(name)), ...(own.required ?? [])],
      absent: loaded.absent.filter(({ name }) => !replaced.has(name)),
    },
  ];
}
