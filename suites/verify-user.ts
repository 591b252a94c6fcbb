import type { Client } from '../client/client.ts';
import { TargetError } from '../client/target-error.ts';
import { collectionsOf } from '../specs/find-resource.ts';
import type { Contract } from '../specs/model.ts';

/**
 * Makes sure that credentials are accepted before anything relies on them: wrong ones count as none on public reads,
 * and would make a run look anonymous. A user who may not edit is accepted all the same.
 * @throws TargetError `credentials` when the site does not know the user or the password.
 */
export async function verifyUser(client: Client, contract: Contract): Promise<void> {
  if (!client.hasUser) return;
  const [list] = collectionsOf(contract).flatMap(({ operations }) => operations.list ?? []);
  if (list === undefined) return;
  const answer = await client.request({
    method: 'GET',
    route: list.route.wire,
    query: [
      ['context', 'edit'],
      ['per_page', '1'],
    ],
    as: 'user',
  });
  if (answer.status !== 401) return;
  throw new TargetError(
    'credentials',
    'the site does not accept the user and the password: is it an application password, and does the site allow them on this address?',
  );
}
