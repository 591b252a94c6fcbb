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

/** Each kind with what is sent. */
export const FILES: Readonly<Record<FileKind, { bytes: Uint8Array; type: string; extension: string }>> = {
  picture: { bytes: PIXEL, type: 'image/png', extension: 'png' },
  sound: { bytes: SILENCE, type: 'audio/wav', extension: 'wav' },
  text: { bytes: Buffer.from('Plain notes.\n'), type: 'text/plain', extension: 'txt' },
};
