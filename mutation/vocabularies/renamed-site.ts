import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { isObject, member } from '../../client/json.ts';
import { type Served, serve } from '../../reference/serve.ts';
import {
  inverse,
  type Renaming,
  renameArguments,
  renameKeys,
  renamePairs,
  renameRoute,
  renameValue,
} from './renaming.ts';

/** A site with two vocabularies: what it is asked in, and what it answers in. */
interface Sides {
  readonly toNeutral: Renaming;
  readonly toVendor: Renaming;
}

/** A reference deployment that speaks the words of a vendor and understands no other. */
export async function renamedSite(
  deployment: string,
  toVendor: Renaming,
): Promise<Pick<Served, 'url' | 'user' | 'password' | 'close'>> {
  const sides = { toVendor, toNeutral: inverse(toVendor) };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const neutral = await serve({ deployment, url });
  const behind = `http://127.0.0.1:${neutral.port}`;
  server.on('request', (message, response) => void forward(behind, sides, message, response));
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await neutral.close();
  };
  return { url, user: neutral.user, password: neutral.password, close };
}

async function forward(
  neutral: string,
  { toNeutral, toVendor }: Sides,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(message.url ?? '/', neutral);
  const route = url.searchParams.get('rest_route') ?? '';
  url.searchParams.delete('rest_route');
  const query = renamePairs(url.searchParams, toNeutral);
  url.search = '';
  if (route !== '') url.searchParams.set('rest_route', renameRoute(route, toNeutral));
  for (const [name, value] of query) url.searchParams.append(name, value);
  const body = renameBody(message.headers['content-type'] ?? '', await wholeOf(message), toNeutral);
  const { method = 'GET', headers } = message;
  const sent = request(url, { method, headers: { ...headers, 'content-length': body.length } });
  sent.on('response', async (answer) => {
    const whole = await wholeOf(answer);
    const status = answer.statusCode ?? 500;
    if (!/json/.test(answer.headers['content-type'] ?? '') || whole.length === 0) {
      response.writeHead(status, answer.headers).end(whole);
      return;
    }
    const json = renameAnswer(JSON.parse(whole.toString('utf8')), toVendor);
    const { 'content-length': _, ...kept } = answer.headers;
    response.writeHead(status, kept).end(JSON.stringify(json));
  });
  sent.end(body);
}

async function wholeOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function renameBody(type: string, body: Buffer, renaming: Renaming): Buffer {
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Buffer.from(renamePairs(new URLSearchParams(body.toString('utf8')), renaming).toString());
  if (!type.startsWith('application/json')) return body;
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    return isObject(json) ? Buffer.from(JSON.stringify(renameCall(json, renaming))) : body;
  } catch {
    // What is no JSON is for the site to refuse.
    return body;
  }
}

/** Arguments, and those of the parts of a batch with their paths. */
function renameCall(call: object, renaming: Renaming): object {
  const parts = member(call, 'requests');
  if (!Array.isArray(parts)) return renameArguments(call, renaming);
  const requests = parts.map((part: unknown) => {
    const path = member(part, 'path');
    const body = member(part, 'body');
    if (!isObject(part)) return part;
    return {
      ...part,
      ...(typeof path === 'string' && { path: renamePath(path, renaming) }),
      ...(isObject(body) && { body: renameArguments(body, renaming) }),
    };
  });
  return { ...call, requests };
}

function renamePath(path: string, renaming: Renaming): string {
  const [route = '', query] = path.split('?');
  const renamed = renameRoute(route, renaming);
  return query === undefined ? renamed : `${renamed}?${renamePairs(new URLSearchParams(query), renaming)}`;
}

/** Wherever an answer is of the index (§1) or shows the fields of records, in the words of the vendor. */
function renameAnswer(json: unknown, renaming: Renaming): unknown {
  if (Array.isArray(json)) return json.map((item: unknown) => renameAnswer(item, renaming));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, renameMember(name, value, renaming)]),
  );
}

function renameMember(name: string, value: unknown, renaming: Renaming): unknown {
  if (name === 'namespaces' && Array.isArray(value)) return renameValue('namespace', value, renaming);
  if (name === 'namespace') return renameValue('namespace', value, renaming);
  if (name === 'routes' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([route, entry]) => [
        renameRoute(route, renaming),
        renameAnswer(entry, renaming),
      ]),
    );
  }
  if (name === 'args' && isObject(value)) return renameDeclarations(value, renaming);
  if (name === 'meta' && isObject(value)) return renameKeys(value, renaming.metaKeys);
  if (name === 'href' && typeof value === 'string')
    return value.replace(/(?<=rest_route=)[^&#]*/, (route) => renameRoute(route, renaming));
  return renameAnswer(value, renaming);
}

/** The descriptions of parameters: their names, and what their values are called. */
function renameDeclarations(args: object, renaming: Renaming): object {
  const described = Object.entries(args).map(([name, arg]) => [name, renameDeclared(name, arg, renaming)]);
  return renameKeys(Object.fromEntries(described), renaming.parameters);
}

function renameDeclared(name: string, declared: unknown, renaming: Renaming): unknown {
  if (!isObject(declared)) return declared;
  const { enum: values, default: usual, items, properties } = declared;
  return {
    ...declared,
    ...(values !== undefined && { enum: renameValue(name, values, renaming) }),
    ...(usual !== undefined && { default: renameValue(name, usual, renaming) }),
    ...(items !== undefined && { items: renameDeclared(name, items, renaming) }),
    ...(name === 'meta' && isObject(properties) && { properties: renameKeys(properties, renaming.metaKeys) }),
  };
}
