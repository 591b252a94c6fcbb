import type { RequestBody } from './observation.ts';
import { encodeForm, FORM_TYPE } from './send.ts';

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
    return CONTROL.test(char) ? [...Buffer.from(char)].map(hexEscape).join('') : char;
  });
  return `$'${escaped.join('')}'`;
}

function hexEscape(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

function textBody(type: string, text: string): string[] {
  const short = text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}…` : text;
  return ['-H', shellQuote(`Content-Type: ${type}`), '--data-raw', shellQuote(short)];
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
  user?: string;
  /** The environment variable that holds the password. */
  passwordFrom?: string | undefined;
  insecure?: boolean;
  headers?: Readonly<Record<string, string>>;
  secretHeaders?: readonly string[];
  body?: RequestBody;
}): string {
  const parts = ['curl', '-sS', '-g', '-w', STATUS];
  if (request.insecure === true) parts.push('-k');
  if (request.method !== 'GET') parts.push('-X', request.method);
  const { user, passwordFrom = 'SITE_CONFORMANCE_PASSWORD' } = request;
  if (user !== undefined) parts.push('-u', `${shellQuote(user)}:"$${passwordFrom}"`);
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    parts.push('-H', shellQuote(`${name}: ${value}`));
  }
  for (const name of request.secretHeaders ?? []) parts.push('-H', `${shellQuote(`${name}: `)}"$SECRET"`);
  if (request.body !== undefined) {
    if ('json' in request.body) {
      parts.push(...textBody('application/json', JSON.stringify(request.body.json) ?? ''));
    } else if ('form' in request.body) {
      parts.push(...textBody(FORM_TYPE, encodeForm(request.body.form)));
    } else {
      parts.push('-H', shellQuote(`Content-Type: ${request.body.type}`));
      if (request.body.disposition !== undefined) {
        parts.push('-H', shellQuote(`Content-Disposition: ${request.body.disposition}`));
      }
      parts.push('--data-binary', fileOf(request.body.bytes));
    }
  }
  parts.push(shellQuote(request.url));
  return parts.join(' ');
}
