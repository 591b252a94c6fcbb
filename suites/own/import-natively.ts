/** The import of Node itself, also where the caller runs under vitest, whose own one compiles otherwise than Node does. */
export function importNatively(url: string): Promise<unknown> {
  return import(url);
}
