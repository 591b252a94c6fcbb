import { describe, expect, it } from 'vitest';
import { testSession } from '../../engine/session.fixture.ts';
import { loadContract } from '../../specs/contract.ts';
import { declaredChecks } from './declared-checks.ts';

const PAGE = 'https://example.org/wp-admin/authorize-application.php';

const CHECKS = declaredChecks(loadContract({ deployment: 'core', vocabulary: 'neutral' })).filter(
  ({ id, section }) => id.startsWith('index/authentication/') && section === '5',
);

/** The findings of the checks: of the scheme, of other schemes, of its page. */
function kinds(
  authentication: unknown,
  url = 'https://example.org',
  addresses: object = {},
): (string | undefined)[] {
  const session = testSession({ url, document: { routes: {}, authentication, ...addresses } });
  return CHECKS.map((check) => {
    const [found] = [check.run(session)].flat();
    return found !== undefined && 'then' in found ? expect.fail('it asks the target') : found?.kind;
  });
}

function scheme(authorization: unknown): unknown {
  return { 'application-passwords': { endpoints: { authorization } } };
}

describe('the authentication advert', () => {
  it('passes if it names the page', () => {
    expect(kinds(scheme(PAGE))).toEqual([undefined, undefined, undefined]);
    expect(kinds(scheme(`${PAGE}?app=x`))).toEqual([undefined, undefined, undefined]);
  });

  it.each([[[]], [{}]])('fails as %j over https, and does not apply over plain http (R26)', (none) => {
    expect(kinds(none)[0]).toBe('failure');
    expect(kinds(none, 'http://example.org')[0]).toBe('not-applicable');
  });

  it('fails with only another scheme, over plain http too', () => {
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
    'https://example.org/authorize-application.php',
    'https://example.org//authorize-application.php',
    'https://elsewhere.example.org/wp-admin/authorize-application.php',
    'https://example.org:8443/wp-admin/authorize-application.php',
    'javascript://example.org/wp-admin/authorize-application.php',
  ])('with the page %j fails', (page) => {
    expect(kinds(scheme(page))).toEqual([undefined, undefined, 'failure']);
  });

  it.each(['url', 'home'])('may name a page under the address in %s of the index (R42)', (name) => {
    const page = 'http://original.example.org/blog/wp/wp-admin/authorize-application.php';
    const addresses = { [name]: 'https://original.example.org/blog/' };

    expect(kinds(scheme(page), undefined, addresses)[2]).toBeUndefined();
    expect(kinds(scheme(page.replace('/blog', '')), undefined, addresses)[2]).toBe('failure');
  });

  it('must name a page under the path of the site', () => {
    const page = 'https://example.org/blog/wp-admin/authorize-application.php';

    expect(kinds(scheme(page), 'https://example.org/blog')[2]).toBeUndefined();
    expect(kinds(scheme(PAGE), 'https://example.org/blog')[2]).toBe('failure');
  });

  it('gets a warning for any second scheme (R43)', () => {
    const schemes = { ...Object(scheme(PAGE)), oauth2: {} };

    expect(kinds(schemes)).toEqual([undefined, 'warning', undefined]);
  });
});
