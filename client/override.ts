/** The parameter that overrides the method, in every spelling that PHP reads as it. */
const PARAMETER = /^[ ._[]+method(?:$|[[\0])/i;
/** The headers that override it: a server may read any sign between the words as an underscore. */
const HEADER = /^x[^a-z\d]http[^a-z\d]method[^a-z\d]override$/i;
const NAME_IN_MULTIPART = /\bname\s*=\s*(?:"([^"]*)"|([^\s";]+))/gi;

/** Whether the name of a parameter makes a site take another method than the one of the request. */
export function overridesMethod(parameter: string): boolean {
  return PARAMETER.test(parameter);
}

/** Whether a header does. */
export function overridesByHeader(name: string): boolean {
  return HEADER.test(name);
}

/**
 * Whether a query, or a form in a body, does: names are decoded as PHP decodes them, and parted by `;` too, because a
 * site may be configured so.
 */
export function overridesInQuery(query: string): boolean {
  return query.split(/[&;]/).some((pair) => overridesMethod(decodeName(pair.split('=', 1)[0] ?? '')));
}

/** Whether the address of a request does, as it will be sent. */
export function overridesInAddress(address: string): boolean {
  const [, query = ''] = address.split('#', 1)[0]?.split(/\?(.*)/s) ?? [];
  return overridesInQuery(query);
}

/** Whether a JSON value names an override at any depth: the parts of a batch are requests too, with paths of their own. */
export function overridesInJson(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  return Object.entries(json).some(
    ([name, inner]) =>
      overridesMethod(name) ||
      overridesByHeader(name) ||
      (name === 'path' && typeof inner === 'string' && overridesInAddress(inner)) ||
      overridesInJson(inner),
  );
}

/** Whether the bytes of a form do, by their type; other bytes are read as a file, which names nothing. */
export function overridesInBytes(bytes: Uint8Array, type: string): boolean {
  if (!type.includes('form')) return false;
  const text = Buffer.from(bytes).toString('latin1');
  if (type.includes('urlencoded')) return overridesInQuery(text);
  return [...text.matchAll(NAME_IN_MULTIPART)].some(([, quoted, bare]) =>
    overridesMethod(quoted ?? bare ?? ''),
  );
}

/** A name as PHP decodes it: what is no valid escape stays. */
function decodeName(name: string): string {
  return name
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
