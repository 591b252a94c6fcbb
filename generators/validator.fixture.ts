import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from '../specs/schema.ts';

/** The interface reads a date-time without an offset in the time of the site. */
const DATE_TIME = /^\d{4}-(0[1-9]|1[0-2])-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})?$/;

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('date-time', DATE_TIME);
ajv.addFormat('uri', /^https?:\/\//);

const compiled = new WeakMap<Schema, ValidateFunction>();

/** The keywords that a value breaks, in the view of a validator that shares nothing with the generators. */
export function brokenKeywords(schema: Schema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(structuredClone(schema));
  compiled.set(schema, validate);
  validate(value);
  return [...new Set((validate.errors ?? []).map(({ keyword }) => keyword))];
}
