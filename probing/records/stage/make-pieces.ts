import type { Collection } from '../../../client/journal.ts';
import { Aborted } from '../../../engine/aborted.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { batchOperation, operationFor } from '../../../specs/find-resource.ts';
import { inTurn } from '../clean-up/in-turn.ts';
import { readHints } from '../own/batch-part.ts';
import { createWith } from '../own/make-record.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../own/own-records.ts';
import { type SiteRecord, toRecords } from '../reading/record.ts';
import type { Fields, Piece } from './pieces.ts';

const MOST_PARTS = 25;

/** A piece, and its record or why there is none. */
export interface MadePiece {
  readonly piece: Piece;
  readonly record?: OwnRecord;
  readonly why?: string;
}

/** Makes pieces: many with one request where the contract has batches and the site runs them, each alone otherwise. */
export async function makePieces(
  session: Session,
  own: OwnRecords,
  pieces: readonly Piece[],
): Promise<MadePiece[]> {
  const made = new Map<Piece, OwnRecord>();
  const refused = new Map<Piece, string>();
  const batchable = pieces.filter((piece) => isBatchable(session, piece));
  for (let from = 0; from < batchable.length && batchable.length > 1; from += MOST_PARTS) {
    const part = batchable.slice(from, from + MOST_PARTS);
    if ((await reasonOrResult(makeTogether(session, own, part, made, refused))) !== true) break;
  }
  const why = new Map<Piece, string>();
  const hopeless = new Map<Collection, string>();
  // A collection that takes nothing at all is asked for one record, not for each.
  const names = new Set([...made.keys()].map(nameOf));
  const [first, ...others] = pieces.filter(
    (piece) => !made.has(piece) && (isPlain(piece) || !names.has(nameOf(piece))),
  );
  const alone = async (piece: Piece): Promise<void> => {
    // What another one of its name shows already need not be made.
    if (piece.isShownBy?.(recordsIn(made, piece.collection)) === true) return;
    const known = hopeless.get(piece.collection) ?? (hasLess(piece) ? undefined : refused.get(piece));
    const outcome = known ?? (await reasonOrResult(makeAlone(session, own, piece, refused.has(piece))));
    if (typeof outcome !== 'string') made.set(piece, outcome);
    else {
      why.set(piece, outcome);
      if (isPlain(piece)) hopeless.set(piece.collection, outcome);
    }
  };
  if (first !== undefined) await alone(first);
  await inTurn(alternatives(others), async (some) => {
    for (const piece of some) await alone(piece);
  });
  return pieces.map((piece) => {
    const [record, reason] = [made.get(piece), why.get(piece)];
    return { piece, ...(record !== undefined && { record }), ...(reason !== undefined && { why: reason }) };
  });
}

/** What the records of a collection that were made show. */
function recordsIn(made: ReadonlyMap<Piece, OwnRecord>, collection: Collection): SiteRecord[] {
  return toRecords(
    [...made.values()].filter((one) => one.collection === collection).map(({ read }) => read.json),
  );
}

/** Pieces of one name, of which one is enough, together; each plain one by itself. */
function alternatives(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const groups = Object.groupBy(pieces, nameOf);
  return Object.values(groups).flatMap((some = []) =>
    some.every(isPlain) ? some.map((piece) => [piece]) : [some],
  );
}

/** What a piece of work comes to, or why nothing may be written for it. */
async function reasonOrResult<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Aborted) return error.finding.message;
    throw error;
  }
}

/** Whether a piece can be tried with less than all that it may have. */
function hasLess({ beside }: Piece): boolean {
  return Object.keys(beside).length > 0;
}

function nameOf({ collection, name }: Piece): string {
  return `${collection} ${name}`;
}

/** Whether a piece asks for nothing that a site which creates records at all could refuse. */
function isPlain({ isShownBy, file }: Piece): boolean {
  return isShownBy === undefined && (file === undefined || file === 'picture');
}

function isBatchable({ contract }: Session, { collection, file }: Piece): boolean {
  const hasBatch = batchOperation(contract) !== undefined;
  return hasBatch && file === undefined && operationFor(contract, collection, 'create')?.batchable === true;
}

/** Creates pieces in one batch. @returns whether the site runs batches */
async function makeTogether(
  session: Session,
  own: OwnRecords,
  pieces: readonly Piece[],
  made: Map<Piece, OwnRecord>,
  refused: Map<Piece, string>,
): Promise<boolean> {
  const parts = pieces.map((piece) => ({ piece, slug: own.nextSlug() }));
  for (const { piece, slug } of parts) own.intend(piece.collection, slug);
  const requests = parts.map(({ piece, slug }) => ({
    method: 'POST',
    path: own.route(piece.collection) ?? '',
    body: own.stated(piece.collection, {
      slug,
      ...wired(session, piece, { ...piece.must, ...piece.beside }),
    }),
  }));
  const answer = await session.client.request({
    method: 'POST',
    route: batchOperation(session.contract)?.route.wire ?? '',
    body: { json: { requests } },
    as: 'user',
    intent: 'own-record',
  });
  const hints = readHints(answer);
  if (answer.answer !== 'accepted' || hints.length !== parts.length) {
    if (answer.answer === 'refused' || answer.answer === 'denied') {
      for (const { piece, slug } of parts) own.declined(piece.collection, slug);
    }
    return false;
  }
  await inTurn([...parts.entries()], async ([at, { piece, slug }]) => {
    const { status = 0, id } = hints[at] ?? {};
    if (status >= 200 && status < 300 && id !== undefined) {
      const record = await own.adopt(piece.collection, slug, id, answer);
      if ('id' in record) made.set(piece, record);
    } else if (status >= 400 && status < 500) {
      own.declined(piece.collection, slug);
      refused.set(piece, `refused (status ${status})`);
    }
  });
  return true;
}

/**
 * Creates one piece, with all that it may have, and then with less.
 * @param refusedWhole whether it is known to be refused with all of it
 * @returns why it cannot be made otherwise
 */
async function makeAlone(
  session: Session,
  own: OwnRecords,
  piece: Piece,
  refusedWhole: boolean,
): Promise<OwnRecord | string> {
  const { collection, must, beside, file } = piece;
  const whole = hasLess(piece) && !refusedWhole ? [{ ...must, ...beside }] : [];
  let why = '';
  for (const fields of [...whole, must]) {
    const made = await createWith(session, own, collection, wired(session, piece, fields), file);
    if ('id' in made) return made;
    why = whyNotMade(made);
    if (made.refused.answer === 'denied' || made.refused.answer === 'absent') break;
  }
  return why;
}

function whyNotMade({ refused, finding }: NotCreated): string {
  return finding?.message ?? describe(refused);
}

/** The fields of a piece that its creation takes, by their names on the target. */
function wired({ contract }: Session, { collection }: Piece, fields: Fields): Record<string, unknown> {
  const parameters = operationFor(contract, collection, 'create')?.parameters ?? [];
  return Object.fromEntries(
    parameters.flatMap(({ name, wire }) => (fields[name] === undefined ? [] : [[wire, fields[name]]])),
  );
}
