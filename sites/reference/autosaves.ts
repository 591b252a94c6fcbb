import { requireAccount } from './access.ts';
import { answer } from './answer.ts';
import { Refusal } from './refusal.ts';
import { isTree, parentOf } from './resources.ts';
import { requireEditor, requireParent, showRevision } from './revisions.ts';
import { addRevision } from './seed-posts.ts';
import type { Handler } from './site.ts';
import { raw } from './values.ts';
import { writeFields } from './write-record.ts';

/** Lists the autosaves of a record. */
export const listAutosaves: Handler = (call) => {
  const record = requireParent(call);
  requireEditor(call);
  const autosaves = call.site.store.revisionsOf(record.id).filter(({ autosave }) => autosave);
  return answer(autosaves.map((autosave) => showRevision(call, autosave)));
};

/** Reads the latest autosave of a record, whatever its id, as real software does. */
export const readAutosave: Handler = (call) => {
  const record = requireParent(call);
  requireEditor(call);
  const [latest] = call.site.store.revisionsOf(record.id).filter(({ autosave }) => autosave);
  if (!latest) {
    throw new Refusal('rest_post_no_autosave', 'There is no autosave revision for this post.', 404);
  }
  return answer(showRevision(call, latest));
};

/**
 * Saves an autosave: the caller's own draft is itself updated, of any other record the caller has one
 * autosave beside it, and the record stays as it is.
 */
export const createAutosave: Handler = (call) => {
  const { site } = call;
  const record = requireParent(call);
  const account = requireAccount(call, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  const edit = { ...call, args: { ...call.args, context: 'edit' } };
  if (record.status === 'draft' && record.author === account.id) {
    // The parameter `parent` names the record itself, unless the record has a parent to write.
    const { parent, ...own } = call.args;
    const args = isTree(parentOf(call)) && parent !== undefined ? { ...own, parent } : own;
    return answer(showRevision(edit, writeFields({ ...call, args }, { ...record }, record)));
  }
  const { title, content, excerpt } = call.args;
  const own = site.store
    .revisionsOf(record.id)
    .find(({ autosave, author }) => autosave && author === account.id);
  const fields = {
    title: raw(title) ?? own?.title ?? '',
    content: raw(content) ?? own?.content ?? '',
    excerpt: raw(excerpt) ?? own?.excerpt ?? '',
    author: account.id,
    date: site.now(),
  };
  const saved = own
    ? Object.assign(own, fields, { modified: fields.date })
    : addRevision(site.store, record, { ...fields, autosave: true });
  return answer(showRevision(edit, saved));
};
