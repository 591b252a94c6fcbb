import { requireAccount, requireRecord } from './access.ts';
import { type Answer, answer } from './answer.ts';
import { routeAddress } from './index-document.ts';
import { Refusal } from './refusal.ts';
import { isTree, pathParameters, resourceOf, resourceOfKind } from './resources.ts';
import { keepRevision, settle } from './settle.ts';
import { furtherFields, showRecord } from './show-record.ts';
import type { Call, Handler } from './site.ts';
import { newRecord, type StoredRecord } from './store.ts';
import { checkRecord } from './write-rules.ts';

/** Creates a record (§4.6, §4.7): 201 with the record in the edit context. */
export const createRecord: Handler = (call) => {
  const account = requireCreator(call);
  const resource = resourceOf(call);
  const draft = newRecord({
    kind: resource.id,
    status: 'draft',
    author: account.id,
    date: call.site.now(),
  });
  if ('categories' in resource.fields) draft.categories = [1];
  if (isTree(resource)) Object.assign(draft, { commentStatus: 'closed', pingStatus: 'closed' });
  const record = writeFields(call, draft, undefined);
  return createdAnswer(call, record);
};

/** Updates a record: what is not sent stays as it is, whatever the method. */
export const updateRecord: Handler = (call) => {
  const resource = resourceOf(call);
  const before = requireRecord(call, resource.id, pathParameters(call).last);
  const account = requireAccount(call, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  const record = writeFields(call, { ...before }, before);
  if (resource.children.some(({ kind }) => kind === 'revisions')) keepRevision(call.site, record, account.id);
  return answer(showRecord(call.site, record, { context: 'edit', account }));
};

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
  const resource = resourceOfKind(site, draft.kind);
  for (const name of resource ? furtherFields(resource) : []) {
    const value = args[name];
    if (value !== undefined) draft.further = { ...draft.further, [name]: value };
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
  const location = routeAddress(call.site.url, `${resourceOf(call).route}/${record.id}`);
  return answer(showRecord(call.site, record, { context: 'edit', account }), 201, { Location: location });
}
