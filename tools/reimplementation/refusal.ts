/** A request that is not carried out. */
export class Refusal extends Error {
  readonly status: number;

  /** @param status of the answer: 422 for a value that is not taken, 404 for what is not there, 401 for a stranger */
  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}
