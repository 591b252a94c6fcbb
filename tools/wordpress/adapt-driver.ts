import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const declaration = 'private $allow_unsafe_unquoted_parameters';

/**
 * Makes the SQLite driver in `folder` run with a WordPress before 6.2, which it does not support (its readme asks
 * for 6.4): the driver reads through its parent a property that older parents do not have, and PHP ends there
 * because the driver's own is private. Public, it is found. Throws Error when the driver has no such line.
 */
export async function adaptDriver(folder: string): Promise<void> {
  const file = join(folder, 'wp-includes', 'sqlite', 'class-wp-sqlite-db.php');
  const source = await readFile(file, 'utf8');
  if (!source.includes(declaration)) throw new Error(`the SQLite driver no longer has "${declaration}"`);
  await writeFile(file, source.replace(declaration, declaration.replace('private', 'public')));
}
