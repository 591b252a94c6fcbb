import { type Call, numberOf, textOf } from './site.ts';
import type { Child, Item } from './store.ts';
import { gmtDate, localDate } from './zone.ts';

const USUAL_LENGTH = 30;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text as a page shows it. */
function rendered(source: string): string {
  return source === '' ? '' : `<div>${source.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign)}</div>`;
}

/** The first words of a text stand for an excerpt that nobody wrote. */
function beginningOf({ content }: Item, { args }: Call): string {
  const words = content
    .replace(/<[^>]*>/g, ' ')
    .trim()
    .split(/\s+/);
  return words.slice(0, Math.max(0, numberOf(args.excerpt_length) ?? USUAL_LENGTH)).join(' ');
}

/** A record as the request may see it, in the context that it asks for. */
export function showItem(item: Item, call: Call): Record<string, unknown> {
  const { site, args } = call;
  // Before contexts are there, everything is shown as a visitor sees it.
  const context = textOf(args.context) ?? 'view';
  const edits = context === 'edit';
  const closed = item.password !== '' && !edits && args.password !== item.password;
  const part = (source: string): Record<string, unknown> => ({
    ...(edits && { raw: source }),
    rendered: closed ? '' : rendered(source),
  });
  const shown: Record<string, unknown> = {
    title: {
      ...(edits && { raw: item.title }),
      rendered: item.title.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign),
    },
    slug: item.slug,
    date: localDate(item.date),
    author: item.author,
    id: item.id,
    featured_media: item.featured_media,
  };
  if (item.kind === 'media') {
    shown.caption = part(item.caption);
    shown.alt_text = item.alt_text;
    shown.source_url = `${site.home}/files/${item.id}/${item.slug}`;
  } else {
    const excerpt = item.excerpt === '' && !closed ? { rendered: rendered(beginningOf(item, call)) } : {};
    shown.excerpt = { ...part(item.excerpt), ...excerpt, protected: item.password !== '' };
    shown.content = {
      ...(edits && { block_version: 1 }),
      protected: item.password !== '',
      ...(context !== 'embed' && part(item.content)),
    };
  }
  if (context === 'embed') return shown;
  if (site.features.has('modified')) shown.modified = localDate(item.modified);
  shown.date_gmt = gmtDate(item.date);
  shown.status = item.status;
  shown.comment_status = item.comment_status;
  shown.ping_status = item.ping_status;
  shown.template = item.template;
  shown.meta = item.kind === 'media' ? {} : { footnotes: item.footnotes };
  if (item.kind === 'posts') {
    Object.assign(shown, {
      format: item.format,
      sticky: item.sticky,
      categories: item.categories,
      tags: item.tags,
    });
  }
  if (item.kind === 'pages') Object.assign(shown, { parent: item.parent, menu_order: item.menu_order });
  if (item.kind === 'media')
    Object.assign(shown, { post: item.post, description: part(item.description), mime_type: item.mime });
  if (edits && item.kind !== 'media') shown.password = item.password;
  return shown;
}

/** A revision or an autosave. */
export function showChild(child: Child, call: Call): Record<string, unknown> {
  const edits = call.args.context === 'edit';
  const part = (source: string): Record<string, unknown> => ({
    ...(edits && { raw: source }),
    rendered: rendered(source),
  });
  return {
    parent: child.parent,
    id: child.id,
    author: child.author,
    date: localDate(child.date),
    title: part(child.title),
    excerpt: part(child.excerpt),
    ...(call.args.context !== 'embed' && { content: part(child.content) }),
  };
}
