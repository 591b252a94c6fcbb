import { beginning } from './json.ts';
import type { RequestBody } from './observation.ts';
import { encodeBody } from './send.ts';

const LONGEST_BODY = 2000;
const CONTROL = /\p{Cc}/u;
/** The status comes last, on a line of its own. */
const STATUS: string = shellQuote('\\n%{http_code}\\n');

/** Quotes a text for a shell (bash, zsh, ksh). Control characters become escapes that are safe on a terminal. */
export function shellQuote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = [...text].map((char) => {
    if (char === '\\' || char === "'") return `\\${char}`;
    return CONTROL.test(char) ? Buffer.from(char).toString('hex').replaceAll(/../g, '\\x$&') : char;
  });
  return `$'${escaped.join('')}'`;
}

/** Bytes as a file that the shell creates; only a name if they are long. */
function fileOf(bytes: Uint8Array): string {
  const text = [...bytes].map((byte) => {
    const char = String.fromCharCode(byte);
    return /[ -~]/.test(char) && !/[\\'-]/.test(char)
      ? char.replace('%', '%%')
      : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  const written = text.join('');
  return written.length > LONGEST_BODY ? '@FILE' : `@<(printf '${written}')`;
}

/** The request as one shell command. Secrets appear as names of variables. */
export function curlLine(request: {
  method: string;
  url: string;
  user?: string | undefined;
  passwordFrom?: string | undefined;
  insecure?: boolean;
  headers?: Readonly<Record<string, string>> | undefined;
  secretHeaders?: readonly string[];
  body?: RequestBody | undefined;
}): string {
  const parts = ['curl', '-sS', '-g', '-w', STATUS];
  if (request.insecure === true) parts.push('-k');
  if (request.method !== 'GET') parts.push('-X', request.method);
  const { user, passwordFrom = 'SITE_CONFORMANCE_PASSWORD' } = request;
  if (user !== undefined) parts.push('-u', `${shellQuote(user)}:"$${passwordFrom}"`);
  const header = (name: string, value: string): void => {
    parts.push('-H', shellQuote(`${name}: ${value}`));
  };
  for (const [name, value] of Object.entries(request.headers ?? {})) header(name, value);
  for (const name of request.secretHeaders ?? []) parts.push('-H', `${shellQuote(`${name}: `)}"$SECRET"`);
  const { body } = request;
  if (body !== undefined && 'bytes' in body) {
    header('Content-Type', body.type);
    if (body.disposition !== undefined) header('Content-Disposition', body.disposition);
    parts.push('--data-binary', fileOf(body.bytes));
  } else if (body !== undefined) {
    const { headers, content } = encodeBody(body);
    const text = String(content);
    header('Content-Type', headers['content-type'] ?? '');
    const short = text.length > LONGEST_BODY ? `${beginning(text, LONGEST_BODY)}…` : text;
    parts.push('--data-raw', shellQuote(short));
  }
  parts.push(shellQuote(request.url));
  return parts.join(' ');
}
