import { requireAccount, requireRecord } from './access.ts';
import { type Answer, answer } from './answer.ts';
import { routeAddress } from './index-document.ts';
import { Refusal } from './refusal.ts';
import { keepRevision, settle } from './settle.ts';
import { COLLECTIONS, showRecord } from './show-record.ts';
import type { Call, Handler } from './site.ts';
import { type Kind, newRecord, type StoredRecord } from './store.ts';
import { checkRecord } from './write-rules.ts';

/** Creates a post or page (§4.6, §4.7): 201 with the record in the edit context. */
export function createRecord(kind: 'post' | 'page'): Handler {
  return (call) => {
    const account = requireCreator(call);
    const draft = newRecord({ kind, status: 'draft', author: account.id, date: call.site.now() });
    if (kind === 'post') draft.categories = [1];
    else Object.assign(draft, { commentStatus: 'closed', pingStatus: 'closed' });
    const record = writeFields(call, draft, undefined);
    return createdAnswer(call, record);
  };
}

/** Updates a record of a kind: what is not sent stays as it is, whatever the method. */
export function updateRecord(kind: Kind): Handler {
  return (call) => {
    const before = requireRecord(call, kind);
    const account = requireAccount(call, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
    const record = writeFields(call, { ...before }, before);
    if (kind !== 'attachment') keepRevision(call.site, record, account.id);
    return answer(showRecord(call.site, record, { context: 'edit', account }));
  };
}

/** Who may create: an account, and no `id` may be given. */
export function requireCreator(call: Call): ReturnType<typeof requireAccount> {
  if (call.args.id) throw new Refusal('rest_post_exists', 'Cannot create existing post.', 400);
  return requireAccount(
    call,
    'rest_cannot_create',
    'Sorry, you are not allowed to create posts as this user.',
  );
}

/**
 * Writes the arguments of a call into `draft`, and that into the store: over `before`, or as a new record.
 * Nothing is stored when it is refused.
 */
export function writeFields(call: Call, draft: StoredRecord, before: StoredRecord | undefined): StoredRecord {
  const { site, args } = call;
  for (const [name, writer] of Object.entries(site.behaviour.writers)) {
    const value = args[name];
    if (value !== undefined && call.operation.parameters.properties[name]) writer(draft, value, site);
  }
  checkRecord(site, draft, before, args);
  const previous = before && { ...before };
  const record = before ? Object.assign(before, draft) : site.store.add(draft);
  settle(site, record, previous);
  return record;
}

/** The answer to a creation. */
export function createdAnswer(call: Call, record: StoredRecord): Answer {
  const { account } = call.request;
  const location = routeAddress(call.site.url, `/cms/v2/${COLLECTIONS[record.kind]}/${record.id}`);
  return answer(showRecord(call.site, record, { context: 'edit', account }), 201, { Location: location });
}
