import { createHash } from 'node:crypto';
import { plainRoute } from '../client/route-pattern.ts';

const LENGTH = 12;

/**
 * The id by which a person names a change: the same in every comparison, on every machine and for every version. It is of what
 * changed and where alone; the expressions of a route do not count, nor do values, addresses and wording.
 */
export function digestOfChange(kind: string, id: string): string {
  return `chg-${digestOf([kind, plainRoute(id)])}`;
}

/** The same of a cause, which is one thing in however many places of a namespace. @param others what tells it from its like */
export function digestOfCause(
  kind: string,
  owner: string,
  subject: string,
  others: readonly string[] = [],
): string {
  return `cause-${digestOf([kind, owner, plainRoute(subject), ...others])}`;
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, LENGTH);
}
