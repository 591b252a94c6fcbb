/** A JSON value of a target: known to be JSON, and nothing more. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that the object itself holds; never one that JavaScript objects inherit, such as `constructor`. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The object that a value stands for: an empty array is an empty object, as the interface prints it (R30). */
export function asObject(value: unknown): JsonObject | undefined {
  if (isObject(value)) return value;
  return Array.isArray(value) && value.length === 0 ? {} : undefined;
}

/** Whether brackets in a JSON text nest deeper than `limit`, found without parsing it. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}
