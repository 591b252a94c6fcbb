import type { Contract, Operation } from '../../specs/model.ts';
import { publishedSchema } from '../../specs/shapes.ts';
import type { Part } from '../part.ts';
import { plainSchema } from '../plain-schema.ts';
import { CONTEXTS, recordSchema, shownResources } from '../records.ts';

/** The roles of operations that answer with records. */
const SHOWING: ReadonlySet<string> = new Set(['list', 'create', 'read', 'update']);

/** The index, the records of each resource by context, and an error, by the names that answers refer to. */
export function answerSchemas(contract: Contract): Readonly<Record<string, Part>> {
  const records = shownResources(contract).flatMap((resource) =>
    CONTEXTS.map((context): [string, Part] => [
      `${resource.id}.${context}`,
      { ...recordSchema(resource, context, 'left out'), 'x-section': '2' },
    ]),
  );
  return {
    index: plainSchema(publishedSchema('index.schema.json')),
    error: {
      description:
        'What is answered to a request that is refused is not stated (§7); these members are usual.',
      type: 'object',
      properties: { code: {}, message: {}, data: {} },
    },
    ...Object.fromEntries(records),
  };
}

/**
 * What may be answered: status codes are not stated but for their classes, and bodies only for the index and for records.
 * @param known the names of the schemas of answers
 */
export function answersOf(operation: Operation, known: ReadonlySet<string>): Part {
  const schema = bodySchema(operation, known);
  return {
    '2XX': {
      description: 'Accepted.',
      ...(schema !== undefined && { content: { 'application/json': { schema } } }),
    },
    default: {
      description: 'Refused, denied (401, 403) or failed.',
      content: { 'application/json': { schema: reference('error') } },
    },
  };
}

function bodySchema({ id, role, resource }: Operation, known: ReadonlySet<string>): Part | undefined {
  if (id === 'index.read') return reference('index');
  if (resource === undefined || role === undefined || !SHOWING.has(role)) return undefined;
  const names = CONTEXTS.map((context) => `${resource.id}.${context}`).filter((name) => known.has(name));
  if (names.length === 0) return undefined;
  const record = { anyOf: names.map(reference) };
  return role === 'list' ? { type: 'array', items: record } : record;
}

function reference(name: string): Part {
  return { $ref: `#/components/schemas/${name}` };
}
