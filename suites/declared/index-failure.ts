import type { Finding } from '../check.ts';
import type { Session } from '../session.ts';
import { indexCurl } from './index-curl.ts';

/** A failure that the index shows. */
export function indexFailure(session: Session, message: string, expected: string, observed: string): Finding {
  return { kind: 'failure', message, expected, observed, reproduce: [indexCurl(session)] };
}
