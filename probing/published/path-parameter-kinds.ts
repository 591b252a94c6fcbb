import { join } from 'node:path';
import type { PathParameterKind } from '../../specs/model.ts';
import { readValidated } from '../../specs/validators.ts';

/** The names of the known kinds of path parameters, by the text of their patterns. */
export type PathParameterKinds = ReadonlyMap<string, string>;

/** Reads the kinds that come with the product. */
export function pathParameterKinds(): PathParameterKinds {
  const kinds = readValidated<Readonly<Record<string, PathParameterKind>>>(
    join(import.meta.dirname, '..', '..', 'specs', 'path-parameter-kinds.json'),
    'path-parameter-kinds.schema.json',
  );
  return new Map(
    Object.entries(kinds).flatMap(([name, kind]) =>
      typeof kind === 'object' ? [[kind.pattern, name] as const] : [],
    ),
  );
}
