import type { Collection } from '../../../client/ownership.ts';
import { isFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, serves } from '../../../engine/check.ts';
import { fieldCheck, ownCheck, roots } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { WritableField } from '../../../probing/records/own/writable-fields.ts';
import { isText, shownValue, writableFields } from '../../../probing/records/own/writable-fields.ts';
import type { Operation } from '../../../specs/model.ts';
import { type FieldValue, fieldValue } from './field-values.ts';
import { fieldSourcesOf } from './shared-records.ts';

/** The fields of an operation that have checks of their own: texts are in most forms. */
export function formFields(operation: Operation): WritableField[] {
  return writableFields(operation).filter((field) => !isText(field));
}

type Checked = Pick<Parameters<typeof ownCheck>[0], 'needs' | 'after' | 'run'>;

/** The check that an operation takes a form as well as JSON (§4, notation). */
export function wholeFormCheck(
  operation: Operation,
  collection: Collection,
  { needs, ...about }: Checked,
): Check {
  return ownCheck({
    id: checkId(operation.id, 'form'),
    kind: 'accepted',
    title: `${operation.id} takes a form as well as JSON`,
    section: '4',
    basis: 'stated',
    on: operation,
    ...about,
    needs: [serves(operation, 'POST'), roots.creation(collection), needs],
  });
}

/** The check that a form may write a field as JSON may. */
export function fieldFormCheck(field: WritableField, about: Pick<Checked, 'after' | 'run'>): Check {
  const { operation, label, declared } = field;
  return fieldCheck(field, ['form'], {
    kind: 'accepted',
    title: `${operation.id} takes ${label} in a form as well as in JSON`,
    section: '4',
    needs: [checkId(operation.id, 'form'), declared],
    ...about,
  });
}

type Values = Map<string, unknown>;

/** The values of two forms that have all fields: those that go together, and the others, with each switch off. */
export async function valuesOfForms(
  operation: Operation,
  valueFor: (field: WritableField) => Promise<FieldValue>,
): Promise<readonly [main: Values, beside: Values]> {
  const [main, beside]: [Values, Values] = [new Map(), new Map()];
  for (const field of formFields(operation)) {
    const known = await valueFor(field);
    if (!isFinding(known)) (isBeside(field) ? beside : main).set(field.name, known.value);
    // The text `false` must not be read as true.
    if (field.schema.type === 'boolean') beside.set(field.name, false);
  }
  return [main, beside];
}

/** Whether a field needs its own form: it must not be combined, or is the slug, which pending records may lack. */
function isBeside({ name, schema }: WritableField): boolean {
  return schema['x-apart'] !== undefined || name === 'slug';
}

/** A value for a form. If no other is known, the default still shows that its text is accepted. */
export async function formValue(
  own: OwnRecords,
  collection: Collection,
  field: WritableField,
  round: number,
): Promise<FieldValue> {
  const sources = await fieldSourcesOf(own, collection);
  const known = fieldValue(field, sources, round);
  const byItself = shownValue(sources.plain, field);
  return !isFinding(known) || byItself === undefined ? known : { value: byItself };
}
