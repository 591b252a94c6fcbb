import { showBase, siteBase } from '../../client/address.ts';
import { asObject, member } from '../../client/json.ts';
import type { Check } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { notApplicable } from '../../engine/findings.ts';
import { list, show } from '../../engine/show.ts';
import { misfitOf, publishedSchema } from '../../specs/shapes.ts';
import { indexFailure } from './index-failure.ts';
import { placeOfAddress } from './same-address.ts';
import { SITE_ADDRESSES } from './site-address-checks.ts';

const SCHEME = 'application-passwords';
const SHAPE = publishedSchema(`index.schema.json#/properties/authentication/properties/${SCHEME}`);
const PAGE = 'authorize-application.php';

/** Checks of the authentication advert of the index (§5). */
export function authenticationChecks(): Check[] {
  const about = { section: '5', basis: 'stated', effect: 'reads', operation: 'index.read' } as const;
  const advertised = `index/authentication/${SCHEME}`;
  return [
    {
      ...about,
      id: advertised,
      title: `the index advertises the authentication scheme ${SCHEME}`,
      dependsOn: [checkId('index', 'authentication', 'type')],
      run(session) {
        const schemes = asObject(member(session.index.document, 'authentication')) ?? {};
        if (Object.hasOwn(schemes, SCHEME)) return [];
        if (Object.keys(schemes).length === 0 && session.client.base.protocol === 'http:') {
          return [
            notApplicable(
              `no scheme is advertised over plain http, where ${SCHEME} may be unavailable (R26)`,
            ),
          ];
        }
        return [
          indexFailure(
            session,
            `the index does not advertise ${SCHEME}`,
            SCHEME,
            show(Object.keys(schemes)),
            'authentication',
          ),
        ];
      },
    },
    {
      ...about,
      id: checkId('index', 'authentication', 'one-scheme'),
      title: 'the index advertises one authentication scheme',
      dependsOn: [checkId('index', 'authentication', 'type')],
      run(session) {
        const schemes = Object.keys(asObject(member(session.index.document, 'authentication')) ?? {});
        if (schemes.length < 2) return [];
        // R43: the software lets plugins add some.
        const found = indexFailure(
          session,
          `the index advertises ${schemes.length} authentication schemes: whoever may log in by ${SCHEME} may by another one too`,
          SCHEME,
          list(schemes),
        );
        return [{ ...found, kind: 'warning' }];
      },
    },
    {
      ...about,
      id: checkId(advertised, 'authorization'),
      title: 'the advertised scheme names an authorization page of the site itself',
      dependsOn: [advertised],
      run(session) {
        const { document } = session.index;
        const scheme = member(member(document, 'authentication'), SCHEME);
        const address = member(member(scheme, 'endpoints'), 'authorization');
        const asked = showBase(siteBase(session.client.base));
        const bases = [asked, ...SITE_ADDRESSES.map((name) => member(document, name))];
        const fits = misfitOf(SHAPE, scheme) === undefined;
        if (fits && bases.some((base) => isPageOf(base, address))) return [];
        return [
          indexFailure(
            session,
            'the address of the authorization page is not as stated',
            `${asked}/<admin path>/${PAGE}, or the same under url or home of the index`,
            show(address),
            'authentication',
          ),
        ];
      },
    },
  ];
}

/** Whether an address is `{base}/<admin path>/authorize-application.php`, scheme apart; the path is one segment or more (R42). */
function isPageOf(base: unknown, address: unknown): boolean {
  const [site, page] = [placeOfAddress(base), placeOfAddress(address)];
  if (site === undefined || page === undefined || page.host !== site.host) return false;
  if (!page.path.startsWith(`${site.path}/`)) return false;
  const segments = page.path.slice(site.path.length + 1).split('/');
  return segments.length > 1 && segments.every((one) => one !== '') && segments.at(-1) === PAGE;
}
