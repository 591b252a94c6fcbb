import { showBase, siteBase } from '../../client/address.ts';
import { member } from '../../client/json.ts';
import type { Check } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import { show } from '../../engine/show.ts';
import { indexFailure } from './index-failure.ts';
import { placeOfAddress, samePlace } from './same-address.ts';

/** The members of the index that hold an address of the site. */
export const SITE_ADDRESSES = ['url', 'home'] as const;

/** Checks that the site knows itself by the address under which it answers, scheme apart (§1, R41). */
export function siteAddressChecks(): Check[] {
  return SITE_ADDRESSES.map(
    (name): Check => ({
      id: checkId('index', name, 'address'),
      title: `the index has as ${name} the address under which the site answers`,
      section: '1',
      basis: 'stated',
      effect: 'reads',
      operation: 'index.read',
      dependsOn: [checkId('index', name, 'type')],
      run(session) {
        const asked = showBase(siteBase(session.client.base));
        const [named, here] = [placeOfAddress(member(session.index.document, name)), placeOfAddress(asked)];
        if (named !== undefined && here !== undefined && samePlace(named, here)) return [];
        const found = indexFailure(
          session,
          named === undefined
            ? `${name} is no address, while the site answers at ${asked}`
            : `${name} names another address than the one that was asked: the site is a copy that still names its original, or is reached through a tunnel; its links lead there`,
          asked,
          show(member(session.index.document, name)),
        );
        return [{ ...found, kind: 'warning' }];
      },
    }),
  );
}
