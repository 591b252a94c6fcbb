import { hash, type KeyObject } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../client/answer.ts';
import { member } from '../../client/json.ts';
import { isFolder } from '../../compare/side.ts';
import { messageOf, present } from '../../engine/text.ts';
import type { Release } from '../../specs/releases.ts';
import { describeErrors, UsageError, validatorOf } from '../../specs/validators.ts';
import { agree } from './agree.ts';
import type { CertificateSubject, Contents, Envelope, Problem, Statement } from './documents.ts';
import { FILES, PUBLIC_KEY, problem } from './documents.ts';
import { envelopeText, isSignedBy, keyIdOf, payloadOf, publicPem, readKey } from './envelope.ts';

const LARGEST = 200_000_000;
const LARGEST_FOLDER = 400_000_000;
const FORMAT = 1;
const MOST_VALUES = 5_000_000;

/** Who signed: nobody, the owner of the given key, or the unknown owner of the key in the folder. */
type Signature =
  | { readonly kind: 'none' }
  | { readonly kind: 'given' | 'own'; readonly keyid: string; readonly valid: boolean };

/** The result of verification. The certificate holds if there are no problems. */
export interface Verified {
  readonly problems: readonly Problem[];
  readonly signature: Signature;
  readonly files: number;
  /** What could not be compared, in sentences. These are not contradictions. */
  readonly remarks: readonly string[];
  /** Undefined if files were altered, so that their content does not count. */
  readonly contents: Contents | undefined;
  /** The index as received, if this tool may evaluate its verdicts again. */
  readonly index: Uint8Array | undefined;
}

/**
 * Verifies the folder of a certificate without a network: every byte, the signature, and whether its documents agree
 * with each other and with the release of the contract.
 * @param publicKey the key that must have signed it; default: the one in the folder
 * @param tool name and version of this tool, to know whether it makes the same reports
 * @throws UsageError for anything else, an incomplete certificate, or an unknown contract
 */
export function verifyCertificate(
  folder: string,
  publicKey: KeyObject | undefined,
  releases: readonly Release[],
  tool: string,
): Verified {
  const opened = openCertificate(folder);
  const { envelope, statement, files } = opened;
  const { signature, problems: unsigned } = verifySignature(envelope, publicKey, files);
  const altered = [...opened.problems, ...unsigned];
  const about = { signature, files: statement.subject.length };
  if (altered.length > 0)
    return { ...about, problems: altered, remarks: [], contents: undefined, index: undefined };
  const contents = contentsOf(folder, files);
  const isSameTool = contents.subject.tool === tool;
  const problems = agree({ ...contents, envelope, files, isSameTool }, releases);
  const index = isSameTool && !contents.subject.indexMasked ? files.get(FILES.index) : undefined;
  return { ...about, problems, remarks: remarksOf(contents.subject, isSameTool, tool), contents, index };
}

function remarksOf(subject: CertificateSubject, isSameTool: boolean, tool: string): string[] {
  return present([
    !isSameTool &&
      `made by ${subject.tool}: ${tool} neither makes ${FILES.junit} and ${FILES.page} of it anew nor checks its index again, so that only their digests were compared`,
    subject.indexMasked &&
      `secrets are masked in ${FILES.index}: it cannot be held against the digest of the index of the site, nor checked again`,
  ]);
}

function verifySignature(
  envelope: Envelope,
  given: KeyObject | undefined,
  files: ReadonlyMap<string, Uint8Array>,
): { signature: Signature; problems: Problem[] } {
  const [one] = envelope.signatures;
  if (one === undefined) {
    const problems = given === undefined ? [] : [problem(FILES.certificate, 'is not signed')];
    return { signature: { kind: 'none' }, problems };
  }
  const { keyid } = one;
  const pem = files.get(PUBLIC_KEY);
  const own = pem && readKey(Buffer.from(pem).toString('utf8'), PUBLIC_KEY, 'public');
  const key = given ?? own;
  const valid = key !== undefined && isSignedBy(envelope, key);
  const signature = { kind: given === undefined ? 'own' : 'given', keyid, valid } as const;
  if (valid) {
    const isOwn = !own || (Buffer.from(publicPem(own)).equals(pem) && keyIdOf(own) === keyid);
    const other = problem(PUBLIC_KEY, 'is not the key that signed the certificate, as it was written');
    return { signature, problems: isOwn ? [] : [other] };
  }
  const isKey = key !== undefined && keyid === keyIdOf(key);
  const other = isKey
    ? 'altered: its signature does not hold'
    : `is signed with another key (${keyid}), or altered`;
  const why = key === undefined ? `the key of its signature, ${PUBLIC_KEY}, is missing or altered` : other;
  return { signature, problems: [problem(FILES.certificate, why)] };
}

