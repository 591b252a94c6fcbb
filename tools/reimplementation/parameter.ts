import { Refusal } from './refusal.ts';

/** How the index describes a parameter. */
export interface Parameter {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly required?: true;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: 'date-time' | 'uri';
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly items?: Parameter;
  readonly properties?: Parameters;
  readonly additionalProperties?: boolean | Parameter;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** Read arguments: each of the declared type, defaults included. */
export type Arguments = Readonly<Record<string, unknown>>;

const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Reads what was sent under the names that are declared; what is not declared is not looked at.
 * @param strict false for a site that does not refuse anything yet: what it cannot read counts as not sent
 * @throws Refusal for a value outside of what is declared, or a missing one
 */
export function readArguments(declared: Parameters, sent: Arguments, strict: boolean): Arguments {
  const read: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(declared)) {
    const given = sent[name];
    if (given === undefined) {
      if (parameter.required && strict) throw new Refusal(422, `${name} is missing`);
      if (parameter.default !== undefined) read[name] = readDefault(parameter);
      continue;
    }
    try {
      read[name] = readValue(name, given, parameter);
    } catch (error) {
      if (strict || !(error instanceof Refusal)) throw error;
      if (parameter.default !== undefined) read[name] = readDefault(parameter);
    }
  }
  return read;
}

/** A lone default of an array is one of one element. */
function readDefault({ type, default: value }: Parameter): unknown {
  return type === 'array' && !Array.isArray(value) ? [value] : value;
}

function readValue(name: string, given: unknown, parameter: Parameter): unknown {
  const types = typeof parameter.type === 'string' ? [parameter.type] : (parameter.type ?? []);
  if (types.length === 0) return withinEnum(name, given, parameter);
  for (const type of types) {
    const value = READERS[type]?.(name, given, parameter);
    if (value !== undefined) return withinEnum(name, value, parameter);
  }
  throw new Refusal(422, `${name} has to be ${types.join(' or ')}`);
}

function withinEnum(name: string, value: unknown, parameter: Parameter): unknown {
  if (parameter.enum === undefined || parameter.enum.includes(value)) return value;
  throw new Refusal(422, `${name} is none of ${parameter.enum.join(', ')}`);
}

type Reader = (name: string, given: unknown, parameter: Parameter) => unknown;

/** What a value is in each type; undefined where it is none of it. */
const READERS: Readonly<Record<string, Reader>> = {
  null: (_name, given) => (given === null ? null : undefined),
  boolean: (_name, given) => {
    if (given === true || given === 'true' || given === '1' || given === 1) return true;
    return given === false || given === 'false' || given === '0' || given === 0 ? false : undefined;
  },
  integer: (name, given, { minimum, maximum }) => {
    const value = typeof given === 'string' && /^[+-]?\d+$/.test(given) ? Number(given) : given;
    if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
    if (value < (minimum ?? value) || value > (maximum ?? value))
      throw new Refusal(422, `${name} is out of its limits`);
    return value;
  },
  string: (name, given, { format }) => {
    if (typeof given === 'number') return String(given);
    if (typeof given !== 'string') return undefined;
    if (format === 'date-time' && !isDateTime(given)) throw new Refusal(422, `${name} is no date`);
    if (format === 'uri' && !URL.canParse(given)) throw new Refusal(422, `${name} is no address`);
    return given;
  },
  array: (name, given, { items = {}, minItems = 0, maxItems = Infinity, uniqueItems }) => {
    const list = typeof given === 'string' ? (given === '' ? [] : given.split(',')) : given;
    if (!Array.isArray(list)) return undefined;
    if (list.length < minItems || list.length > maxItems)
      throw new Refusal(422, `${name} has ${list.length} items`);
    const read = list.map((item) => readValue(name, item, items));
    if (uniqueItems && new Set(read).size < read.length) throw new Refusal(422, `${name} repeats an item`);
    return read;
  },
  object: (name, given, { properties, additionalProperties }) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
    const others = Object.entries(given).filter(([key]) => properties?.[key] === undefined);
    if (additionalProperties === false && others.length > 0)
      throw new Refusal(422, `${name} has no ${others[0]?.[0]}`);
    const extra = typeof additionalProperties === 'object' ? additionalProperties : {};
    return {
      ...Object.fromEntries(others.map(([key, value]) => [key, readValue(`${name}.${key}`, value, extra)])),
      ...readArguments(properties ?? {}, { ...given }, true),
    };
  },
};

function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && !Number.isNaN(Date.parse(text.replace(' ', 'T')));
}
