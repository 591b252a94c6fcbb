import { describe, expect, it } from 'vitest';
import { testSession } from '../test-session.ts';
import { authenticationChecks } from './authentication-checks.ts';

const PAGE = 'https://example.org/wp-admin/authorize-application.php';

function kinds(authentication: unknown, url = 'https://example.org'): (string | undefined)[] {
  const session = testSession({ url, document: { routes: {}, authentication } });
  return authenticationChecks().map((check) => {
    const found = check.run(session);
    return 'then' in found ? expect.fail('it asks the target') : found[0]?.kind;
  });
}

function scheme(authorization: unknown): unknown {
  return { 'application-passwords': { endpoints: { authorization } } };
}

describe('the authentication advert', () => {
  it('is as stated when it names the page', () => {
    expect(kinds(scheme(PAGE))).toEqual([undefined, undefined]);
    expect(kinds(scheme(`${PAGE}?app=x`))).toEqual([undefined, undefined]);
  });

  it.each([[[]], [{}]])('that is %j fails over https, and does not apply over plain http (R26)', (none) => {
    expect(kinds(none)[0]).toBe('failure');
    expect(kinds(none, 'http://example.org')[0]).toBe('not-applicable');
  });

  it('with another scheme alone fails over plain http too', () => {
    expect(kinds({ oauth: {} }, 'http://example.org')[0]).toBe('failure');
  });

  it.each([
    'authorize-application.php',
    'https://example.org/login.php',
    'https://example.org/xauthorize-application.php',
    'https://example.org/?authorize-application.php',
    '',
    null,
    [PAGE],
  ])('with the page %j fails', (page) => {
    expect(kinds(scheme(page))).toEqual([undefined, 'failure']);
  });
});
