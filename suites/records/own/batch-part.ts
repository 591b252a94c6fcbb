/** A request inside a batch (§4.2). */
export interface BatchPart {
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A route in the words of the target; it may carry a query. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** What the answer to a batch says about a part: only a hint, because how parts are answered is silent (R37). */
export interface PartHint {
  readonly status: number | undefined;
  readonly id: number | undefined;
}
