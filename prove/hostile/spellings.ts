/**
 * Every spelling of a user's password that a server might send back and that a reader could read it from.
 * Written apart from what masks them, so that both cannot have the same gap.
 */
export function spellings(user: string, password: string): readonly string[] {
  const plain = [password, password.replaceAll(' ', '')];
  const all = [
    ...plain.flatMap((secret) => [
      secret,
      ...percent(secret),
      ...json(secret),
      ...html(secret),
      ...base64(secret),
    ]),
    ...plain.flatMap((secret) => base64(`${user}:${secret}`)),
    // What is cut before it is masked leaves a part.
    ...plain.map((secret) => secret.slice(0, FRAGMENT)),
  ];
  return [...new Set(all)].toSorted((one, other) => other.length - one.length);
}

const FRAGMENT = 12;

function percent(text: string): string[] {
  const usual = encodeURIComponent(text);
  const strict = usual.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const bytes = [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const forms = [usual, strict, bytes].flatMap((form) => [form, form.replaceAll('%20', '+')]);
  return forms.flatMap((form) => [form, recase(form, 'toLowerCase'), recase(form, 'toUpperCase')]);
}

function recase(form: string, to: 'toLowerCase' | 'toUpperCase'): string {
  return form.replaceAll(/%[0-9a-f]{2}/gi, (byte) => byte[to]());
}

function json(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const ascii = escaped.replaceAll(/[^\0-\x7f]/g, unicode);
  const careful = ascii.replaceAll(/[<>&']/g, unicode);
  return [escaped, ascii, careful]
    .flatMap((form) => [form, form.replaceAll('/', '\\/')])
    .flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
}

function unicode(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function html(text: string): string[] {
  const named = text.replaceAll(/[&<>"]/g, (sign) => NAMED[sign] ?? sign);
  const numbered = text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const apostrophes = ['&#39;', '&#039;', '&#x27;', '&apos;'];
  return [named, numbered, ...apostrophes.map((entity) => named.replaceAll("'", entity))];
}

function base64(text: string): string[] {
  const usual = Buffer.from(text).toString('base64');
  return [usual, usual.replace(/=+$/, ''), Buffer.from(text).toString('base64url')];
}
