/** The rest of a check id behind its operation, for a reader who sees the operation already; the whole id of any other. */
export function withinOperation(id: string, operation: string | undefined): string {
  const start = `${operation}/`;
  return operation !== undefined && id.startsWith(start) ? id.slice(start.length) : id;
}
