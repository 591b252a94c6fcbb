/** Signs that a glob of --only, a waiver or a baseline would read. */
const GLOB = /[*?[\]{}!()\\\s]/;

/**
 * The id of a check: its parts joined by `/`, in neutral words; parts that are empty or undefined are left out. It is stable across runs, machines
 * and versions, so no part may hold a record, an address or a seed.
 * @throws Error for a part with a sign that a glob reads
 */
export function checkId(...parts: readonly (string | undefined)[]): string {
  const id = parts.filter((part) => part !== undefined && part !== '').join('/');
  if (GLOB.test(id)) throw new Error(`the check id ${id} holds a sign that a glob reads`);
  return id;
}
