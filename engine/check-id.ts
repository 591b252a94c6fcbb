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

/** Signs that a shell or a glob reads, or that join the parts of an id. */
const NOT_PLAIN = /[^\w.-]/g;

/**
 * The id of one finding of a fuzz check: the check, the arguments that matter, and the kind of violation. It is as stable as
 * the id of the check.
 */
export function findingId(check: string, parameters: readonly string[], kind: string): string {
  const names = parameters.map((name) => name.replaceAll(NOT_PLAIN, '_')).sort();
  return `${check}#${names.join('+')}:${kind}`;
}
