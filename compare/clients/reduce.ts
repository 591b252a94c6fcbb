import { createReadStream, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { messageOf } from '../../engine/text.ts';
import { UsageError } from '../../specs/validators.ts';
import { LONGEST_TEXT, MOST_VALUES, noteDocument, noteEntry, noteInteraction } from './note-exchanges.ts';
import { BROKEN, type ReadOptions, Recording, type Reduction } from './recording.ts';

/** JSON values of a document without entries. */
const MOST_DOCUMENT_VALUES = 1_000_000;
const DEEPEST = 200;
const LONGEST_LINE = 65_536;
const PART = 65_536;
const TOKENS = 4096;

/** Reduces a HAR, access log, OpenAPI document or Pact to its uses, in bounded memory. @throws UsageError for others */
export async function reduceRecording(path: string, options: ReadOptions = {}): Promise<Reduction> {
  const recording = new Recording(options);
  const bytes = open(path, options.heard);
  try {
    let reader: Reader | undefined;
    for await (const part of bytes) {
      if (reader === undefined) {
        // Blanks and the byte-order mark are both trimmed.
        const start = part.toString('utf8').trimStart();
        if (start === '') continue;
        reader = start.startsWith('{')
          ? new DocumentReader(recording)
          : lineReader((line) => recording.leave(recording.line(line)));
      }
      reader.write(part);
    }
    reader?.end();
  } catch (error) {
    if (recording.exchanges === 0) throw new UsageError(`${path}: cannot be read (${messageOf(error)})`);
    recording.left.set('the rest of the file, which cannot be read', 1);
  }
  if (!recording.isKnown) {
    throw new UsageError(
      `${path}: is no HAR, access log, OpenAPI document or Pact; YAML has to be turned into JSON first`,
    );
  }
  return recording.reduction();
}

async function* open(path: string, heard: (bytes: number) => void = () => undefined): AsyncGenerator<Buffer> {
  const head = Buffer.alloc(2);
  const descriptor = openSync(path, 'r');
  readSync(descriptor, head, 0, head.length, 0);
  const file = createReadStream(path, { fd: descriptor, start: 0, highWaterMark: PART });
  const unzipped = head[0] === 0x1f && head[1] === 0x8b ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => unzipped.destroy(error));
  for await (const part of unzipped) {
    heard(file.bytesRead);
    yield part;
  }
}

interface Reader {
  write(bytes: Buffer): void;
  end(): void;
}

/** Splits a text into lines of limited length. */
function lineReader(heard: (line: string) => void): Reader {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    write(bytes) {
      const lines = (rest + decoder.write(bytes)).split('\n');
      rest = lines.pop() ?? '';
      // A line that is too long is cut, and so is not a line of a log.
      if (rest.length > LONGEST_LINE) rest = rest.slice(0, 1);
      for (const line of lines) heard(line);
    },
    end: () => heard(rest),
  };
}

type Frame = { readonly list: unknown[] } | { readonly object: [string, unknown][]; key: string };

/** Reads a JSON document as a stream: entries of `log.entries` and `interactions` one by one, others as wholes. */
class DocumentReader implements Reader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #tokens = jsonParser({ packValues: false });
  readonly #recording: Recording;
  readonly #stack: Frame[] = [];
  /** The depth of the value that is being built. */
  #from: number | undefined;
  #values = 0;
  #text = '';
  #isLong = false;
  readonly #document: Record<string, unknown> = {};
  /** What each token does. */
  readonly #on: Readonly<Partial<Record<Token['name'], (value: unknown) => void>>> = {
    startObject: () => this.#open({ object: [], key: '' }),
    startArray: () => this.#open({ list: [] }),
    endObject: () => this.#close(),
    endArray: () => this.#close(),
    startKey: () => this.#beginText(),
    startString: () => this.#beginText(),
    startNumber: () => this.#beginText(),
    stringChunk: (chunk) => this.#addText(String(chunk)),
    numberChunk: (chunk) => this.#addText(String(chunk)),
    endKey: () => this.#endKey(),
    endString: () => this.#add(this.#isLong ? undefined : this.#text),
    endNumber: () => this.#add(Number(this.#text)),
    nullValue: (value) => this.#add(value),
    trueValue: (value) => this.#add(value),
    falseValue: (value) => this.#add(value),
  };

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  write(bytes: Buffer): void {
    // If the text is broken, only the tokens of a small part are lost.
    for (let at = 0; at < bytes.length; at += TOKENS) {
      this.#take(this.#decoder.write(bytes.subarray(at, at + TOKENS)).replace(/^\ufeff/, ''));
    }
  }

  end(): void {
    if (this.#stack.length > 0) this.#recording.leave('the rest of the file, which ends too early');
    noteDocument(this.#document, this.#recording);
  }

  #take(text: string): void {
    const made = this.#tokens(text);
    if (typeof made !== 'object' || made === null || !('values' in made)) return;
    for (const token of made.values) this.#on[token.name]?.('value' in token ? token.value : undefined);
  }

  #beginText(): void {
    this.#text = '';
    this.#isLong = false;
  }

  #addText(chunk: string): void {
    if (this.#text.length > LONGEST_TEXT) this.#isLong = true;
    else this.#text += chunk;
  }

  #endKey(): void {
    const top = this.#stack.at(-1);
    if (top !== undefined && 'object' in top) top.key = this.#text;
  }

  #open(frame: Frame): void {
    if (this.#stack.length >= DEEPEST) throw new Error(`JSON nested deeper than ${DEEPEST} levels`);
    if (this.#from === undefined && this.#isWanted()) {
      this.#from = this.#stack.length;
      this.#values = 0;
    }
    this.#stack.push(frame);
  }

  /** Whether the value that begins here is built: an entry, or a member of the document without entries. */
  #isWanted(): boolean {
    const path = this.#stack.map((frame) => ('list' in frame ? '[]' : frame.key)).join('/');
    if (path === 'log/entries/[]' || path === 'interactions/[]') return true;
    return this.#stack.length === 1 && path !== 'log' && path !== 'interactions';
  }

  #close(): void {
    const frame = this.#stack.pop();
    if (frame === undefined || this.#from === undefined) return;
    const value = 'list' in frame ? frame.list : Object.fromEntries(frame.object);
    if (this.#stack.length > this.#from) {
      this.#add(value);
      return;
    }
    this.#from = undefined;
    const most = this.#stack.length === 1 ? MOST_DOCUMENT_VALUES : MOST_VALUES;
    this.#recording.leave(this.#values > most ? BROKEN : this.#deliver(value));
  }

  #add(value: unknown): void {
    const top = this.#stack.at(-1);
    if (top === undefined) return;
    if (this.#from === undefined) {
      if (this.#stack.length === 1 && 'object' in top && typeof value === 'string')
        this.#document[top.key] = value;
      return;
    }
    this.#values += 1;
    if (this.#values > MOST_DOCUMENT_VALUES) return;
    if ('list' in top) top.list.push(value);
    else top.object.push([top.key, value]);
  }

  #deliver(value: unknown): string | undefined {
    const [document, , entries] = this.#stack;
    const name = document !== undefined && 'object' in document ? document.key : '';
    if (entries !== undefined && name === 'log') return noteEntry(value, this.#recording);
    if (name === 'interactions') return noteInteraction(value, this.#recording);
    if (name !== '__proto__') this.#document[name] = value;
    return undefined;
  }
}
