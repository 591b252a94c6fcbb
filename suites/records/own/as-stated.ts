import { operationFor } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';

/**
 * Fields as the contract states them: a text that is an object goes into its member `raw`, because what a site makes of a
 * plain text in its place is silent.
 * @param collection whose records are written, or that their autosaves belong to
 * @param fields by their names on the target; a text may be given plainly
 */
export function asStated(
  contract: Contract,
  collection: string,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const parameters = (['create', 'update'] as const).flatMap(
    (role) => operationFor(contract, collection, role)?.parameters ?? [],
  );
  const texts = new Set(
    parameters.flatMap(({ wire, schema }) => (schema.properties?.raw === undefined ? [] : [wire])),
  );
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      texts.has(name) && typeof value === 'string' ? { raw: value } : value,
    ]),
  );
}
