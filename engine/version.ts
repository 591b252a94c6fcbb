import { join } from 'node:path';
import { member } from '../client/json.ts';
import { readJson } from '../specs/validators.ts';

/** The version of the product, from its package file. */
export function productVersion(): string {
  const version = member(readJson(join(import.meta.dirname, '..', 'package.json')), 'version');
  return typeof version === 'string' ? version : 'unknown';
}

/** The product as documents name what wrote them. */
export function productTool(): { readonly name: string; readonly version: string } {
  return { name: 'site-conformance', version: productVersion() };
}
