import { asObject, member } from '../../target/json.ts';
import type { Check } from '../check.ts';
import { show } from '../show.ts';
import { indexFailure } from './index-failure.ts';

const SCHEME = 'application-passwords';
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
      dependsOn: ['index/authentication/type'],
      run(session) {
        const schemes = asObject(member(session.index.document, 'authentication')) ?? {};
        if (Object.hasOwn(schemes, SCHEME)) return [];
        if (Object.keys(schemes).length === 0 && session.client.base.protocol === 'http:') {
          return [
            {
              kind: 'not-applicable',
              message: `no scheme is advertised over plain http, where ${SCHEME} may be unavailable (R26)`,
            },
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
      id: `${advertised}/authorization`,
      title: 'the advertised scheme names the address of its authorization page',
      dependsOn: [advertised],
      run(session) {
        const scheme = member(member(session.index.document, 'authentication'), SCHEME);
        const address = member(member(scheme, 'endpoints'), 'authorization');
        if (
          typeof address === 'string' &&
          URL.canParse(address) &&
          new URL(address).pathname.endsWith(`/${PAGE}`)
        )
          return [];
        return [
          indexFailure(
            session,
            'the address of the authorization page is not as stated',
            `an address that ends with /${PAGE}`,
            show(address),
            'authentication',
          ),
        ];
      },
    },
  ];
}
