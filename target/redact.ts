/** Replaces secrets in a text that leaves the process. */
export type Redactor = (text: string) => string;

const MASK = '[redacted]';
const SHORTEST = 4;

/**
 * A redactor for known secrets: each is masked as it is, percent-encoded, and as the base64 of a header.
 * @param secrets passwords and the values of secret headers; shorter ones than four characters are ignored, because
 *   masking them would mask ordinary text.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST) continue;
    forms.add(secret);
    forms.add(encodeURIComponent(secret));
    forms.add(JSON.stringify(secret).slice(1, -1));
    const compact = secret.replaceAll(' ', '');
    if (compact.length >= SHORTEST) forms.add(compact);
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}
