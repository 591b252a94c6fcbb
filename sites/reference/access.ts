import type { Account } from './accounts.ts';
import { Refusal } from './refusal.ts';
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

/** Throws a 401 `Refusal` when the edit context is asked for by an anonymous caller. */
export function requireEditContext(call: Call): void {
  if (call.args.context === 'edit') {
    requireAccount(call, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this content.');
  }
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
