import { showPart } from '../../client/curl-line.ts';
import type { Finding } from '../../engine/check.ts';
import { failure } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';

/** A failure that the index shows. @param path the members of the index that lead to what it is about */
export function indexFailure(
  session: Session,
  message: string,
  expected: string,
  observed: string,
  ...path: (string | number)[]
): Finding {
  return failure(message, { expected, observed, reproduce: [indexCurl(session, ...path)] });
}

/**
 * The line for a shell that shows the one part of the index that a finding is about.
 * @param path the members that lead there; a route or parameter that is not there shows as `undefined`
 */
export function indexCurl(session: Session, ...path: (string | number)[]): string {
  const { client } = session;
  return client.redact(showPart(client.curl({ method: 'GET', route: '/' }), path));
}
