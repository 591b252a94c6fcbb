const plugin = 'sqlite-database-integration/load.php';

/**
 * Turns the driver's `db.copy` into the text of `wp-content/db.php`: `driver` is the absolute path of the driver's
 * folder. Throws Error when a placeholder is not there, because then the driver is not the one that is expected.
 */
export function renderDropIn(template: string, driver: string): string {
  // Both stand between single quotes in PHP.
  const quoted = driver.replace(/[\\']/g, '\\$&');
  return fill(fill(template, '{SQLITE_IMPLEMENTATION_FOLDER_PATH}', quoted), '{SQLITE_PLUGIN}', plugin);
}

function fill(text: string, placeholder: string, value: string): string {
  if (!text.includes(placeholder)) throw new Error(`db.copy of the SQLite driver has no ${placeholder}`);
  return text.replaceAll(placeholder, () => value);
}
