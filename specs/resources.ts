import type { LoadedFile } from './load-operations.ts';
import type { Operation, Resource } from './model.ts';
import type { ResourceRow } from './operation-file.ts';
import { SpecError } from './spec-error.ts';

/**
 * Joins the resources of the files with the operations that work on them.
 * @throws SpecError for a resource that is named but not described, described twice, or has two operations of one role.
 */
export function resourcesOf(files: readonly LoadedFile[], operations: readonly Operation[]): Resource[] {
  const rows = new Map<string, ResourceRow>();
  for (const row of files.flatMap(({ resources }) => resources)) {
    if (rows.has(row.id)) throw new SpecError(`the resource "${row.id}" is described twice`);
    rows.set(row.id, row);
  }
  const known = [...rows.keys()].join(', ');
  for (const { id, parent } of rows.values()) {
    if (parent !== undefined && !rows.has(parent))
      throw new SpecError(
        `the resource "${id}" is a child of "${parent}", which no file describes (${known})`,
      );
  }
  const roles = new Map<string, Record<string, Operation>>();
  for (const operation of operations) {
    const { id, resource, role } = operation;
    if (resource === undefined || role === undefined) continue;
    if (!rows.has(resource))
      throw new SpecError(`${id} works on the resource "${resource}", which no file describes (${known})`);
    const own = roles.get(resource) ?? {};
    if (Object.hasOwn(own, role))
      throw new SpecError(`${id} and ${own[role]?.id} are both "${role}" of the resource "${resource}"`);
    own[role] = operation;
    roles.set(resource, own);
  }
  return [...rows.values()]
    .filter(({ id }) => roles.has(id))
    .map((row) => ({
      ...row,
      operations: roles.get(row.id) ?? {},
      children: [...rows.values()].filter(({ parent }) => parent === row.id).map(({ id }) => id),
    }));
}
