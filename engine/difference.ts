/** How a declaration differs from the contract. */
export interface Difference {
  readonly message: string;
  readonly expected: string;
  readonly observed: string;
  /** Nothing is contradicted, but it could not be compared. */
  readonly undecided?: boolean;
  /** It is worth a warning, and no more. */
  readonly advisory?: boolean;
}
