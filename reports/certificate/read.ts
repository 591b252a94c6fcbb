import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../client/answer.ts';
import { member } from '../../client/json.ts';
import { describeError, validatorOf } from '../../specs/validators.ts';
import { type Envelope, FILES, type Statement } from './documents.ts';
import { envelopeText, payloadOf, sha256, UnusableCertificate } from './envelope.ts';

/** Bytes that are read of one file, and of all together. */
const LARGEST = 200_000_000;
const LARGEST_FOLDER = 400_000_000;
const FORMAT = 1;
const MOST_VALUES = 5_000_000;

/** Something that does not hold, and the file or the check that it is about. */
export interface Problem {
  readonly about: string;
  readonly message: string;
}

/** A certificate as its folder holds it. */
interface Opened {
  readonly envelope: Envelope;
  readonly statement: Statement;
  /** The other files of the folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What is altered, added or missing. */
  readonly problems: readonly Problem[];
}

/**
 * Opens the folder of a certificate and holds every file against its digest.
 * @throws UnusableCertificate for a folder without a whole `certificate.json`
 */
export function openCertificate(folder: string): Opened {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UnusableCertificate(
      `${folder}: expected the folder of a certificate; "run --certify" makes one`,
    );
  }
  const path = join(folder, FILES.certificate);
  const bytes = readFile(path, LARGEST);
  if (typeof bytes === 'string') {
    throw new UnusableCertificate(
      lstatSync(path, { throwIfNoEntry: false }) === undefined
        ? `${folder}: holds no ${FILES.certificate}: it is half-written, or no certificate; "run --certify" makes one`
        : `${path}: ${bytes}: expected the file that "run --certify" made`,
    );
  }
  const envelope = parsed<Envelope>(path, bytes, 'certificate.schema.json');
  const statement = parsed<Statement>(
    `${path}, its payload`,
    payloadOf(envelope),
    'certificate.schema.json#/$defs/statement',
  );
  const isWhole = bytes.equals(Buffer.from(envelopeText(envelope))) && isCanonical(envelope);
  const { files, problems } = readFiles(folder, statement);
  return {
    envelope,
    statement,
    files,
    problems: [
      ...(isWhole ? [] : [problem(FILES.certificate, 'altered: its text is not as it was written')]),
      ...problems,
    ],
  };
}

/** A problem with a file or a check. */
export function problem(about: string, message: string): Problem {
  return { about, message };
}

/**
 * Parses a JSON document of a certificate and validates it.
 * @param name what it is called; @throws UnusableCertificate where it is none
 */
export function parsed<T>(name: string, bytes: Uint8Array, schema: string): T {
  const { json, problem: why } = parseJson(Buffer.from(bytes), MOST_VALUES);
  const validate = validatorOf<T>(schema);
  if (why === undefined && validate(json)) return json;
  const format = member(json, 'format');
  if (typeof format === 'number' && format !== FORMAT) {
    throw new UnusableCertificate(
      `${name}: format ${format} is not known to this version: expected ${FORMAT}; use a version of site-conformance that knows it`,
    );
  }
  const errors = why ?? (validate.errors ?? []).slice(0, 3).map(describeError).join('; ');
  throw new UnusableCertificate(
    `${name}: ${errors}: it is half-written, altered, or no certificate (schema: specs/schemas/${schema})`,
  );
}

function readFiles(folder: string, { subject }: Statement): Pick<Opened, 'files' | 'problems'> {
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
    else if (sha256(bytes) !== digest) problems.push(problem(name, 'altered: its digest is another'));
    else {
      files.set(name, bytes);
      left -= bytes.length;
    }
  }
  const names = new Set(found);
  const missing = [...expected.keys()].filter((name) => !names.has(name));
  return { files, problems: [...problems, ...missing.map((name) => problem(name, 'missing'))] };
}

/** The bytes of a regular file, or why they are not read: a link may lead anywhere. */
function readFile(path: string, most: number): Buffer | string {
  const about = lstatSync(path, { throwIfNoEntry: false });
  if (about?.isFile() !== true) return 'is no regular file';
  if (about.size > most) return `is larger than the ${most} bytes that are read`;
  try {
    return readFileSync(path);
  } catch (error) {
    return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Whether the texts in base64 are the only ones for their bytes. */
function isCanonical({ payload, signatures }: Envelope): boolean {
  return [payload, ...signatures.map(({ sig }) => sig)].every(
    (text) => Buffer.from(text, 'base64').toString('base64') === text,
  );
}
