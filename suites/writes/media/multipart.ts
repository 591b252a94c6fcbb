/** A body of several parts, as a form with a file sends it. */
export interface Multipart {
  readonly bytes: Uint8Array;
  readonly type: string;
}

/** Writes a form with a file as multipart/form-data. @param fields names and values of plain text */
export async function multipart(
  fields: Readonly<Record<string, string>>,
  file: { readonly field: string; readonly name: string; readonly type: string; readonly bytes: Uint8Array },
): Promise<Multipart> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(file.field, new File([new Uint8Array(file.bytes)], file.name, { type: file.type }));
  const body = new Response(form);
  const type = body.headers.get('content-type') ?? 'multipart/form-data';
  return { bytes: new Uint8Array(await body.arrayBuffer()), type };
}
