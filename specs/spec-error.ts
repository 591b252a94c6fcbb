/** A data file of the contract, or one that a user brought, that cannot be used. The message names file, place and remedy. */
export class SpecError extends Error {
  override readonly name: string = 'SpecError';
}
