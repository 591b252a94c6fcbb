import { type Answer, Text } from './answer.ts';
import { escapeHtml } from './escape-html.ts';
import type { Site } from './site.ts';

/** What the site answers outside the interface: its uploaded files, and just enough of a page for people. */
export function sitePage(site: Site, path: string): Answer {
  const upload = site.store.all().find(({ file }) => file && `/uploads/${file.path}` === path);
  if (upload?.file) {
    return { status: 200, headers: {}, body: new Text(upload.file.type, Buffer.from(upload.file.bytes)) };
  }
  const found = path === '/' || path === '/index.php';
  const html = `<!doctype html><title>${escapeHtml(site.title)}</title>`;
  return { status: found ? 200 : 404, headers: {}, body: new Text('text/html; charset=UTF-8', html) };
}
