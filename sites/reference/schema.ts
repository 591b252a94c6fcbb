import { isJson, isObject, isStrings, type Json } from './json.ts';

/** The JSON Schema keywords that raw contract files use; annotations (`x-…`) ride along untyped. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: Json[];
  default?: Json;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  readOnly?: boolean;
  description?: string;
  'x-feature'?: string;
  'x-contexts'?: string[];
  /** The resource whose records its ids name. */
  'x-names'?: string;
  'x-absent-members'?: AbsentMember[];
  'x-variants'?: Schema[];
}

/** A parameter or a member that is stated to be absent. */
export interface AbsentMember {
  name: string;
  /** A value that shows whether it is heeded. */
  probe?: Json;
}

/** Parameters of an operation: a closed list of names is never meant, unknown names are ignored. */
export interface Parameters {
  properties: Record<string, Schema>;
  required: string[];
  /** Names that are stated to be absent. */
  absent?: AbsentMember[];
}

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isNumber: Test = (value) => typeof value === 'number';
const isFlag: Test = (value) => typeof value === 'boolean';
const areSchemas: Test = (value) => Array.isArray(value) && value.every(isSchema);

const KEYWORDS: Record<string, Test> = {
  $ref: isText,
  type: (value) => isText(value) || isStrings(value),
  enum: (value) => Array.isArray(value) && value.every(isJson),
  default: isJson,
  format: isText,
  pattern: isText,
  minimum: isNumber,
  maximum: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  uniqueItems: isFlag,
  items: isSchema,
  properties: (value) => isObject(value) && Object.values(value).every(isSchema),
  required: isStrings,
  additionalProperties: (value) => isFlag(value) || isSchema(value),
  oneOf: areSchemas,
  anyOf: areSchemas,
  readOnly: isFlag,
  description: isText,
  'x-feature': isText,
  'x-contexts': isStrings,
  'x-names': isText,
  'x-absent-members': (value) =>
    Array.isArray(value) && value.every((one) => isObject(one) && isText(one.name)),
  'x-variants': areSchemas,
};

/** Whether `value`, read from a raw contract file, is a schema whose known keywords have their shapes. */
export function isSchema(value: unknown): value is Schema {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([keyword, content]) => KEYWORDS[keyword]?.(content) ?? true);
}

/** The types that `schema` names, as a list; empty when it names none. */
export function typesOf(schema: Schema): string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}
