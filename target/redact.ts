import { isObject } from './json.ts';

/** Replaces secrets in a text that leaves the process. */
export type Redactor = (text: string) => string;

const MASK = '[redacted]';
const SHORTEST = 4;

/**
 * A redactor for known secrets: each is masked as it is, percent-encoded, and as JSON spells it (with `/` and other
 * letters than ASCII escaped or not).
 * @param secrets passwords and the values of secret headers; shorter ones than four characters are ignored, because
 *   masking them would mask ordinary text.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // An application password is good without its blanks too.
    for (const spelling of [secret, secret.replaceAll(' ', '')]) {
      if (spelling.length >= SHORTEST) for (const form of formsOf(spelling)) forms.add(form);
    }
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = toAscii(json);
  return [
    secret,
    encoded,
    encoded.replaceAll('%20', '+'),
    ...[json, ascii].flatMap((form) => [form, form.replaceAll('/', '\\/')]),
  ];
}

/**
 * Masks secrets in the text values of a JSON value. Names of members stay: a password that is an ordinary word must not
 * rename what is judged.
 */
export function redactJson(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redactJson(item, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactJson(inner, redact)]));
}

function toAscii(json: string): string {
  return json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
