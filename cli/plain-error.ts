/** An error whose message is all: vitest prints a stack, and the place in our code tells a user nothing. */
export class PlainError extends Error {
  override readonly name: string = 'site-conformance';

  constructor(message: string, details?: string) {
    super(message);
    this.stack = details ?? `${this.name}: ${message}`;
  }
}
