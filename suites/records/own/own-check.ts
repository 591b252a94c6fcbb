import type { Check, Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import type { OwnRecords } from './own-records.ts';
import { ownRecordsOf } from './own-records-of.ts';

/** A check before it is told how checks of own records are run. */
export interface OwnCheck
  extends Pick<
    Check,
    'id' | 'title' | 'section' | 'basis' | 'operation' | 'parameter' | 'dependsOn' | 'buildsOn' | 'fuzz'
  > {
  run(session: Session, own: OwnRecords): Promise<readonly Finding[]>;
}

/** A check that writes own records: for mode write with credentials. What it throws as `Ended` is its finding. */
export function ownCheck({ run, ...about }: OwnCheck): Check {
  return {
    ...about,
    effect: 'writes',
    mode: 'write',
    needsUser: true,
    async run(session) {
      const own = ownRecordsOf(session);
      if (own === undefined) {
        return [inconclusive('no records of its own can be written')];
      }
      return run(session, own);
    },
  };
}
