import type { Json } from './json.ts';

/** What a route answers. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Printed as JSON unless it is a `Text`. */
  body: Json | Text;
}

/** A body that is not JSON. */
export class Text {
  readonly type: string;
  readonly content: string | Uint8Array;

  /** @param type value of `Content-Type`; `content` the body */
  constructor(type: string, content: string | Uint8Array) {
    this.type = type;
    this.content = content;
  }
}

/** A plain answer with a JSON body. */
export function answer(body: Json, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, headers, body };
}
