import { guardHeader } from '../../client/mode.ts';
import { messageOf } from '../../engine/text.ts';
import { UsageError } from '../../specs/validators.ts';

const OURS = /^(content-length|content-type|transfer-encoding|connection|upgrade|expect)$/i;

/** Parses headers, each as 'Name: value'. @throws UsageError, which never contains the value */
export function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError("--header: one of the headers is not of the form 'Name: value'");
    }
    try {
      guardHeader(name);
    } catch (error) {
      throw new UsageError(`--header: ${messageOf(error)}`);
    }
    if (OURS.test(name)) {
      throw new UsageError(`--header: ${name} belongs to each request and cannot be the same for all`);
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

/** Parses headers next to a user. @throws UsageError, also for a header that contradicts the user */
export function headersBeside(
  user: string | undefined,
  lines: readonly string[] = [],
): Record<string, string> {
  const headers = readHeaders(lines);
  if (user === undefined || headers.authorization === undefined) return headers;
  throw new UsageError(
    '--header Authorization and --user both say who asks: the header would take the place of the password, in anonymous requests too; leave one of them out (a gate that asks for a login of its own can let this machine through, or take a cookie: --header "Cookie: …")',
  );
}

/** The warning about the risk of `--insecure`. */
export const INSECURE =
  '--insecure: no TLS certificate is verified; whoever is between this machine and the site can read the password and answer for it';
