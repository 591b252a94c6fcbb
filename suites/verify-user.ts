import type { Client } from '../client/client.ts';
import { member } from '../client/json.ts';
import type { RequestSpec } from '../client/observation.ts';
import { TargetError } from '../client/target-error.ts';
import { collectionsOf } from '../specs/find-resource.ts';
import type { Contract } from '../specs/model.ts';

/** A read that is answered with 401 only to unknown callers; undefined for a contract without lists. */
export function readOfUsers(contract: Contract): RequestSpec | undefined {
  const [list] = collectionsOf(contract).flatMap(({ operations }) => operations.list ?? []);
  return (
    list && {
      method: 'GET',
      route: list.route.wire,
      query: [
        ['context', 'edit'],
        ['per_page', '1'],
      ],
    }
  );
}

/**
 * Checks that the site accepts the credentials before other requests rely on them. Public reads ignore wrong
 * credentials, which would make the run anonymous. A user without edit rights is accepted.
 * @param callers further users, by their names in the client
 * @throws TargetError `credentials` if the site does not know a user or its password
 */
export async function verifyUsers(
  client: Client,
  contract: Contract,
  callers: readonly string[] = [],
): Promise<void> {
  const read = readOfUsers(contract);
  if (read === undefined) return;
  const users = [
    ...(client.hasUser ? [{ as: 'user' } as const] : []),
    ...callers.map((caller) => ({ caller })),
  ];
  for (const user of users) {
    const answer = await client.request({ ...read, ...user });
    if (answer.status !== 401) continue;
    const as = 'caller' in user ? ` of the caller "${user.caller}"` : '';
    const who = `the user "${client.userOf(user) ?? ''}"${as}`;
    const why = (await offersNothing(client))
      ? 'its index says that it takes no application passwords ("authentication" is empty). Security plugins may disable them'
      : 'is it an application password, does the site allow them on this address, and does everything before it pass on the header Authorization?';
    throw new TargetError(
      'credentials',
      `${client.base.href} does not accept ${who} and the password: ${why}`,
    );
  }
}

/** Whether the index says that there is no way to log in. */
async function offersNothing(client: Client): Promise<boolean> {
  const { json } = await client.request({ method: 'GET', route: '/' });
  const offered = member(json, 'authentication');
  return typeof offered === 'object' && offered !== null && Object.keys(offered).length === 0;
}
