import type { Finding } from '../../engine/check.ts';
import { failure } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { indexCurl } from './index-curl.ts';

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
