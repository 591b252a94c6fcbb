import type { IncomingMessage } from 'node:http';
import { type Account, authenticate } from './accounts.ts';
import { type ApiRequest, parseJsonBody, routeOf, type UploadedFile } from './api-request.ts';
import type { JsonObject } from './json.ts';
import { parsePairs, parseQuery } from './query.ts';
import { Refusal } from './refusal.ts';

/** Larger bodies are refused; real sites take 8 MB or more. */
const BODY_LIMIT = 16 * 1024 * 1024;

/**
 * Reads an HTTP request to the interface: its body, its parameters, who calls and which method is meant
 * (`_method` in the query, else the header `X-HTTP-Method-Override`, else the method of HTTP).
 * @param route value of `rest_route`
 * @param query parameters of the address, `rest_route` included
 * @throws Refusal 413 when the body is too large.
 */
export async function readRequest(
  message: IncomingMessage,
  route: string,
  query: JsonObject,
  accounts: readonly Account[],
): Promise<ApiRequest> {
  const headers = lowerHeaders(message);
  const bytes = await readBytes(message);
  const override = query._method ?? headers['x-http-method-override'];
  const { rest_route: _, ...parameters } = query;
  return {
    method: (typeof override === 'string' ? override : (message.method ?? 'GET')).toUpperCase(),
    route: routeOf(route),
    query: parameters,
    headers,
    bytes,
    account: authenticate(headers.authorization, accounts),
    ...(await readBody(headers['content-type'] ?? '', bytes)),
  };
}

type Body = Pick<ApiRequest, 'form' | 'json' | 'brokenJson' | 'files'>;

async function readBody(contentType: string, bytes: Uint8Array): Promise<Body> {
  const media = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const none: Body = { form: {}, json: undefined, brokenJson: false, files: {} };
  if (/^application\/([\w!#$&^.+-]+\+)?json$/.test(media)) {
    const json = parseJsonBody(new TextDecoder().decode(bytes));
    return json === 'broken' ? { ...none, brokenJson: true } : { ...none, json };
  }
  if (media === 'application/x-www-form-urlencoded') {
    return { ...none, form: parseQuery(new TextDecoder().decode(bytes)) };
  }
  if (media === 'multipart/form-data') return { ...none, ...(await readMultipart(contentType, bytes)) };
  return none;
}

async function readMultipart(contentType: string, bytes: Uint8Array): Promise<Pick<Body, 'form' | 'files'>> {
  const fields: [string, string][] = [];
  const files: Record<string, UploadedFile> = {};
  try {
    const body = new Uint8Array(bytes);
    const data = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    for (const [name, value] of data) {
      if (typeof value === 'string') fields.push([name, value]);
      else files[name] = { name: value.name, type: value.type, bytes: await value.bytes() };
    }
  } catch {
    // A multipart body that cannot be read carries nothing, as in PHP.
  }
  return { form: parsePairs(fields), files };
}

async function readBytes(message: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Refusal('rest_body_too_large', 'The request body is too large.', 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function lowerHeaders(message: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}
