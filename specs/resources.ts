import type { LoadedFile } from './load-operations.ts';
import type { Operation, Resource } from './model.ts';
import type { ResourceRow } from './operation-file.ts';
import { SpecError } from './spec-error.ts';

/** The resources that the files of a deployment describe. */
export interface ResourceRows {
  readonly all: readonly ResourceRow[];
  /**
   * The resource that an operation names.
   * @throws SpecError where no file describes it
   */
  of(operation: string, id: string): ResourceRow;
  /** The resource that a child belongs to, or the resource itself. */
  ownerOf(resource: ResourceRow): ResourceRow;
}

/**
 * Collects the resources of the files.
 * @throws SpecError for a resource that is described twice, or whose parent no file describes.
 */
export function resourceRows(files: readonly Pick<LoadedFile, 'resources'>[]): ResourceRows {
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
  return {
    all: [...rows.values()],
    of(operation, id) {
      const row = rows.get(id);
      if (row === undefined)
        throw new SpecError(`${operation} works on the resource "${id}", which no file describes (${known})`);
      return row;
    },
    ownerOf: (row) => rows.get(row.parent ?? row.id) ?? row,
  };
}

/**
 * Joins resources with the operations that work on them.
 * @throws SpecError for a resource with two operations of one role, or with one whose id is not made of both: check ids
 * are the same for every resource.
 */
export function resourcesOf({ all }: ResourceRows, operations: readonly Operation[]): Resource[] {
  const roles = new Map<string, Record<string, Operation>>();
  for (const operation of operations) {
    const { id, resource, role } = operation;
    if (resource === undefined || role === undefined) continue;
    const own = roles.get(resource.id) ?? {};
    if (Object.hasOwn(own, role))
      throw new SpecError(`${id} and ${own[role]?.id} are both "${role}" of the resource "${resource.id}"`);
    const due = `${resource.id}.${role}`;
    if (id !== due)
      throw new SpecError(`${id} is "${role}" of the resource "${resource.id}": its id must be ${due}`);
    own[role] = operation;
    roles.set(resource.id, own);
  }
  return all
    .filter(({ id }) => roles.has(id))
    .map((row) => ({
      ...row,
      operations: roles.get(row.id) ?? {},
      children: all.filter(({ parent }) => parent === row.id).map(({ id }) => id),
    }));
}
