import { createHash } from 'node:crypto';
import { isObject, member } from '../reference/json.ts';

/** Members that tell about one site, or repeat for people what others say. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['_links', 'class_list', 'guid', 'permalink_template', 'generated_slug', 'author_name', 'author_url'],
  ...['media_details', 'missing_image_sizes', 'html', 'thumbnail_url'],
]);

/**
 * An answer without what is no fact of the interface: of a refusal its code stays, and of the index all but descriptions
 * and links to elsewhere. What namespace roots answer, and the index in another context than the one that is stated, is
 * silent (§4.1): of their routes a digest stays, which tells answers apart.
 */
export function reduceBody(json: unknown, route: string, query: string, status: number): unknown {
  if (status >= 400) return isObject(json) ? { code: member(json, 'code') } : null;
  const isIndex = route === '/' && !query.includes('context=help');
  return isIndex ? reduceIndex(json, true) : reduce(json);
}

function reduce(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(reduce);
  if (!isObject(json)) return json;
  // A refusal in a part of a batch.
  if (typeof json.code === 'string' && typeof json.message === 'string') return { code: json.code };
  return Object.fromEntries(
    Object.entries(json)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, value]) => [name, name === 'routes' ? digest(value) : reduce(value)]),
  );
}

function reduceIndex(json: unknown, top = false): unknown {
  if (Array.isArray(json)) return json.map((item: unknown) => reduceIndex(item));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(([name, value]) =>
        top ? name !== '_links' : name !== 'description' || typeof value !== 'string',
      )
      .map(([name, value]) => [name, reduceIndex(value)]),
  );
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
