import type { Client } from '../client/client.ts';
import { TargetError } from '../client/target-error.ts';
import { collectionsOf } from '../specs/find-resource.ts';
import type { Contract } from '../specs/model.ts';

/**
 * Makes sure that credentials are accepted before anything relies on them: wrong ones count as none on public reads,
 * and would make a run look anonymous. A user who may not edit is accepted all the same.
 * @param callers further users, by the names that the client knows them by
 * @throws TargetError `credentials` when the site does not know a user or its password.
 */
export async function verifyUsers(
  client: Client,
  contract: Contract,
  callers: readonly string[] = [],
): Promise<void> {
  const [list] = collectionsOf(contract).flatMap(({ operations }) => operations.list ?? []);
  if (list === undefined) return;
  const query = [['context', 'edit'] as const, ['per_page', '1'] as const];
  const users = [
    ...(client.hasUser ? [{ as: 'user' } as const] : []),
    ...callers.map((caller) => ({ caller })),
  ];
  for (const user of users) {
    const answer = await client.request({ method: 'GET', route: list.route.wire, query, ...user });
    if (answer.status !== 401) continue;
    const of = 'caller' in user ? ` of the caller "${user.caller}"` : '';
    throw new TargetError(
      'credentials',
      `the site does not accept the user and the password${of}: is it an application password, and does the site allow them on this address?`,
    );
  }
}
