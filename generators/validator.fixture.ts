import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from '../specs/schema.ts';

/** The interface reads a date-time without an offset in the time of the site. */
const DATE_TIME = /^\d{4}-(0[1-9]|1[0-2])-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})?$/;

type Validator = (schema: Schema, value: unknown) => string[];

function validatorWith(coerceTypes: false | 'array'): Validator {
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes });
  ajv.addFormat('date-time', DATE_TIME);
  ajv.addFormat('uri', /^https?:\/\//);
  const compiled = new WeakMap<Schema, ValidateFunction>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile(structuredClone({ ...schema, default: undefined }));
    compiled.set(schema, validate);
    validate(structuredClone(value));
    return [...new Set((validate.errors ?? []).map(({ keyword }) => keyword))];
  };
}

/** The keywords that a value breaks, in the view of a validator that shares nothing with the generators. */
export const brokenKeywords: Validator = validatorWith(false);

/** The same for a value of a form, whose texts stand for values of other types. */
export const brokenInForms: Validator = validatorWith('array');
