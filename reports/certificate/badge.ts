import type { Badge } from '../reporters/badge.ts';
import type { CertificateSubject } from './documents.ts';

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
