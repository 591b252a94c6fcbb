/** A request as it came in. */
export interface Seen {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The value of `rest_route`, or an empty text. */
export function routeOf({ url }: Pick<Seen, 'url'>): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : (new URLSearchParams(url.slice(mark + 1)).get('rest_route') ?? '');
}

/** Whether a request carries credentials. */
export function isAuthenticated({ headers }: Pick<Seen, 'headers'>): boolean {
  return headers.authorization !== undefined;
}
