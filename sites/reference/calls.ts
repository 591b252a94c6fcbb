import type { Contract, Resource } from './load-contract.ts';
import { type Account, Refusal } from './request.ts';
import type { Call } from './site.ts';
import type { Kind, Store, StoredRecord } from './store.ts';

/** The caller's account. Throws a 401 `Refusal` with `code` and `message` for an anonymous caller. */
export function requireAccount(
  call: Call,
  code = 'rest_forbidden',
  message = 'Sorry, you are not allowed to do that.',
): Account {
  if (!call.request.account) throw new Refusal(code, message, 401);
  return call.request.account;
}

/** The record that argument `name` names; a 404 `Refusal` when there is none of this kind. */
export function requireRecord(call: Call, kind: Kind, name = 'id'): StoredRecord {
  // A path parameter that is not declared as a parameter is still text.
  const record = call.site.store.get(Number(call.args[name]), kind);
  if (!record) throw new Refusal('rest_post_invalid_id', 'Invalid post ID.', 404);
  return record;
}

/** Whether a caller may read a record: published ones are public, an upload follows its parent. */
export function mayRead(store: Store, record: StoredRecord, account: Account | undefined): boolean {
  if (account || record.status === 'publish') return true;
  if (record.status !== 'inherit') return false;
  const parent = record.parent === 0 ? undefined : store.get(record.parent);
  return parent === undefined || mayRead(store, parent, account);
}

/**
 * The resource that the operation of a call works on.
 * @throws Error when it works on none.
 */
export function resourceOf({ operation }: Call): Resource {
  if (!operation.resource) throw new Error(`${operation.id} works on no resource`);
  return operation.resource;
}

/** The resource of the records of a kind; undefined for revisions, and for what the site does not publish. */
export function resourceOfKind({ contract }: { contract: Contract }, kind: Kind): Resource | undefined {
  return contract.resources.find(({ id }) => id === kind);
}

/** Whether records of a resource stand in a tree, each below another one. */
export function isTree({ fields }: Resource): boolean {
  return 'parent' in fields;
}

/** The names of the path parameters of a call in the order of its route: the parent comes before its child. */
export function pathParameters({ operation }: Call): { first: string; last: string } {
  const names = Object.keys(operation.pathParameters);
  return { first: names[0] ?? 'id', last: names.at(-1) ?? 'id' };
}
