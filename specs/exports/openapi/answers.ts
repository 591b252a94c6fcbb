import type { Operation } from '../../model.ts';
import { publishedSchema } from '../../shapes.ts';
import type { Part } from '../part.ts';
import { plainSchema } from '../plain-schema.ts';
import { CONTEXTS, type ShownRecords } from '../records.ts';

/** The index, the records of each resource by context, and an error, by the names that answers refer to. */
export function answerSchemas(records: ShownRecords): Readonly<Record<string, Part>> {
  const shown = records.all.flatMap(({ name, source, schema }) =>
    CONTEXTS.map((context): [string, Part] => [
      `${name}.${context}`,
      { description: `A record in context ${context}: ${source}.`, ...schema(context, 'left out') },
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
    ...Object.fromEntries(shown),
  };
}

/** What may be answered: status codes are not stated but for their classes, and bodies only for the index and for records. */
export function answersOf(operation: Operation, records: ShownRecords): Part {
  const schema = bodySchema(operation, records);
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

function bodySchema(operation: Operation, records: ShownRecords): Part | undefined {
  if (operation.id === 'index.read') return reference('index');
  const shown = records.of(operation);
  if (shown === undefined) return undefined;
  const record = { anyOf: CONTEXTS.map((context) => reference(`${shown.name}.${context}`)) };
  return operation.role === 'list' ? { type: 'array', items: record } : record;
}

function reference(name: string): Part {
  return { $ref: `#/components/schemas/${name}` };
}
