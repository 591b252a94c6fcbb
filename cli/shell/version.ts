import { join } from 'node:path';
import { readJson } from '../../specs/validators.ts';

/** The version of the product, from its package file. */
export function productVersion(): string {
  const data = readJson(join(import.meta.dirname, '..', '..', 'package.json'));
  const version: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, 'version') : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
