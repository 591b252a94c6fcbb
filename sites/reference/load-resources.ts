import type { Operation, Resource, ResourceKind } from './contract.ts';
import { isObject, isStrings } from './json.ts';

const KINDS: readonly string[] = ['records', 'uploads', 'revisions', 'autosaves'] satisfies ResourceKind[];

/** Statuses of a resource whose row names none. */
const KEPT = ['publish', 'future', 'draft', 'pending', 'private'];
const USUAL = { open: 'publish', kept: KEPT, listed: [...KEPT, 'trash'] };

/**
 * The resources that some operation files describe, by id; `joinOperations` completes them.
 * @throws Error for a row without an id or of an unknown kind.
 */
export function readResources(files: readonly Record<string, unknown>[]): Map<string, Resource> {
  const rows = files.flatMap(({ resources }) => (Array.isArray(resources) ? resources : [])).filter(isObject);
  const resources = new Map(rows.map((row) => [String(row.id), readResource(row)]));
  for (const { id, parent } of rows) {
    const child = resources.get(String(id));
    if (child) child.parent = resources.get(String(parent));
    if (child) child.parent?.children.push(child);
  }
  return resources;
}

function readResource(row: Record<string, unknown>): Resource {
  const { id, kind, statuses } = row;
  if (typeof id !== 'string' || !isKind(kind))
    throw new Error(`${String(id)} is no resource of a known kind`);
  const stated = isObject(statuses) ? statuses : {};
  return {
    id,
    kind,
    parent: undefined,
    statuses: {
      open: typeof stated.open === 'string' ? stated.open : USUAL.open,
      kept: isStrings(stated.kept) ? stated.kept : USUAL.kept,
      listed: isStrings(stated.listed) ? stated.listed : USUAL.listed,
    },
    trash: row.trash === true,
    uniqueSlugs: row.uniqueSlugs === true,
    protects: row.protects === true,
    route: '',
    fields: {},
    operations: {},
    children: [],
  };
}

function isKind(kind: unknown): kind is ResourceKind {
  return typeof kind === 'string' && KINDS.includes(kind);
}

/**
 * Gives each resource its operations by role, the route of its collection, and the fields that its creation, or else its
 * update, writes.
 */
export function joinOperations(operations: readonly Operation[]): void {
  for (const operation of operations) {
    const { resource, role } = operation;
    if (resource && role !== undefined) resource.operations[role] = operation;
  }
  for (const resource of new Set(operations.flatMap((one) => one.resource ?? []))) {
    const { list, create, update } = resource.operations;
    const first = list ?? create ?? Object.values(resource.operations)[0];
    resource.route = first?.route.replace(/\/\{\w+\}$/, '') ?? '';
    const { parameters, pathParameters } = create ??
      update ?? { parameters: { properties: {} }, pathParameters: {} };
    const fields = Object.entries(parameters.properties).filter(([name]) => !(name in pathParameters));
    resource.fields = Object.fromEntries(fields);
  }
}
