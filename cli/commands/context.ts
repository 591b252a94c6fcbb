import type { Redactor } from '../../client/redact.ts';

/** What a command is given beside its arguments. */
export interface CommandContext {
  /** Masks what must not be said. */
  readonly hide: Redactor;
  /** Takes the exit code. */
  ends(code: number): void;
}

/** The settings that say who asks a site, how, and what it is. */
export const ASKED_WITH = [
  'config',
  'user',
  'deployment',
  'vocabulary',
  'header',
  'insecure',
  'timeout',
  'rate',
  'concurrency',
] as const;
