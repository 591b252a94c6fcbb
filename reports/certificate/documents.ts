import type { RunMode } from '../../client/mode.ts';
import type { RunResult, Verdict } from '../../engine/result.ts';
import type { FixtureMode } from '../../engine/run-options.ts';
import type { Level } from '../../specs/releases.ts';

/** The contract that is certified against. */
interface CertifiedContract {
  /** The release that says what is required. */
  readonly release: string;
  /** The release that the tool ran with. */
  readonly suite: string;
  readonly deployment: string;
  readonly vocabulary: string;
  /** The digest of the contract that the tool ran with. */
  readonly digest: string;
}

/** What `plan.json` holds: what is asked, and how, frozen before the first request. */
export interface CertificatePlan {
  readonly format: 1;
  readonly level: Level;
  readonly contract: CertifiedContract;
  readonly mode: RunMode;
  readonly seed: number;
  readonly examples: number;
  readonly strict: boolean;
  readonly hints?: typeof HINTS;
  /** Which records the run makes for its checks; certificates of before it was noted lack it, and what follows. */
  readonly stage?: FixtureMode;
  /** Requests under way at once, and seconds for one exchange. */
  readonly concurrency?: number;
  readonly timeout?: number;
  /** Requests a second, and seconds for the whole run, where there is such a bound. */
  readonly rate?: number;
  readonly budget?: number;
  /** The names of the headers that every request has; never their values. */
  readonly headers?: readonly string[];
  /** Ids of checks, in their order. */
  readonly required: readonly string[];
  /** Required by the release, and no longer asked by the tool. */
  readonly dropped: readonly string[];
  /** Asked by the tool in another way than by the release. */
  readonly changed: readonly string[];
}

/** A required check that is not met. */
export interface Unmet {
  readonly id: string;
  readonly verdict: Exclude<Verdict, 'pass'> | 'absent';
  readonly waived?: true;
}

/** What a run says of the required checks. */
export interface CertificateOutcome {
  readonly conclusion: 'conformant' | 'partial';
  readonly required: number;
  readonly met: number;
  readonly unmet: readonly Unmet[];
  /** Met with a warning: something doubtful or advisory. */
  readonly warned: readonly string[];
  /** Met because the contract itself asks nothing there. */
  readonly notApplicable: readonly string[];
  /** Inconclusive, blocked or waived, of a doubtful requirement. */
  readonly doubtful: readonly string[];
  /** Inconclusive, which a conforming site may leave so. */
  readonly untold: readonly string[];
  /** Does not hold as the tool asks it, which is not as the release did; only where there is such a check. */
  readonly otherwise?: readonly string[];
}

/** What `subject.json` holds: what is certified, and the conclusion. */
export interface CertificateSubject extends CertificateOutcome {
  readonly format: 1;
  /** Name and version, as its author gave them. */
  readonly implementation: string;
  readonly level: Level;
  readonly contract: CertifiedContract;
  /** The tool with its version. */
  readonly tool: string;
  readonly run: string;
  readonly started: string;
  /** The digest of the index as the site gave it. */
  readonly index: string;
  /** Whether secrets were masked in `index.json`. */
  readonly indexMasked: boolean;
}

/** What a certificate says, once nothing in its folder is altered. */
export interface Contents {
  readonly subject: CertificateSubject;
  readonly plan: CertificatePlan;
  readonly results: RunResult;
}

/** Something that does not hold, and the file that it is about. */
export interface Problem {
  readonly about: string;
  readonly message: string;
}

/** A problem with a file. */
export function problem(about: string, message: string): Problem {
  return { about, message };
}

/** A file or a contract with its digest, as in-toto names things (ResourceDescriptor). */
interface Described {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** An in-toto Statement v1 with the test-result predicate v0.1. */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly Described[];
  readonly predicateType: 'https://in-toto.io/attestation/test-result/v0.1';
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED';
    readonly configuration: readonly Described[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
  };
}

/** A DSSE envelope, signed once or not at all. */
export interface Envelope {
  readonly payload: string;
  readonly payloadType: 'application/vnd.in-toto+json';
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** The files of a certificate, beside those that are there only sometimes. */
export const FILES = {
  certificate: 'certificate.json',
  subject: 'subject.json',
  plan: 'plan.json',
  results: 'results.json',
  events: 'events.ndjson',
  index: 'index.json',
  coverage: 'coverage.json',
  badge: 'badge.json',
  repeat: 'REPEAT.md',
  junit: 'junit.xml',
  page: 'report.html',
} as const;

/** The hints of the owner, where the run had some. */
export const HINTS = 'hints.json';

/** The public half of the key, where the certificate is signed. */
export const PUBLIC_KEY = 'public-key.pem';
