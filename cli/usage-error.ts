/** Wrong usage or configuration: one line that names the thing, what was expected and what to do. Exit code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
