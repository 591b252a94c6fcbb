/** A program that a script calls. */
export interface Call {
  /** The folder that it is called in. */
  readonly folder: string;
  /** The settings of the suite in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its name and its arguments. */
  readonly words: readonly string[];
}

/**
 * Reads a call as `prelude.sh` tells it: texts that each end with a NUL, and before each list the number of its members.
 * @returns undefined where not all of it has come
 */
export function readCall(told: string): Call | undefined {
  const fields = told.split('\0').slice(0, -1);
  const settings = Number(fields[1]);
  const words = Number(fields[2 + settings]);
  if (!(fields.length >= 3 + settings + words)) return undefined;
  const env = fields.slice(2, 2 + settings).map((one): [string, string] => {
    const at = one.indexOf('=');
    return [one.slice(0, at), one.slice(at + 1)];
  });
  return {
    folder: fields[0] ?? '',
    env: Object.fromEntries(env),
    words: fields.slice(3 + settings, 3 + settings + words),
  };
}
