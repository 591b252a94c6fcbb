import { contractKey, type Release } from '../../../specs/releases.ts';
import type { Contents, Envelope, Statement } from '../documents.ts';
import { FILES } from '../documents.ts';
import { payloadOf } from '../envelope.ts';
import { type Problem, problem } from '../read.ts';
import { releaseOf } from '../required.ts';
import { statementBytes, statementOf } from '../statement.ts';
import { UnusableCertificate } from '../unusable.ts';
import { eventProblems } from './event-problems.ts';
import { fileProblems } from './file-problems.ts';
import type { Grounds } from './grounds.ts';
import { planProblems } from './plan-problems.ts';
import { resultProblems } from './result-problems.ts';
import { subjectProblems } from './subject-problems.ts';

/** A certificate none of whose files is altered. */
interface Unaltered extends Contents {
  readonly envelope: Envelope;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly isSameTool: boolean;
}

/**
 * Whether the documents of a certificate agree with each other and with the release of the contract: everything in them that
 * follows from something else is computed anew.
 * @throws UnusableCertificate for a contract that is not known
 */
export function agree(unaltered: Unaltered, releases: readonly Release[]): Problem[] {
  const { plan, subject, envelope, files } = unaltered;
  const suite = releaseOf(releases, plan.contract.suite);
  const grounds: Grounds = { ...unaltered, suite, release: releaseOf(releases, plan.contract.release) };
  const key = contractKey(plan.contract);
  if (suite.contracts[key] !== plan.contract.digest) {
    throw new UnusableCertificate(
      `contract ${plan.contract.digest} is not that of ${key} in release ${suite.version}: a certificate of an unknown contract; expected one of a deployment and a vocabulary that come with site-conformance`,
    );
  }
  const statement: Statement = statementOf(subject, files);
  const isWhatFollows = statementBytes(statement).equals(payloadOf(envelope));
  return [
    ...planProblems(grounds),
    ...resultProblems(grounds),
    ...eventProblems(grounds),
    ...subjectProblems(grounds),
    ...fileProblems(grounds, envelope.signatures.length > 0),
    ...(isWhatFollows ? [] : [problem(FILES.certificate, 'does not say what follows from its files')]),
  ];
}
