import { isObject } from '../../reference/json.ts';
import { Refusal } from '../../reference/request.ts';
import { showRecord } from '../../reference/show-record.ts';
import type { Answer, Call, Handler } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import type { Alteration } from '../alteration.ts';
import { handling, isOwnWrite } from '../handling.ts';

/** A conforming site whose user may do little. */
export const UNDATED_DRAFTS: Alteration = {
  id: 'undated-drafts',
  title: 'the user may only make drafts, whose date is their last change until somebody gives them one',
  behaviour: handling((one) => isOwnWrite(one) && one.resource?.kind === 'records', withoutDates),
};

/** Statuses of records that nobody has published. */
const DRAFTS: readonly unknown[] = ['draft', 'pending', undefined];

/** Dates are shown in seconds, and each change is to be seen. */
const SECOND = 1000;

/** The drafts of a site that somebody gave a date. */
const dated = new WeakSet<StoredRecord>();

async function withoutDates(call: Call, next: Handler): Promise<Answer> {
  const { args, site } = call;
  if (!DRAFTS.includes(args.status) || args.sticky !== undefined) {
    throw new Refusal('rest_cannot_publish', 'You may not publish, or put in front.', 403);
  }
  const shown = await next(call);
  const record = isObject(shown.body) ? site.store.get(Number(shown.body.id)) : undefined;
  if (record === undefined) return shown;
  if (args.date !== undefined || args.date_gmt !== undefined) dated.add(record);
  if (DRAFTS.includes(record.status) && !dated.has(record)) {
    record.modified = Math.max(record.modified, record.date + SECOND);
    record.date = record.modified;
  }
  const { account } = call.request;
  return { ...shown, body: showRecord(site, record, { context: 'edit', account }) };
}
