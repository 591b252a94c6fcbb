import type { CertificateSubject } from './documents.ts';

/** What `badge.json` holds, as badge services read an endpoint. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

/** The badge of a certificate: its level and contract, and whether all of it was met. */
export function certificateBadge(subject: CertificateSubject): Badge {
  const { conclusion, level, contract, met, required } = subject;
  const claim = `level ${level} of ${contract.deployment} ${contract.release}`;
  return {
    schemaVersion: 1,
    label: 'conformance',
    message: conclusion === 'conformant' ? claim : `${claim}: ${met} of ${required}`,
    color: conclusion === 'conformant' ? 'brightgreen' : 'yellow',
  };
}
