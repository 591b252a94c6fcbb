import { hideUserinfo } from '../../client/address.ts';
import { type Redactor, redactorFor } from '../../client/redact.ts';
import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';

const HEADER = '--header';

/** A redactor for a command line: the password in the environment, header values, and credentials in an address. */
export function hideSecrets(args: readonly string[]): Redactor {
  const headers = headersIn(args);
  // The configuration may name another variable for the password, which is known once a target is ready.
  const redact: Redactor = (text) => redactorFor({ password: process.env[PASSWORD_VARIABLE], headers })(text);
  const words = args.map((arg) => arg.replace(/^--[\w-]+=/, ''));
  const addresses = words.filter((word) => hideUserinfo(word) !== word).sort((a, b) => b.length - a.length);
  return (text) =>
    redact(addresses.reduce((shown, word) => shown.replaceAll(word, hideUserinfo(word)), text));
}

/** The values of all headers. An option takes all words up to the next option. */
function headersIn(args: readonly string[]): Record<string, string> {
  const lines: string[] = [];
  let inside = false;
  for (const arg of args) {
    if (arg.startsWith(`${HEADER}=`)) lines.push(arg.slice(HEADER.length + 1));
    if (inside && !arg.startsWith('--')) lines.push(arg);
    inside = arg === HEADER || (inside && !arg.startsWith('--'));
  }
  return Object.fromEntries(
    lines.flatMap((line, at) => [
      [`${at} whole`, line],
      [`${at} value`, line.replace(/^[^:]*:\s*/, '')],
    ]),
  );
}
