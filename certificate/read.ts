import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../client/read-answer.ts';
import { describeError, validatorOf } from '../specs/validators.ts';
import { type Envelope, FILES, type Statement } from './documents.ts';
import { envelopeText, payloadOf } from './envelope.ts';
import { sha256 } from './statement.ts';
import { UnusableCertificate } from './unusable.ts';

const LARGEST = 200_000_000;
const MOST_VALUES = 5_000_000;

/** Something that does not hold, and the file or the check that it is about. */
export interface Problem {
  readonly about: string;
  readonly message: string;
}

/** A certificate as its folder holds it. */
export interface Opened {
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
  const bytes = readFile(path);
  if (bytes === undefined) {
    throw new UnusableCertificate(
      `${folder}: holds no ${FILES.certificate}: it is half-written, or no certificate; "run --certify" makes one`,
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
  const errors = why ?? (validate.errors ?? []).slice(0, 3).map(describeError).join('; ');
  throw new UnusableCertificate(
    `${name}: ${errors}: it is half-written, altered, or no certificate (schema: specs/schemas/${schema})`,
  );
}

function readFiles(folder: string, { subject }: Statement): Pick<Opened, 'files' | 'problems'> {
  const expected = new Map(subject.map(({ name, digest }) => [name, digest.sha256]));
  const found = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== FILES.certificate);
  const files = new Map<string, Uint8Array>();
  const problems: Problem[] = [];
  for (const entry of found) {
    const digest = expected.get(entry.name);
    const bytes = entry.isFile() ? readFile(join(folder, entry.name)) : undefined;
    if (digest === undefined) problems.push(problem(entry.name, 'added: the certificate does not name it'));
    else if (bytes === undefined) problems.push(problem(entry.name, 'is no regular file that can be read'));
    else if (sha256(bytes) !== digest) problems.push(problem(entry.name, 'altered: its digest is another'));
    else files.set(entry.name, bytes);
  }
  const names = new Set(found.map(({ name }) => name));
  const missing = [...expected.keys()].filter((name) => !names.has(name));
  return { files, problems: [...problems, ...missing.map((name) => problem(name, 'missing'))] };
}

/** The bytes of a regular file; undefined where there is none, or one that is too large. */
function readFile(path: string): Buffer | undefined {
  const about = statSync(path, { throwIfNoEntry: false });
  return about?.isFile() === true && about.size <= LARGEST ? readFileSync(path) : undefined;
}

/** Whether the texts in base64 are the only ones for their bytes. */
function isCanonical({ payload, signatures }: Envelope): boolean {
  return [payload, ...signatures.map(({ sig }) => sig)].every(
    (text) => Buffer.from(text, 'base64').toString('base64') === text,
  );
}
