import { join } from 'node:path';
import { readValidated } from './validators.ts';

/** A section of the specification in words of our own. */
export interface Section {
  /** Such as `4.6`. */
  readonly section: string;
  readonly title: string;
  /** What it asks for and what it leaves open, a sentence or two each. */
  readonly clauses: readonly string[];
}

/** Reads `clauses.json`: the sections in their order, by number. @throws SpecError when it breaks its schema */
export function loadClauses(): ReadonlyMap<string, Section> {
  const rows = readValidated<Section[]>(join(import.meta.dirname, 'clauses.json'), 'clauses.schema.json');
  return new Map(rows.map((row) => [row.section, row]));
}
