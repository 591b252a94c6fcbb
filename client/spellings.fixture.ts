/** Encodings that sites and servers apply to a text before they send it back. */
export const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase()),
  'percent-encoded with all signs': (text) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
  'percent-encoded to the last letter': (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'a form': (text) => String(new URLSearchParams([['', text]])).slice(1),
  'HTML by name': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&apos;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;'),
  'HTML by number': (text) => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  'HTML by filled number': (text) => [...text].map((sign) => `&#0${sign.codePointAt(0)};`).join(''),
  'HTML in hex': (text) => [...text].map((sign) => `&#x${sign.codePointAt(0)?.toString(16)};`).join(''),
  'HTML in upper hex': (text) =>
    [...text].map((sign) => `&#X${sign.codePointAt(0)?.toString(16).toUpperCase()};`).join(''),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON with escaped slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'JSON of escapes alone': (text) =>
    text.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'JSON of escapes in upper case': (text) =>
    text.replaceAll(
      /[\s\S]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
    ),
};
