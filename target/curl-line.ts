import type { RequestBody } from './observation.ts';

const LONGEST_BODY = 2000;
const CONTROL = /\p{Cc}/u;

/** Quotes a text for a shell (bash, zsh, ksh); control characters are written as escapes that a terminal does not run. */
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

/**
 * The request as one line for a shell. Secrets appear as names of variables, never as values.
 * @param request method, address, headers to show, body, and the user whose password stays a variable
 */
export function curlLine(request: {
  method: string;
  url: string;
  user?: string;
  secretHeaders?: readonly string[];
  body?: RequestBody;
}): string {
  const parts = ['curl', '-sS', '-g'];
  if (request.method !== 'GET') parts.push('-X', request.method);
  if (request.user !== undefined)
    parts.push('-u', `${shellQuote(request.user)}:"$SITE_CONFORMANCE_PASSWORD"`);
  for (const name of request.secretHeaders ?? []) parts.push('-H', `${shellQuote(`${name}: `)}"$SECRET"`);
  if (request.body !== undefined) {
    if ('json' in request.body) {
      const text = JSON.stringify(request.body.json) ?? '';
      parts.push('-H', shellQuote('Content-Type: application/json'));
      parts.push(
        '--data-raw',
        shellQuote(text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}…` : text),
      );
    } else {
      parts.push('-H', shellQuote(`Content-Type: ${request.body.type}`));
      if (request.body.disposition !== undefined) {
        parts.push('-H', shellQuote(`Content-Disposition: ${request.body.disposition}`));
      }
      parts.push('--data-binary', '@FILE');
    }
  }
  parts.push(shellQuote(request.url));
  return parts.join(' ');
}
