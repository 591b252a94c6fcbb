const SAMPLES = 64;
const RATE = 8000;

/** A sound of a few silent samples: a WAV file of one channel with eight bits, made on the spot. */
export const SILENCE: Uint8Array = wav();

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
    chunk('fmt ', format),
    // In eight bits silence is the middle.
    chunk('data', Buffer.alloc(SAMPLES, 128)),
  ]);
  return chunk('RIFF', chunks);
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}
