import { randomBytes } from 'node:crypto';
import { mayRead, requireAccount } from './calls.ts';
import type { JsonObject } from './json.ts';
import { Refusal } from './request.ts';
import { permalink } from './show-record.ts';
import { type Answer, answer, type Call, type Handler, type Site, Text } from './site.ts';
import { REVISION, type StoredRecord } from './store.ts';

/** Widths that an embedding may have, in pixels. */
const WIDTHS = { least: 200, most: 600 };

/** Answers the embedding of one of the site's own public records (§4.3), in JSON or XML. */
export const readEmbed: Handler = (call) => {
  const embed = embedOf(call);
  return call.args.format === 'xml' ? xmlAnswer(embed) : answer(embed);
};

/** Answers the same to whoever may write; other sites are never asked. */
export const readProxy: Handler = (call) => {
  requireAccount(call, 'rest_forbidden', 'Sorry, you are not allowed to make proxied oEmbed requests.');
  return answer(embedOf(call));
};

function embedOf({ site, args }: Call): JsonObject {
  const record = recordAt(site, String(args.url));
  if (!record || !mayRead(site.store, record, undefined)) {
    throw new Refusal('oembed_invalid_url', 'Not Found', 404);
  }
  const asked = Math.abs(Math.trunc(Number(args.maxwidth))) || 0;
  const width = Math.min(Math.max(WIDTHS.least, asked), WIDTHS.most);
  const height = Math.max(Math.ceil((width / 16) * 9), 200);
  const address = permalink(site, record);
  const author = site.accounts.find(({ id }) => id === record.author);
  return {
    version: '1.0',
    provider_name: site.title,
    provider_url: site.url,
    author_name: author?.name ?? site.title,
    author_url: site.url,
    title: record.title,
    type: 'rich',
    width,
    height,
    html: frame(`${address}&embed=true`, width, height, record.title),
  };
}

/** The frame carries a random secret, as real software has it: two answers differ in it. */
function frame(address: string, width: number, height: number, title: string): string {
  const secret = randomBytes(5).toString('hex');
  return `<iframe sandbox="allow-scripts" src="${escapeHtml(address)}#?secret=${secret}" data-secret="${secret}" width="${width}" height="${height}" title="${escapeHtml(title)}"></iframe>`;
}

function recordAt(site: Site, address: string): StoredRecord | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.origin !== site.url) return undefined;
  const record = site.store.get(Number(url.searchParams.get('p')));
  return record?.kind === REVISION ? undefined : record;
}

function xmlAnswer(embed: JsonObject): Answer {
  const members = Object.entries(embed).map(
    ([name, value]) => `<${name}>${escapeHtml(String(value))}</${name}>`,
  );
  const xml = `<?xml version="1.0"?>\n<oembed>${members.join('')}</oembed>\n`;
  return { status: 200, headers: {}, body: new Text('text/xml; charset=UTF-8', xml) };
}

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

/** `text` as it may stand in HTML or XML, in an attribute too. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
