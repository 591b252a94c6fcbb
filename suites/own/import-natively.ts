/** Imports with Node itself, even under vitest, whose own import compiles differently. */
export function importNatively(url: string): Promise<unknown> {
  return import(url);
}
