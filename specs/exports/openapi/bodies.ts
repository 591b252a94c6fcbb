import type { Operation, Parameter } from '../../model.ts';
import { typesOf } from '../../schema.ts';
import type { Part } from '../part.ts';
import { plainSchema } from '../plain-schema.ts';
import { openParameters } from './parameters.ts';

/** The body of a call: JSON or a form (§4), and a file beside the fields where records are made from files. */
export function bodyOf(operation: Operation): Part | undefined {
  const open = openParameters(operation);
  const uploads = operation.role === 'create' && operation.resource?.kind === 'uploads';
  if (open.length === 0 && !uploads) return undefined;
  const inForm = open.filter(fitsForm);
  const hasForm = open.every((one) => inForm.includes(one) || one.required !== true);
  const form = formOf(inForm);
  return {
    required: open.some((one) => one.required === true),
    content: {
      'application/json': {
        schema: fieldsOf(operation, open) ?? objectOf(open.map((one) => [one.wire, one])),
      },
      ...(hasForm && { 'application/x-www-form-urlencoded': form }),
      ...(uploads && { 'multipart/form-data': withFile(form.schema) }),
    },
  };
}

/** The fields of a record, which the document describes once. */
function fieldsOf({ role, resource }: Operation, open: readonly Parameter[]): Part | undefined {
  if (role !== 'create' || resource === undefined || open.length === 0) return undefined;
  return { $ref: `#/components/schemas/${resource.id}.fields` };
}

/** A form has no words for a list of structures. */
function fitsForm({ schema }: Parameter): boolean {
  const items = typesOf(schema.items ?? {});
  return !typesOf(schema).includes('array') || !items.some((type) => ['object', 'array'].includes(type));
}

/** Arrays are repeated under their name with brackets, objects are nested in brackets. */
function formOf(open: readonly Parameter[]): { readonly schema: Part; readonly encoding: Part } {
  const named = open.map((one): [string, Parameter] => [isArray(one) ? `${one.wire}[]` : one.wire, one]);
  const encoding = named.flatMap(([name, { schema }]): [string, Part][] => {
    const types = typesOf(schema);
    if (types.includes('array')) return [[name, { style: 'form', explode: true }]];
    return types.includes('object') ? [[name, { style: 'deepObject', explode: true }]] : [];
  });
  return { schema: objectOf(named), encoding: Object.fromEntries(encoding) };
}

function isArray({ schema }: Parameter): boolean {
  return typesOf(schema).includes('array');
}

/** How a file goes is not stated: this is how the software takes it. */
function withFile(form: Part): Part {
  const file = { file: { type: 'string', contentMediaType: 'application/octet-stream' } };
  const all = [form, { type: 'object', properties: file, required: ['file'] }];
  return { schema: { allOf: all }, 'x-basis': 'unstated' };
}

function objectOf(named: readonly (readonly [string, Parameter])[]): Part {
  const required = named.filter(([, one]) => one.required === true).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, { schema }]) => [name, plainSchema(schema)])),
    ...(required.length > 0 && { required }),
  };
}
