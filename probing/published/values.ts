import { isObject } from '../../client/json.ts';

/** Whether a value is of a type, or is read as one where it comes in a form (`"15"` as an integer, `"a"` as a list of one). */
export function fitsType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' || typeof value === 'number';
    case 'integer':
      return isNumeric(value) && Number.isInteger(Number(value));
    case 'number':
      return isNumeric(value);
    case 'boolean':
      return [true, false, 0, 1, '0', '1', 'true', 'false', ''].some((one) => one === value);
    case 'array':
      return Array.isArray(value) || typeof value === 'string' || typeof value === 'number';
    case 'object':
      return isObject(value) || value === '' || (Array.isArray(value) && value.length === 0);
    default:
      return value === null;
  }
}

function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}

/** A value in a few characters, for a line. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
