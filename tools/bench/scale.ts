/** Set by `--small`. */
export const SMALL_VARIABLE = 'BENCH_SMALL';

/** One of two sizes of a benchmark: the whole one, or one of seconds, which shows that it runs and that its bounds hold. */
export function scaled<T>(whole: T, small: T): T {
  return process.env[SMALL_VARIABLE] === '1' ? small : whole;
}
