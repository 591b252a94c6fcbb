import { resourceOfKind } from './resources.ts';
import { addRevision } from './seed-posts.ts';
import type { Site } from './site.ts';
import { slugOf, uniqueSlug } from './slug.ts';
import type { StoredRecord } from './store.ts';

const MINUTE = 60_000;

/**
 * Brings a record that has just been written in order: its status follows its date, it gets a slug that no
 * other has, and it leaves the trash when another status was written.
 * @param before as it was stored, undefined for a new one
 */
export function settle(site: Site, record: StoredRecord, before: StoredRecord | undefined): void {
  record.modified = site.now();
  if (before?.status === 'trash' && record.status !== 'trash') leaveTrash(record, before);
  const { open = 'publish', listed = [] } = resourceOfKind(site, record.kind)?.statuses ?? {};
  if (!listed.includes(record.status)) record.status = open;
  const due = statusByDate(record, site.now());
  if (listed.includes(due)) record.status = due;
  settleSlug(site, record);
}

function statusByDate(record: StoredRecord, now: number): string {
  const ahead = record.date - now >= MINUTE;
  if (record.status === 'publish' && ahead) return 'future';
  return record.status === 'future' && !ahead ? 'publish' : record.status;
}

function leaveTrash(record: StoredRecord, before: StoredRecord): void {
  if (record.slug === before.slug) record.slug = before.beforeTrash?.slug ?? '';
  record.beforeTrash = undefined;
}

/** A draft may be without a slug; any other record is named after its title, or its id at worst. */
function settleSlug(site: Site, record: StoredRecord): void {
  const mayLack = ['draft', 'pending', 'trash'].includes(record.status);
  if (record.slug === '' && mayLack) return;
  const slug = record.slug || slugOf(record.title) || String(record.id);
  record.slug = uniqueSlug(site, record, slug);
}

/** Keeps a revision of a record that differs from its latest one. */
export function keepRevision(site: Site, record: StoredRecord, author: number): void {
  const [latest] = site.store.revisionsOf(record.id).filter(({ autosave }) => !autosave);
  const same =
    latest?.title === record.title && latest.content === record.content && latest.excerpt === record.excerpt;
  if (!same) addRevision(site.store, record, { author, date: site.now() });
}
