import { defined } from '../../client/json.ts';
import type { Redactor } from '../../client/redact.ts';

/** The context of a command, besides its arguments. */
export interface CommandContext {
  readonly hide: Redactor;
  /** Takes the exit code. */
  ends(code: number): void;
}

/** The settings that decide how a site is reached, and not what is asked. */
export const REACHING = ['header', 'insecure', 'timeout', 'confirmHost', 'rate', 'concurrency'] as const;

/** The settings that decide who sends requests, how, and to which site. */
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

/** The given options among these names. */
export function given<Options extends object, Name extends keyof Options>(
  options: Options,
  names: readonly Name[],
): Partial<Pick<Options, Name>>;
export function given(options: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return defined(Object.fromEntries(names.map((name) => [name, options[name]])));
}
