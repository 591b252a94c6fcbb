import type { Check } from '../../../engine/check.ts';
import type { StageReport } from '../../../engine/result.ts';
import type { Session } from '../../../engine/session.ts';
import { ownCollections, sampleResource } from '../../../specs/find-resource.ts';
import type { Operation, Resource } from '../../../specs/model.ts';
import type { OwnRecord, OwnRecords } from '../own/own-records.ts';
import { ownRecordsOf } from '../own/own-records-of.ts';
import { valuesOf } from '../reading/record.ts';
import { belowPieces } from './below-pieces.ts';
import { changePieces } from './change-pieces.ts';
import { guessedTerms, lookRound } from './look-round.ts';
import { type MadePiece, makePieces } from './make-pieces.ts';
import type { Piece, StageGround } from './piece.ts';
import { PLAIN, plainPieces } from './plain-pieces.ts';
import { specialPieces } from './special-pieces.ts';
import { uploadPieces } from './upload-pieces.ts';

/** A collection that the stage is set in. */
interface Scene {
  readonly resource: Resource;
  readonly create: Operation;
  readonly ground: StageGround;
  /** The resources whose checks cannot tell anything: itself, its revisions, its autosaves. */
  readonly wanted: ReadonlySet<string>;
}

/**
 * Makes the records that checks need and the site does not have: journalled, tagged and removed at the end like every own
 * record. What a site does not create is left out, piece by piece.
 * @param lacking the checks that could not tell anything
 * @param always whether what the site has already is made too
 * @returns what was made and what was not; undefined where there was nothing to make
 */
export async function setStage(
  session: Session,
  lacking: readonly Check[],
  always = false,
): Promise<StageReport | undefined> {
  const own = ownRecordsOf(session);
  if (own === undefined) return undefined;
  const before = session.client.traffic.requests;
  const scenes = await scenesOf(session, lacking);
  const first = scenes.flatMap((scene) => firstPieces(scene, always));
  const learned = await learnTerms(session, own, scenes, first);
  const made = [...learned.made, ...(await makePieces(session, own, learned.others))];
  const below = scenes.flatMap(({ resource, ground }) =>
    missing(belowPieces(resource, ground, parentsFor(session, resource, made, scenes)), ground, always),
  );
  made.push(...(await makePieces(session, own, below)));
  for (const { piece, record } of made) {
    if (piece.trashed === true && record !== undefined) await own.remove(record, false);
  }
  const changed = scenes.flatMap((scene) => toChange(scene, made));
  const unchanged = await changePieces(session, own, changed);
  if (made.length === 0) return undefined;
  const notMade = unmade(made).map(({ piece, why }) => ({
    resource: piece.collection,
    name: piece.name,
    why: why ?? '',
  }));
  return {
    made: countsOf(made),
    requests: session.client.traffic.requests - before,
    missing: [...notMade, ...unchanged].map((one) => ({ ...one, checks: [] })),
  };
}

async function scenesOf(session: Session, lacking: readonly Check[]): Promise<Scene[]> {
  const { contract } = session;
  const wanted = new Set(
    lacking.map(({ operation }) => {
      const resource = session.operation(operation ?? '')?.resource;
      // What works on no records takes the addresses and ids of some all the same.
      return (resource ?? sampleResource(contract))?.id ?? '';
    }),
  );
  const scenes: Scene[] = [];
  for (const resource of ownCollections(contract)) {
    const { create } = resource.operations;
    const concerned = [resource.id, ...resource.children].some((id) => wanted.has(id));
    if (create === undefined || !concerned) continue;
    scenes.push({ resource, create, ground: await lookRound(session, resource, create), wanted });
  }
  return scenes;
}

function firstPieces({ resource, create, ground, wanted }: Scene, always: boolean): Piece[] {
  const isUpload = resource.kind === 'uploads';
  const plain = (isUpload ? uploadPieces : plainPieces)(resource, create, ground);
  const special = specialPieces(resource, create, ground).map(
    (piece): Piece => (isUpload ? { ...piece, file: 'picture' } : piece),
  );
  const needed = missing([...plain, ...special], ground, always);
  const hasPlain = needed.some(({ isShownBy }) => isShownBy === undefined);
  // One that is changed must be the run's own.
  const changes = resource.children.some((id) => wanted.has(id)) && !hasPlain;
  return changes ? [...plain.slice(0, 1), ...needed] : needed;
}

