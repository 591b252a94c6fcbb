/** Something the caller can put right: wrong usage, or a program that is missing. Printed as one line, exit code 2. */
export class UserError extends Error {
  override name = 'UserError';
}
