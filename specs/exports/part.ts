/** A JSON object of a document that is exported. */
export type Part = Readonly<Record<string, unknown>>;
