import { describe, expect, it } from 'vitest';
import { createRedactor, redactJson, redactorFor } from './redact.ts';
import { SPELLINGS } from './spellings.fixture.ts';

const PASSWORD = 'ab/d "ü\\f ghij';

describe('createRedactor', () => {
  const redact = createRedactor([PASSWORD]);

  it.each([
    ['as it is', PASSWORD],
    ['in an address', encodeURIComponent(PASSWORD)],
    ['in a form', encodeURIComponent(PASSWORD).replaceAll('%20', '+')],
    ['in JSON', JSON.stringify(PASSWORD).slice(1, -1)],
    ['in JSON with escaped slashes', 'ab\\/d \\"ü\\\\f ghij'],
    ['in JSON of ASCII alone', 'ab\\/d \\"\\u00fc\\\\f ghij'],
    ['without its blanks', PASSWORD.replaceAll(' ', '')],
  ])('masks a secret %s', (_form, text) => {
    expect(redact(`before ${text} after ${text}`)).toBe('before [redacted] after [redacted]');
  });

  it('masks the whole of the longer secret if two begin alike', () => {
    expect(createRedactor(['secret', 'secret-and-more'])('secret-and-more')).toBe('[redacted]');
  });

  it('treats a secret as text, not as a pattern or a replacement', () => {
    expect(createRedactor(['.*$&'])('all .*$& stays')).toBe('all [redacted] stays');
  });

  it.each([[['']], [['abc']], [[]]])('leaves ordinary text unchanged with the secrets %j', (secrets) => {
    expect(createRedactor(secrets)('abc and more')).toBe('abc and more');
  });
});

describe('redactorFor', () => {
  const headers = { 'X-Env': 'categories', 'Cache-Control': 'no-cache' };
  const words = new Set(['categories', 'publish']);
  const mask = '[redacted]';

  it('masks no header whose value is a word of the contract or of the protocol, but each password', () => {
    const redact = redactorFor({ headers, user: 'me', password: 'publish', words });

    expect(['categories', 'no-cache', 'publish'].map(redact)).toEqual(['categories', 'no-cache', mask]);
  });

  it('masks the value of a header without a contract', () => {
    expect(['categories', 'catego'].map(redactorFor({ headers }))).toEqual([mask, mask]);
  });
});

describe('a secret', () => {
  const password = `p& <"'/\\ü😀%+=!'()*x9`;
  const gate = 'Bearer t0p/secret+value';
  const redact = redactorFor({ user: 'me', password, headers: { 'x-gate': gate } });
  const encoded = (text: string): string[] => [
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
    Buffer.from(text).toString('base64url'),
  ];
  const secrets = [
    password,
    password.replaceAll(' ', ''),
    gate,
    't0p/secret+value',
    ...encoded(password),
    ...encoded(`me:${password}`),
  ];

  it.each(Object.entries(SPELLINGS))('is masked %s, and inside every other encoding', (_name, spell) => {
    const left = secrets.flatMap((secret) =>
      Object.values(SPELLINGS)
        .map((outer) => outer(spell(secret)))
        .filter((text) => redact(`a ${text} z`) !== 'a [redacted] z'),
    );

    expect(left).toEqual([]);
  });

  it.each(['…', '...', ''])('is masked if the text was cut inside it, before "%s"', (end) => {
    expect(redact(`a ${password.slice(0, 15)}${end}`)).toBe(`a [redacted]${end}`);
  });

  it('of backslashes alone is found in little time', () => {
    const long = createRedactor(['\\a'.repeat(20), '\\'.repeat(40)])('\\'.repeat(20_000));

    expect(long).not.toBe('');
  });
});

it('masks the passwords of all callers', () => {
  const callers = [{ user: 'erika', password: 'ijkl mnop qrst' }];
  const redact = redactorFor({ user: 'me', password: 'abcd efgh', callers });

  expect(redact(`abcd efgh, ijkl mnop qrst, ${btoa('erika:ijkl mnop qrst')}`)).toBe(
    '[redacted], [redacted], [redacted]=',
  );
});

describe('redactJson', () => {
  const redact = createRedactor(['post', 'true']);

  it('masks texts, names and numbers at any depth, and leaves other values unchanged', () => {
    expect(redactJson({ post: [{ a: 'a post' }, true, 1, null] }, redact)).toEqual({
      '[redacted]': [{ a: 'a [redacted]' }, true, 1, null],
    });
    expect(redactJson([4711, 47110], createRedactor(['4711']))).toEqual(['[redacted]', '[redacted]']);
  });

  it('keeps members with any name', () => {
    const document: unknown = JSON.parse('{"__proto__": "post", "constructor": "post"}');

    expect(JSON.stringify(redactJson(document, redact))).toBe(
      '{"__proto__":"[redacted]","constructor":"[redacted]"}',
    );
  });
});