/** The pieces that nothing which the site shows stands for. */
function missing(pieces: readonly Piece[], { shown }: StageGround, always: boolean): Piece[] {
  return pieces.filter(
    ({ isShownBy }) =>
      always || (isShownBy === undefined ? shown.length < PLAIN : !shown.some((record) => isShownBy(record))),
  );
}

/** Makes one record of each collection whose terms are not known, with ids that may name some: what it keeps exists. */
async function learnTerms(
  session: Session,
  own: OwnRecords,
  scenes: readonly Scene[],
  pieces: readonly Piece[],
): Promise<{ made: MadePiece[]; others: Piece[] }> {
  const made: MadePiece[] = [];
  let others = [...pieces];
  for (const { resource, create, ground } of scenes) {
    const unknown = Object.keys(ground.terms).filter((name) => (ground.terms[name]?.length ?? 0) < 2);
    const [first, ...rest] = others.filter(({ collection }) => collection === resource.id);
    if (unknown.length === 0 || first === undefined) continue;
    const guessed = guessedTerms(create);
    const beside = { ...first.beside, ...Object.fromEntries(unknown.map((name) => [name, guessed[name]])) };
    const [probe] = await makePieces(session, own, [{ ...first, beside }]);
    if (probe === undefined) continue;
    made.push(probe);
    const kept = termsIn(create, probe.record, unknown);
    const terms = { ...ground.terms, ...kept };
    const again = plainPieces(resource, create, { ...ground, terms });
    const known = new Map(again.map(({ must, beside: more }) => [must.title, more]));
    const filled = rest.map((piece) => ({ ...piece, beside: known.get(piece.must.title) ?? piece.beside }));
    others = others.flatMap((piece) => {
      if (piece.collection !== resource.id) return [piece];
      return piece === first ? filled : [];
    });
  }
  return { made, others };
}

function termsIn(
  { parameters }: Operation,
  record: OwnRecord | undefined,
  names: readonly string[],
): Record<string, number[]> {
  const json = record?.read.json;
  const shown = { id: 0, json: typeof json === 'object' && json !== null ? { ...json } : {} };
  return Object.fromEntries(
    names.map((name) => {
      const wire = parameters.find((one) => one.name === name)?.wire ?? name;
      const ids = valuesOf(shown, wire) ?? [];
      return [name, ids.filter((id) => typeof id === 'number')];
    }),
  );
}

/** Records that those of a resource may belong to: of its own collection, or of the first that has some. */
function parentsFor(
  { contract }: Session,
  resource: Resource,
  made: readonly MadePiece[],
  scenes: readonly Scene[],
): number[] {
  const parents = resource.kind === 'uploads' ? sampleResource(contract)?.id : resource.id;
  const own = made.flatMap(({ piece, record }) =>
    piece.collection === parents && piece.isShownBy === undefined && record !== undefined ? [record.id] : [],
  );
  const shown = scenes.find((scene) => scene.resource.id === parents)?.ground.shown ?? [];
  return [...own, ...shown.map(({ id }) => id)];
}

/** The record of a collection that is changed: the last plain one, where there is one, or its children are wanted. */
function toChange({ resource }: Scene, made: readonly MadePiece[]): OwnRecord[] {
  if (resource.operations.update === undefined) return [];
  const plain = made.filter(({ piece }) => piece.collection === resource.id && piece.isShownBy === undefined);
  return plain.flatMap(({ record }) => record ?? []).slice(-1);
}

/** Pieces without a record, each name once, unless another of that name has one. */
function unmade(made: readonly MadePiece[]): MadePiece[] {
  const nameOf = ({ piece }: MadePiece): string => `${piece.collection} ${piece.name}`;
  const done = new Set(made.filter(({ record }) => record !== undefined).map(nameOf));
  const without = made.filter((one) => !done.has(nameOf(one)));
  return [...new Map(without.map((one) => [nameOf(one), one])).values()];
}

function countsOf(made: readonly MadePiece[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { piece, record } of made) {
    if (record !== undefined) counts[piece.collection] = (counts[piece.collection] ?? 0) + 1;
  }
  return counts;
}
