import { describe, expect, it } from 'vitest';
import { createRedactor, redactJson } from './redact.ts';

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

  it('masks the longer of two secrets that begin alike as a whole', () => {
    expect(createRedactor(['secret', 'secret-and-more'])('secret-and-more')).toBe('[redacted]');
  });

  it('reads a secret as text, not as a pattern or a replacement', () => {
    expect(createRedactor(['.*$&'])('all .*$& stays')).toBe('all [redacted] stays');
  });

  it.each([[['']], [['abc']], [[]]])('leaves ordinary text as it is with the secrets %j', (secrets) => {
    expect(createRedactor(secrets)('abc and more')).toBe('abc and more');
  });
});

describe('redactJson', () => {
  const redact = createRedactor(['post', 'true']);

  it('masks texts at any depth and leaves names and other values', () => {
    expect(redactJson({ post: [{ a: 'a post' }, true, 1, null] }, redact)).toEqual({
      post: [{ a: 'a [redacted]' }, true, 1, null],
    });
  });

  it('keeps a member of any name', () => {
    const document: unknown = JSON.parse('{"__proto__": "post", "constructor": "post"}');

    expect(JSON.stringify(redactJson(document, redact))).toBe(
      '{"__proto__":"[redacted]","constructor":"[redacted]"}',
    );
  });
});
