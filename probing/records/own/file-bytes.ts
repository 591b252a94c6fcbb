import type { RequestBody } from '../../../client/observation.ts';
import type { Pair } from '../../../generators/wire-forms.ts';

/** A picture of four by two pixels, so small that nothing needs to be resized. */
export const PIXEL: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAH0lEQVR4nAXBAQEAAAiDMIKZhCQEe0A3wMNwCHlZLh9OYgeBiVIsKAAAAABJRU5ErkJggg==',
  'base64',
);

/** The head of a WAV file with 64 samples of eight bits in one channel, in which 128 is silence. */
const HEAD = Buffer.from('UklGRmQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YUAAAAA=', 'base64');
const SILENCE: Uint8Array = Buffer.concat([HEAD, Buffer.alloc(64, 128)]);

/** A file that is uploaded: a picture of a few pixels, a sound of a few samples, or a text of a few words. */
export type FileKind = 'picture' | 'sound' | 'text';

/** What is sent for each kind. */
export const SAMPLE_FILES: Readonly<
  Record<FileKind, { bytes: Uint8Array; type: string; extension: string }>
> = {
  picture: { bytes: PIXEL, type: 'image/png', extension: 'png' },
  sound: { bytes: SILENCE, type: 'audio/wav', extension: 'wav' },
  text: { bytes: Buffer.from('Plain notes.\n'), type: 'text/plain', extension: 'txt' },
};

/** The body of a request that is a file, a picture unless given. @param name of the file, without its extension */
export function rawBody(name: string, kind: FileKind = 'picture'): RequestBody {
  const { bytes, type, extension } = SAMPLE_FILES[kind];
  return { bytes, type, disposition: `attachment; filename="${name}.${extension}"` };
}

const BOUNDARY = 'site-conformance-part';

/** The body of a form with such a file as its field `file`. It is written by hand, because FormData alters line breaks. */
export function formBody(texts: readonly Pair[], name: string, kind: FileKind = 'picture'): RequestBody {
  const { bytes, type, extension } = SAMPLE_FILES[kind];
  const begin = `--${BOUNDARY}\r\nContent-Disposition: form-data; name=`;
  const fields = texts.map(([field, text]) => `${begin}"${field}"\r\n\r\n${text}\r\n`);
  const file = `${begin}"file"; filename="${name}.${extension}"\r\nContent-Type: ${type}\r\n\r\n`;
  const parts = [Buffer.from(fields.join('') + file), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
  return { bytes: Buffer.concat(parts), type: `multipart/form-data; boundary=${BOUNDARY}` };
}
