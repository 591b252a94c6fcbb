/** A parameter as the reference deployment declares it. */
export interface Arg {
  type?: string | string[];
  required?: unknown;
  default?: unknown;
  enum?: unknown[];
  items?: Arg;
  properties?: Record<string, Arg>;
  [key: string]: unknown;
}

/** An endpoint of a route of the reference deployment. */
export interface Endpoint {
  methods: string[];
  args: Record<string, Arg>;
  allow_batch?: unknown;
}

/** A route of the reference deployment. */
export interface Entry {
  namespace: string;
  methods: string[];
  endpoints: Endpoint[];
  _links?: unknown;
}

/** The index of the reference deployment, to be changed. */
export interface IndexDocument {
  namespaces: string[];
  routes: Record<string, Entry>;
  [key: string]: unknown;
}
