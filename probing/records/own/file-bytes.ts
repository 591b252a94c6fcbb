import { crc32 } from 'node:zlib';
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

/** What is sent for each kind: other bytes for each name, because software may keep equal files once. */
export const SAMPLE_FILES: Readonly<
  Record<FileKind, { bytesFor: (name: string) => Uint8Array; type: string; extension: string }>
> = {
  picture: { bytesFor: pictureNamed, type: 'image/png', extension: 'png' },
  sound: { bytesFor: soundNamed, type: 'audio/wav', extension: 'wav' },
  text: { bytesFor: (name) => Buffer.from(`Plain notes: ${name}.\n`), type: 'text/plain', extension: 'txt' },
};

/** The length of the chunk that ends a PNG image. */
const END = 12;

function pictureNamed(name: string): Uint8Array {
  const chunk = Buffer.from(`tEXtComment\0${name}`, 'latin1');
  const [length, sum] = [numberAs4Bytes(chunk.length - 4), numberAs4Bytes(crc32(chunk))];
  return Buffer.concat([PIXEL.subarray(0, -END), length, chunk, sum, PIXEL.subarray(-END)]);
}

function numberAs4Bytes(number: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

/** The sound whose last samples are the end of its name. */
function soundNamed(name: string): Uint8Array {
  const bytes = Buffer.from(SILENCE);
  const samples = Buffer.from(name, 'latin1').subarray(-32);
  samples.copy(bytes, bytes.length - samples.length);
  return bytes;
}

/** The body of a request that is a file, a picture unless given. @param name of the file, without its extension */
export function rawBody(name: string, kind: FileKind = 'picture'): RequestBody {
  const { bytesFor, type, extension } = SAMPLE_FILES[kind];
  return { bytes: bytesFor(name), type, disposition: `attachment; filename="${name}.${extension}"` };
}

const BOUNDARY = 'site-conformance-part';

/** The body of a form with such a file as its field `file`. It is written by hand, because FormData alters line breaks. */
export function formBody(texts: readonly Pair[], name: string, kind: FileKind = 'picture'): RequestBody {
  const { bytesFor, type, extension } = SAMPLE_FILES[kind];
  const begin = `--${BOUNDARY}\r\nContent-Disposition: form-data; name=`;
  const fields = texts.map(([field, text]) => `${begin}"${field}"\r\n\r\n${text}\r\n`);
  const file = `${begin}"file"; filename="${name}.${extension}"\r\nContent-Type: ${type}\r\n\r\n`;
  const parts = [Buffer.from(fields.join('') + file), bytesFor(name), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
  return { bytes: Buffer.concat(parts), type: `multipart/form-data; boundary=${BOUNDARY}` };
}
