import { describe, expect, it } from 'vitest';
import { PIXEL } from '../../../probing/records/own/file-bytes.ts';
import { multipart } from './media-checks.ts';

describe('a form with a file', () => {
  it('is read back as it was written', async () => {
    const file = { field: 'file', name: 'a-b.png', type: 'image/png', bytes: PIXEL };
    const { bytes, type } = await multipart({ title: 'Zwei Wörter', empty: '' }, file);
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    const read = form.get('file');

    expect([...form.keys()]).toEqual(['title', 'empty', 'file']);
    expect([form.get('title'), form.get('empty')]).toEqual(['Zwei Wörter', '']);
    expect(read).toBeInstanceOf(File);
    if (!(read instanceof File)) return;
    expect([read.name, read.type]).toEqual(['a-b.png', 'image/png']);
    expect(Buffer.from(await read.bytes()).equals(PIXEL)).toBe(true);
  });
});
