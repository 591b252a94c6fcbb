/** A body of several parts, as a form with a file sends it. */
export interface Multipart {
  readonly bytes: Uint8Array;
  readonly type: string;
}

/** A file of a form. */
export interface FormFile {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * Writes a form with a file as multipart/form-data.
 * @param fields names and values of plain text; @param boundary a word that neither they nor the file hold
 */
export function multipart(
  fields: Readonly<Record<string, string>>,
  file: FormFile,
  boundary: string,
): Multipart {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; filename="${file.name}"\r\n` +
    `Content-Type: ${file.type}\r\n\r\n`;
  return {
    bytes: Buffer.concat([
      Buffer.from(texts.join('') + head),
      file.bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}
