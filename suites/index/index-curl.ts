import { showPart } from '../../client/curl-line.ts';
import type { Session } from '../../engine/session.ts';

/**
 * The line for a shell that shows the one part of the index that a finding is about.
 * @param path the members that lead there; a route or parameter that is not there shows as `undefined`
 */
export function indexCurl(session: Session, ...path: (string | number)[]): string {
  const { client } = session;
  return client.redact(showPart(client.curl({ method: 'GET', route: '/' }), path));
}
