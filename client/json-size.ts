/** What a JSON text holds, found without parsing it. */
export interface JsonSize {
  /** How deep brackets nest. */
  readonly depth: number;
  /** How many values there are, or a few more. */
  readonly values: number;
}

/**
 * Counts what parsing a JSON text would make, in one pass: a text of nothing but brackets becomes fifty times its size.
 * @param text in UTF-8, which says all that counts here in single bytes
 * @param limits counting stops as soon as one of them is passed
 */
export function sizeOfJson(text: Uint8Array, limits: JsonSize): JsonSize {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text[at];
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x2c) values += 1;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      values += 1;
      deepest = Math.max(deepest, depth);
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (deepest > limits.depth || values > limits.values) break;
  }
  return { depth: deepest, values };
}
