import { encodeForm, FORM_TYPE } from './encode-form.ts';
import type { RequestBody } from './observation.ts';

/** The body of a request as it goes over the wire, with the headers that describe it. */
export function encodeBody(body: RequestBody): {
  headers: Record<string, string>;
  content: string | Uint8Array;
} {
  if ('json' in body) {
    return { headers: { 'content-type': 'application/json' }, content: JSON.stringify(body.json) };
  }
  if ('form' in body) return { headers: { 'content-type': FORM_TYPE }, content: encodeForm(body.form) };
  return {
    headers: {
      'content-type': body.type,
      ...(body.disposition !== undefined && { 'content-disposition': body.disposition }),
    },
    content: body.bytes,
  };
}
