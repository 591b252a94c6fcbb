import { hideUserinfo } from '../../client/address.ts';
import { type Redactor, redactorFor } from '../../client/redact.ts';
import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';

const HEADER = '--header';

/**
 * A redactor for what is said about a command line: for the password in the environment, the values of headers, and
 * credentials in an address that is typed wrongly.
 */
export function hideSecrets(args: readonly string[]): Redactor {
  const headers = headersIn(args);
  // The password may come from a variable that the configuration names: it is known once a target is ready.
  const redact: Redactor = (text) => redactorFor({ password: process.env[PASSWORD_VARIABLE], headers })(text);
  const words = args.map((arg) => arg.replace(/^--[\w-]+=/, ''));
  const addresses = words.filter((word) => hideUserinfo(word) !== word).sort((a, b) => b.length - a.length);
  return (text) =>
    redact(addresses.reduce((shown, word) => shown.replaceAll(word, hideUserinfo(word)), text));
}

/** The values of all headers, whole where a line is not of their form. An option takes every word up to the next one. */
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
