import { expect, it } from 'vitest';
import { describeGate } from './gate.ts';

function told(status: number, page: string, headers: Record<string, string> = {}): string | undefined {
  return describeGate({ status, headers, body: Buffer.from(page) });
}

it.each<[string, string | undefined, RegExp]>([
  ['a challenge', told(403, '<title>Just a moment...</title>'), /^a firewall before the site .* user agent/],
  [
    'a challenge by its header',
    told(403, '', { 'cf-mitigated': 'challenge' }),
    /^a firewall before the site/,
  ],
  ['a challenge that says 200', told(200, '<p>Verify you are human</p>'), /^a firewall before the site/],
  [
    'a login of HTTP',
    told(401, '', { 'www-authenticate': 'Basic realm="staging"' }),
    /--header 'Authorization/,
  ],
  ['a login form', told(200, '<form><input type="password"></form>'), /^a login form answers, .* --header/],
  ['a page that refuses', told(403, '<h1>Forbidden</h1>'), /^a page answers, no JSON, as of a gate/],
  ['a challenge as an outage', told(503, ' <h1>Checking your browser</h1>'), /^a firewall before the site/],
])('knows %s as a gate before the site', (_what, line, expected) => {
  expect(line).toMatch(expected);
});

it('takes an ordinary page, and one of a missing address, for no gate', () => {
  expect(told(200, '<h1>Welcome</h1>')).toBeUndefined();
  expect(told(404, '<h1>Not found</h1>')).toBeUndefined();
  expect(told(503, '<h1>Maintenance</h1>')).toBeUndefined();
  expect(told(401, '')).toBeUndefined();
});
