import type { RunMode } from '../../client/mode.ts';
import type { RunResult, Verdict } from '../../engine/result.ts';
import type { FixtureMode } from '../../engine/run-options.ts';
import type { Level } from '../../specs/releases.ts';

interface CertifiedContract {
  /** The release with the requirements. */
  readonly release: string;
  /** The release of the tool that ran. */
  readonly suite: string;
  readonly deployment: string;
  readonly vocabulary: string;
  /** The digest of the tool's contract. */
  readonly digest: string;
}

/** The content of `plan.json`: what is checked and how, frozen before the first request. */
export interface CertificatePlan {
  readonly format: 1;
  readonly level: Level;
  readonly contract: CertifiedContract;
  readonly mode: RunMode;
  readonly seed: number;
  readonly examples: number;
  readonly strict: boolean;
  readonly hints?: typeof HINTS;
  /** Which fixtures the run creates. */
  readonly stage: FixtureMode;
  /** Requests at once, and seconds for one exchange. */
  readonly concurrency: number;
  readonly timeout: number;
  /** Requests in a second, and seconds for the whole run, if limited. */
  readonly rate?: number;
  readonly budget?: number;
  /** The names of the headers of every request, without values. */
  readonly headers: readonly string[];
  readonly required: readonly string[];
  /** Required by the release, and no longer part of the tool. */
  readonly dropped: readonly string[];
  /** Different in the tool than in the release. */
  readonly changed: readonly string[];
}

export interface Unmet {
  readonly id: string;
  readonly verdict: Exclude<Verdict, 'pass'> | 'absent';
  readonly waived?: true;
}

export interface CertificateOutcome {
  readonly conclusion: 'conformant' | 'partial';
  readonly required: number;
  readonly met: number;
  readonly unmet: readonly Unmet[];
  /** Met with a warning: doubtful or advisory. */
  readonly warned: readonly string[];
  /** Met because the contract requires nothing there. */
  readonly notApplicable: readonly string[];
  /** Inconclusive, blocked or waived, with a doubtful requirement. */
  readonly doubtful: readonly string[];
  /** Inconclusive, which a conforming site may be. */
  readonly untold: readonly string[];
  /** Fails as the tool checks it, which differs from the release; absent if there are none. */
  readonly otherwise?: readonly string[];
}

/** The content of `subject.json`: what is certified, and the conclusion. */
export interface CertificateSubject extends CertificateOutcome {
  readonly format: 1;
  /** Name and version, as given by the author. */
  readonly implementation: string;
  readonly level: Level;
  readonly contract: CertifiedContract;
  readonly tool: string;
  readonly run: string;
  readonly started: string;
  /** The digest of the index as received. */
  readonly index: string;
  /** Whether secrets were masked in `index.json`. */
  readonly indexMasked: boolean;
}

export interface Contents {
  readonly subject: CertificateSubject;
  readonly plan: CertificatePlan;
  readonly results: RunResult;
}

export interface Problem {
  readonly about: string;
  readonly message: string;
}

/** A problem with a file. */
export function problem(about: string, message: string): Problem {
  return { about, message };
}

/** A file or a contract with its digest, as an in-toto ResourceDescriptor. */
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

/** The files that every certificate has. */
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

/** The owner's hints, if the run had any. */
export const HINTS = 'hints.json';

/** The public half of the key, if the certificate is signed. */
export const PUBLIC_KEY = 'public-key.pem';
