import { join } from 'node:path';
import type { Basis } from './operation-file.ts';
import { readValidated } from './validators.ts';

/** A row of `requirements.json`: what operation files cannot express, with globs of its checks or the reason for none. */
export interface Requirement {
  readonly id: string;
  readonly section: string;
  readonly basis: Basis;
  readonly statement: string;
  /** Neutral names: the row holds only where the deployment serves one of them. */
  readonly namespaces?: readonly string[];
  readonly checks?: readonly string[];
  /** Completes the sentence "there is no check, because …". */
  readonly reason?: string;
}

/** A row of `unspecified.json`: what is not shown, and what no check asserts for that reason. */
export interface Unspecified {
  readonly id: string;
  readonly section: string;
  readonly subject: string;
  readonly never: string;
}

/** Reads `requirements.json`. @throws SpecError when it breaks its schema */
export function loadRequirements(): Requirement[] {
  return readValidated(join(import.meta.dirname, 'requirements.json'), 'requirements.schema.json');
}

/** Reads `unspecified.json`. @throws SpecError when it breaks its schema */
export function loadUnspecified(): Unspecified[] {
  return readValidated(join(import.meta.dirname, 'unspecified.json'), 'unspecified.schema.json');
}
