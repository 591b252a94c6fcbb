import { describe, expect, it } from 'vitest';
import { fillPlaceholders } from './fill-placeholders.ts';

describe('fillPlaceholders', () => {
  const values = { url: 'http://127.0.0.1:8080', user: 'someone' };

  it('replaces every occurrence, inside an argument too', () => {
    expect(fillPlaceholders(['--target={url}', '{url}/index.php', '{user}@{url}'], values)).toEqual([
      '--target=http://127.0.0.1:8080',
      'http://127.0.0.1:8080/index.php',
      'someone@http://127.0.0.1:8080',
    ]);
  });

  it('leaves unknown names and other braces alone', () => {
    const args = ['{password}', '{"a":1}', '{toString}', '{}', '{ url }'];
    expect(fillPlaceholders(args, values)).toEqual(args);
  });

  it('does not look into what it has put in, nor read $ patterns in it', () => {
    expect(fillPlaceholders(['{user}'], { user: '{url}$&', url: 'x' })).toEqual(['{url}$&']);
  });
});
