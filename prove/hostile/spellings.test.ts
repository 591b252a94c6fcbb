import { describe, expect, it } from 'vitest';
import { spellings } from './expectations.ts';

const SECRET = `a b/c"d'e&f<g>é+(h)!`;
const ALL = spellings('me', SECRET);

describe('spellings', () => {
  it.each([
    ['as it is', SECRET],
    ['without blanks', `ab/c"d'e&f<g>é+(h)!`],
    ['percent-encoded', `a%20b%2Fc%22d'e%26f%3Cg%3E%C3%A9%2B(h)!`],
    ['percent-encoded in small letters', `a%20b%2fc%22d'e%26f%3cg%3e%c3%a9%2b(h)!`],
    ["percent-encoded, !'()* too", 'a%20b%2Fc%22d%27e%26f%3Cg%3E%C3%A9%2B%28h%29%21'],
    ['as a form has it', 'a+b%2Fc%22d%27e%26f%3Cg%3E%C3%A9%2B%28h%29%21'],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64 with the user', Buffer.from(`me:${SECRET}`).toString('base64')],
    ['in base64 for addresses', Buffer.from(SECRET).toString('base64url')],
    ['in JSON', `a b/c\\"d'e&f<g>é+(h)!`],
    ['in JSON of ASCII with escaped slashes', `a b\\/c\\"d'e&f<g>\\u00e9+(h)!`],
    ['in JSON in JSON', `a b/c\\\\\\"d'e&f<g>é+(h)!`],
    ['in HTML', `a b/c&quot;d'e&amp;f&lt;g&gt;é+(h)!`],
    ['in HTML with the apostrophe by its number', 'a b/c&quot;d&#039;e&amp;f&lt;g&gt;é+(h)!'],
    ['in part', SECRET.slice(0, 12)],
  ])('hold a secret %s', (_how, spelling) => {
    expect(ALL).toContain(spelling);
  });

  it('hold nothing that an ordinary text holds', () => {
    expect(ALL.filter((spelling) => spelling.length < 10)).toEqual([]);
  });
});
