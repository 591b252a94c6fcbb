import { goodValue } from '../../../generators/valid-values.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';

/** Shorter texts have no room for what shows whose record it is. */
const SHORTEST = 60;

/** The parameters of a creation that take any text, so that they can carry the word of a run. */
export function freeTexts({ parameters }: Operation): Parameter[] {
  return parameters.filter(({ in: place, schema }) => {
    const isFree = schema.enum === undefined && schema.format === undefined && schema.pattern === undefined;
    const isPlain = isFree && schema['x-published'] === undefined && schema.readOnly !== true;
    return (
      place !== 'path' && schema.type === 'string' && isPlain && (schema.maxLength ?? SHORTEST) >= SHORTEST
    );
  });
}

/**
 * The fields of a new record of which only the shape is known: whatever is required, and the word of the run in a text.
 * @param slug the word
 */
export function taggedFields(create: Operation, slug: string): Record<string, unknown> {
  const texts = freeTexts(create);
  const required = create.parameters.filter((one) => one.required === true && one.in !== 'path');
  const carrying = texts.filter(({ required: isRequired }) => isRequired === true);
  const carriers = carrying.length > 0 ? carrying : texts.slice(0, 1);
  return Object.fromEntries([
    ...required.map(({ wire, schema }) => [wire, goodValue(schema)] as const),
    ...carriers.map(({ wire }) => [wire, `${slug} ${wire}`] as const),
  ]);
}
