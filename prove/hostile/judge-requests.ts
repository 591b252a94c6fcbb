import type { RunMode } from '../../client/mode.ts';
import type { Seen } from '../../sites/hostile/request-log.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const OVERRIDE_HEADER = /^x[-_]http[-_]method/i;

/** What was sent that the mode does not allow: other methods than safe ones in mode `read`, an override in any mode. */
export function judgeMethods(mode: RunMode, seen: readonly Seen[]): string[] {
  return seen.flatMap((request) => {
    const wrong = [
      ...(mode === 'read' && !SAFE.has(request.method) ? [`${request.method} ${request.url}`] : []),
      ...(overrides(request) ? [`an override of the method: ${request.method} ${request.url}`] : []),
    ];
    return wrong.map((text) => text.slice(0, 200));
  });
}

function overrides({ url, headers, body }: Seen): boolean {
  const mark = url.indexOf('?');
  const pairs = [mark < 0 ? '' : url.slice(mark + 1)];
  if (headers['content-type']?.includes('x-www-form-urlencoded')) pairs.push(body.toString('latin1'));
  return Object.keys(headers).some((name) => OVERRIDE_HEADER.test(name)) || pairs.some(namesMethod);
}

/** PHP reads blanks and dots in a name as underscores, and cuts it at a bracket or a NUL. */
function namesMethod(query: string): boolean {
  return query
    .split(/[&;]/)
    .map((pair) => decode(decode(pair.split('=')[0] ?? '')))
    .map((name) => name.trimStart().replaceAll(/[ .[]/g, '_').toLowerCase())
    .some((name) => /^_*_method(?:$|[^a-z])/.test(name));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
