import type { Session } from '../session.ts';

/** The line for a shell that shows the index again. */
export function indexCurl(session: Session): string {
  return session.client.curl({ method: 'GET', route: '/' });
}
