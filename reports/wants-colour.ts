/**
 * Whether to colour what is written to a stream: `FORCE_COLOR` decides when it is set (`0` and `false` mean no),
 * then a non-empty `NO_COLOR` forbids it, then it needs a terminal that is not `dumb`. The order is that of Node.
 */
export function wantsColour(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
