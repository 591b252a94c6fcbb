import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../client/json.ts';

/**
 * Removes the Node requirements of packages from package-lock.json. npm would compare them with the Node of the
 * machine, while all scripts run on the package `node`, which the same file pins. The project's own requirement stays.
 */
const path = join(import.meta.dirname, '..', 'package-lock.json');
const lock: unknown = JSON.parse(readFileSync(path, 'utf8'));
if (!isObject(lock) || !isObject(lock.packages)) throw new Error(`${path} holds no packages`);
for (const [name, entry] of Object.entries(lock.packages)) {
  if (name !== '' && isObject(entry)) Reflect.deleteProperty(entry, 'engines');
}
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
