/** A field of the records of a resource, or a member inside it, by the names of the target. */
export interface FieldPlace {
  resource: string;
  field: string;
  member?: string;
}

/** Names that every object shows, and those that only some show; sorted. */
export interface FieldNames {
  always: string[];
  sometimes: string[];
}

/** Which fields the records of a resource showed in one context, by name. */
export interface ShownFields extends FieldNames {
  resource: string;
  /** The operation that lists them. */
  operation: string;
  context: string;
  /** How many records were looked at. */
  records: number;
  /** The members of fields that are objects; `always` where every record has them. */
  inside?: Record<string, FieldNames>;
  /** There were more names than are noted. */
  cut?: true;
}
