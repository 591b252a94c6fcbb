import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 4;
const HEIGHT = 2;

/** A picture of a few pixels, so small that nothing needs to be resized: a PNG made on the spot. */
export const PIXEL: Uint8Array = png();

function png(): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: WIDTH }, (__, x) => [x * 60, y * 120, 90]).flat()]),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, check]);
}

const SAMPLES = 64;
const RATE = 8000;

/** A sound of a few silent samples: a WAV file of one channel with eight bits, made on the spot. */
const SILENCE: Uint8Array = wav();

function wav(): Uint8Array {
  const format = Buffer.alloc(16);
  // Plain samples, one channel, samples and bytes in a second, bytes and bits of a sample.
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(RATE, 4);
  format.writeUInt32LE(RATE, 8);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(8, 14);
  const chunks = Buffer.concat([
    Buffer.from('WAVE', 'latin1'),
    waveChunk('fmt ', format),
    // In eight bits silence is the middle.
    waveChunk('data', Buffer.alloc(SAMPLES, 128)),
  ]);
  return waveChunk('RIFF', chunks);
}

function waveChunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

/** A file that is uploaded: a picture of a few pixels, a sound of a few samples, or a text of a few words. */
export type FileKind = 'picture' | 'sound' | 'text';

/** Each kind with what is sent. */
export const FILES: Readonly<Record<FileKind, { bytes: Uint8Array; type: string; extension: string }>> = {
  picture: { bytes: PIXEL, type: 'image/png', extension: 'png' },
  sound: { bytes: SILENCE, type: 'audio/wav', extension: 'wav' },
  text: { bytes: new TextEncoder().encode('Plain notes.\n'), type: 'text/plain', extension: 'txt' },
};
