import { defined } from '../../client/json.ts';
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

/** The options with these names, as far as they are given. */
export function given<Options extends object, Name extends keyof Options>(
  options: Options,
  names: readonly Name[],
): Partial<Pick<Options, Name>>;
export function given(options: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return defined(Object.fromEntries(names.map((name) => [name, options[name]])));
}
