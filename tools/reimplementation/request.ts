import type { IncomingMessage } from 'node:http';
import type { Arguments } from './parameter.ts';
import { Refusal } from './refusal.ts';
import type { Upload } from './site.ts';
import { USERS } from './store.ts';

/** A request as it came, its body read. */
export interface Received {
  readonly method: string;
  readonly route: string;
  readonly query: Arguments;
  readonly body: Arguments;
  readonly upload: Upload | undefined;
  readonly user: number | undefined;
}

const MOST_BYTES = 8_000_000;

/** Reads a request to the end. @throws Refusal for one that cannot be read */
export async function receive(request: IncomingMessage, password: string): Promise<Received> {
  const url = new URL(request.url ?? '/', 'http://site.invalid');
  if (url.pathname !== '/index.php') throw new Refusal(404, 'there is nothing here');
  const route = url.searchParams.get('rest_route') ?? '/';
  url.searchParams.delete('rest_route');
  const user = userOf(request.headers.authorization, password);
  const bytes = await bytesOf(request);
  const { body, upload } = await readBody(request, bytes);
  return { method: request.method ?? 'GET', route, query: readForm(url.searchParams), body, upload, user };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length <= MOST_BYTES) chunks.push(bytes);
  }
  if (length > MOST_BYTES) throw new Refusal(413, 'that is too much');
  return Buffer.concat(chunks);
}

function userOf(header: string | undefined, password: string): number | undefined {
  if (header === undefined) return undefined;
  const [name = '', ...rest] = Buffer.from(header.replace(/^Basic /i, ''), 'base64')
    .toString()
    .split(':');
  const id = Object.entries(USERS).find(([known]) => known === name)?.[1];
  if (id === undefined || rest.join(':') !== password) throw new Refusal(401, 'nobody has that password');
  return id;
}

async function readBody(
  { headers }: IncomingMessage,
  bytes: Buffer,
): Promise<{ body: Arguments; upload: Upload | undefined }> {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (bytes.length === 0) return { body: {}, upload: undefined };
  if (type === 'application/json') return { body: readJson(bytes.toString()), upload: undefined };
  if (type === 'application/x-www-form-urlencoded')
    return { body: readForm(new URLSearchParams(bytes.toString())), upload: undefined };
  if (type === 'multipart/form-data') return readParts(headers['content-type'] ?? '', bytes);
  const name = /filename="?([^";]+)/i.exec(headers['content-disposition'] ?? '')?.[1];
  return { body: {}, upload: name === undefined ? undefined : { name, type, bytes } };
}

async function readParts(
  type: string,
  bytes: Buffer,
): Promise<{ body: Arguments; upload: Upload | undefined }> {
  const answer = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } });
  const form = await answer.formData().catch(() => {
    throw new Refusal(400, 'the form cannot be read');
  });
  const fields = new URLSearchParams();
  let upload: Upload | undefined;
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.append(name, value);
    else upload = { name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) };
  }
  return { body: readForm(fields), upload };
}

function readJson(text: string): Arguments {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'the body is not JSON');
  }
  if (typeof body !== 'object' || body === null) throw new Refusal(400, 'the body is no object');
  return { ...body };
}

/** Names may lead into objects and lists: `terms[0]`, `list[]`. */
export function readForm(form: URLSearchParams): Arguments {
  const read: Record<string, unknown> = {};
  for (const [name, value] of form) {
    const [head = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''));
    place(read, [head, ...rest], value);
  }
  return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, listed(value)]));
}

function place(into: Record<string, unknown>, [head = '', ...rest]: readonly string[], value: string): void {
  const key = head === '' ? String(Object.keys(into).length) : head;
  if (key === '__proto__') return;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const held = Object.hasOwn(into, key) ? into[key] : undefined;
  const inner: Record<string, unknown> = typeof held === 'object' && held !== null ? { ...held } : {};
  place(inner, rest, value);
  into[key] = inner;
}

/** What is numbered from nought on is a list. */
function listed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, listed(inner)]);
  return entries.every(([key], index) => key === String(index))
    ? entries.map(([, inner]) => inner)
    : Object.fromEntries(entries);
}