function contentsOf(folder: string, files: ReadonlyMap<string, Uint8Array>): Contents {
  const read = <T>(name: string, schema: string): T => {
    const bytes = files.get(name);
    if (bytes !== undefined) return parsed<T>(name, bytes, schema);
    throw new UsageError(
      `${folder}: its certificate names no ${name}: it is no certificate of site-conformance`,
    );
  };
  return {
    subject: read(FILES.subject, 'certificate.schema.json#/$defs/subject'),
    plan: read(FILES.plan, 'certificate.schema.json#/$defs/plan'),
    results: read(FILES.results, 'result.schema.json'),
  };
}

/** Compares every file with its digest. @throws UsageError for a folder without a complete `certificate.json` */
function openCertificate(folder: string) {
  if (!isFolder(folder)) {
    throw new UsageError(`${folder}: expected the folder of a certificate; "run --certify" makes one`);
  }
  const path = join(folder, FILES.certificate);
  const bytes = readFile(path, LARGEST);
  if (typeof bytes === 'string') {
    throw new UsageError(
      lstatSync(path, { throwIfNoEntry: false }) === undefined
        ? `${folder}: holds no ${FILES.certificate}: it is half-written, or no certificate; "run --certify" makes one`
        : `${path}: ${bytes}: expected the file that "run --certify" made`,
    );
  }
  const schema = 'certificate.schema.json';
  const envelope = parsed<Envelope>(path, bytes, schema);
  const payload = payloadOf(envelope);
  const statement = parsed<Statement>(`${path}, its payload`, payload, `${schema}#/$defs/statement`);
  const isWhole = bytes.equals(Buffer.from(envelopeText(envelope))) && isCanonical(envelope);
  const { files, problems } = readFiles(folder, statement);
  const altered = !isWhole && problem(FILES.certificate, 'altered: its text is not as it was written');
  return { envelope, statement, files, problems: present([altered, problems]) };
}

/** Parses and validates a JSON document. @param name for messages @throws UsageError if it is invalid */
function parsed<T>(name: string, bytes: Uint8Array, schema: string): T {
  const { json, problem: why } = parseJson(Buffer.from(bytes), MOST_VALUES);
  const validate = validatorOf<T>(schema);
  if (why === undefined && validate(json)) return json;
  const format = member(json, 'format');
  if (typeof format === 'number' && format !== FORMAT) {
    throw new UsageError(
      `${name}: format ${format} is not known to this version: expected ${FORMAT}; use a version of site-conformance that knows it`,
    );
  }
  const errors = why ?? describeErrors(validate);
  throw new UsageError(
    `${name}: ${errors}: it is half-written, altered, or no certificate (schema: specs/schemas/${schema})`,
  );
}

function readFiles(folder: string, { subject }: Statement) {
  const expected = new Map(subject.map(({ name, digest }) => [name, digest.sha256]));
  const found = readdirSync(folder).filter((name) => name !== FILES.certificate);
  const files = new Map<string, Uint8Array>();
  const problems: Problem[] = [];
  let left = LARGEST_FOLDER;
  for (const name of found) {
    const digest = expected.get(name);
    if (digest === undefined) {
      problems.push(problem(name, 'added: the certificate does not name it'));
      continue;
    }
    const bytes = readFile(join(folder, name), Math.min(LARGEST, left));
    if (typeof bytes === 'string') problems.push(problem(name, bytes));
    else if (hash('sha256', bytes) !== digest) problems.push(problem(name, 'altered: its digest is another'));
    else {
      files.set(name, bytes);
      left -= bytes.length;
    }
  }
  const names = new Set(found);
  const missing = [...expected.keys()].filter((name) => !names.has(name));
  return { files, problems: [...problems, ...missing.map((name) => problem(name, 'missing'))] };
}

/** The bytes of a regular file, or why it is not read: a link may lead anywhere. */
function readFile(path: string, most: number): Buffer | string {
  const about = lstatSync(path, { throwIfNoEntry: false });
  if (about?.isFile() !== true) return 'is no regular file';
  if (about.size > most) return `is larger than the ${most} bytes that are read`;
  try {
    return readFileSync(path);
  } catch (error) {
    return `cannot be read (${messageOf(error)})`;
  }
}

/** Whether the base64 texts are the only ones for their bytes. */
function isCanonical({ payload, signatures }: Envelope): boolean {
  return [payload, ...signatures.map(({ sig }) => sig)].every(
    (text) => Buffer.from(text, 'base64').toString('base64') === text,
  );
}
