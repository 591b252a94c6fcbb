/** Why nothing can be concluded about a target. */
export type TargetProblem =
  | 'address'
  | 'network'
  | 'timeout'
  | 'redirect'
  | 'denied'
  | 'status'
  | 'busy'
  | 'not-json'
  | 'not-an-index'
  | 'too-large'
  | 'credentials'
  | 'gone'
  | 'over-budget';

/** The code of an error of the system, such as `ECONNRESET`; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A target that cannot be checked: one line with what to do. The run ends with exit code 3 (2 for `address`). */
export class TargetError extends Error {
  override readonly name: string = 'TargetError';
  readonly problem: TargetProblem;

  constructor(problem: TargetProblem, message: string) {
    super(message);
    this.problem = problem;
  }

  /** Whether nothing more can be sent, because the target is gone or the time is over. */
  get isEnd(): boolean {
    return this.problem === 'gone' || this.problem === 'over-budget';
  }
}
