import type { Contract, Resource } from './load-contract.ts';
import { type Account, demand } from './request.ts';
import type { Call } from './site.ts';
import type { Store, StoredRecord } from './store.ts';

/** The account of the caller. Throws a 401 `Refusal` with `code` and `message` if the caller is anonymous. */
export function requireAccount(
  call: Call,
  code = 'rest_forbidden',
  message = 'Sorry, you are not allowed to do that.',
): Account {
  const { account } = call.request;
  demand(account, code, message, 401);
  return account;
}

/** The record that argument `name` names; throws a 404 `Refusal` if there is none of this kind. */
export function requireRecord(call: Call, kind: string, name: string): StoredRecord {
  // An undeclared path parameter is text.
  const record = call.site.store.get(Number(call.args[name]), kind);
  demand(record, 'rest_post_invalid_id', 'Invalid post ID.', 404);
  return record;
}

/** Whether a caller may read a record: published ones are public, an upload follows its parent. */
export function mayRead(store: Store, record: StoredRecord, account: Account | undefined): boolean {
  if (account || record.status === 'publish') return true;
  if (record.status !== 'inherit') return false;
  const parent = record.parent === 0 ? undefined : store.get(record.parent);
  return parent === undefined || mayRead(store, parent, account);
}

/** The resource of the operation of a call. @throws Error if it has none */
export function resourceOf({ operation }: Call): Resource {
  if (!operation.resource) throw new Error(`${operation.id} works on no resource`);
  return operation.resource;
}

/** The resource for a kind of records; undefined for revisions and for unpublished records. */
export function resourceOfKind({ contract }: { contract: Contract }, kind: string): Resource | undefined {
  return contract.resources.find(({ id }) => id === kind);
}

/** Whether records of a resource form a tree. */
export function isTree({ fields }: Resource): boolean {
  return 'parent' in fields;
}

/** The names of the path parameters of a call, in the order of its route: first the parent, then its child. */
export function pathParameters({ operation }: Call): { first: string; last: string } {
  const names = Object.keys(operation.pathParameters);
  return { first: names[0] ?? 'id', last: names.at(-1) ?? 'id' };
}
