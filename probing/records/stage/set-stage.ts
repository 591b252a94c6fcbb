import type { Check } from '../../../engine/check.ts';
import type { StageReport } from '../../../engine/result.ts';
import type { StageMode } from '../../../engine/run-options.ts';
import type { Session } from '../../../engine/session.ts';
import type { StageOptions } from '../../../engine/stage.ts';
import { findResource, operationFor, ownCollections, sampleResource } from '../../../specs/find-resource.ts';
import type { Operation, Resource } from '../../../specs/model.ts';
import { ownRecordsOf } from '../own/own-check.ts';
import type { OwnRecord, OwnRecords } from '../own/own-records.ts';
import { findParent, tellsOrders } from '../reading/find-parent.ts';
import { toRecords, valuesOf } from '../reading/record.ts';
import { APART, changePieces } from './change-pieces.ts';
import { guessedTerms, lookRound } from './look-round.ts';
import { type MadePiece, makePieces } from './make-pieces.ts';
import { makeTerms } from './make-terms.ts';
import {
  belowPieces,
  type Piece,
  PLAIN,
  plainPieces,
  type StageGround,
  specialPieces,
  uploadPieces,
} from './pieces.ts';

type Missing = StageReport['missing'][number];

/** How the stage is set. */
export interface StageSetting {
  /** Whether what the site has already is made too. */
  readonly always?: boolean;
  /** Milliseconds between two changes of one record. */
  readonly apart?: number;
}

/** A collection that the stage is set in. */
interface Scene {
  readonly resource: Resource;
  readonly create: Operation;
  readonly ground: StageGround;
  /** Whether its revisions or autosaves are wanted, and no record is known to have enough of them. */
  readonly lacksChildren: boolean;
  /** The parameters of the checks that lack something; undefined among them where one is about records as such. */
  readonly parameters: ReadonlySet<string | undefined>;
}

/**
 * Makes the records that checks need and the site does not have: journalled, tagged and removed at the end like every own
 * record. What a site does not create is left out, piece by piece.
 * @param lacking the checks that could not tell anything
 * @returns what was made and what was not; undefined where there was nothing to make
 */
export async function setStage(
  session: Session,
  lacking: readonly Check[],
  { always = false, apart = APART }: StageSetting = {},
): Promise<StageReport | undefined> {
  const own = ownRecordsOf(session);
  if (own === undefined) return undefined;
  const before = session.client.traffic.requests;
  const found = await scenesOf(session, lacking);
  const { scenes, terms } = await withTerms(session, own, found);
  const first = scenes.flatMap((scene) => firstPieces(scene, always));
  const learned = await learnTerms(session, own, scenes, first);
  const made = [...learned.made, ...(await makePieces(session, own, learned.others))];
  const below = scenes.flatMap((scene) => {
    const parents = parentsFor(session, scene.resource, made, scenes);
    return missing(belowPieces(scene.resource, scene.ground, parents), scene, always);
  });
  made.push(...(await makePieces(session, own, below)));
  for (const { piece, record } of made) {
    if (piece.trashed === true && record !== undefined) await own.remove(record);
  }
  const changed = scenes.flatMap((scene) => toChange(scene, made));
  const unchanged = await changePieces(session, own, changed, apart);
  if (made.length + terms.counts.length === 0) return undefined;
  const notMade = [...terms.missing, ...scenes.flatMap((scene) => unmade(scene, made))];
  return {
    made: { ...countsOf(made), ...Object.fromEntries(terms.counts) },
    requests: session.client.traffic.requests - before,
    missing: [...notMade, ...unchanged].map((one) => ({ ...one, checks: [] })),
  };
}

/** The scenes with terms that their records can have, and what became of those. */
async function withTerms(
  session: Session,
  own: OwnRecords,
  found: readonly Scene[],
): Promise<{
  scenes: Scene[];
  terms: { counts: [string, number][]; missing: Omit<Missing, 'checks'>[] };
}> {
  const scenes: Scene[] = [];
  const counts: [string, number][] = [];
  const missing: Omit<Missing, 'checks'>[] = [];
  for (const scene of found) {
    const { resource, ground, parameters } = scene;
    const servedBy = (name: string): string[] => [name, `${name}_exclude`, 'tax_relation'];
    const terms = await makeTerms(session, own, resource, ground.terms, (name) =>
      [undefined, ...servedBy(name)].some((parameter) => parameters.has(parameter)),
    );
    scenes.push({ ...scene, ground: { ...ground, terms: terms.ids } });
    counts.push(...Object.entries(terms.made));
    for (const [name, why] of Object.entries(terms.missing)) {
      missing.push({ resource: resource.id, name: `several ${name}`, why, serves: servedBy(name) });
    }
  }
  return { scenes, terms: { counts, missing } };
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
    const ground = await lookRound(session, resource, create);
    const children = resource.children.filter((id) => wanted.has(id));
    const own = lacking.filter(
      ({ operation }) => session.operation(operation ?? '')?.resource?.id === resource.id,
    );
    const parameters = new Set(own.map(({ parameter }) => parameter));
    scenes.push({ resource, create, ground, lacksChildren: await lacksOne(session, children), parameters });
  }
  return scenes;
}

/** Whether no record shows enough revisions, in an order of their own by date, or an autosave, for the checks of those. */
async function lacksOne(session: Session, children: readonly string[]): Promise<boolean> {
  for (const id of children) {
    const list = operationFor(session.contract, id, 'list');
    if (list === undefined) continue;
    const isRevisions = findResource(session.contract, id)?.kind === 'revisions';
    const family = await findParent(session, list, isRevisions ? 2 : 1);
    if ('reason' in family || (isRevisions && !tellsOrders(family))) return true;
  }
  return false;
}

function firstPieces(scene: Scene, always: boolean): Piece[] {
  const { resource, create, ground, lacksChildren } = scene;
  const isUpload = resource.kind === 'uploads';
  const plain = (isUpload ? uploadPieces : plainPieces)(resource, create, ground);
  const special = specialPieces(resource, create, ground).map(
    (piece): Piece => (isUpload ? { ...piece, file: 'picture' } : piece),
  );
  const needed = missing([...plain, ...special], scene, always);
  const hasPlain = needed.some(({ isShownBy }) => isShownBy === undefined);
  // One that is changed must be the run's own.
  return lacksChildren && !hasPlain ? [...plain.slice(0, 1), ...needed] : needed;
}

/** The pieces that a check lacks and nothing which the site shows stands for. */
function missing(pieces: readonly Piece[], { ground, parameters }: Scene, always: boolean): Piece[] {
  const { shown } = ground;
  return pieces.filter(({ isShownBy, serves = [] }) => {
    if (always) return true;
    // What is there may stand in the order of its dates whatever it is sorted by.
    const sorts = parameters.has('orderby');
    if (isShownBy === undefined) return shown.length < PLAIN || sorts;
    const isWanted = parameters.has(undefined) || serves.some((name) => parameters.has(name));
    return isWanted && (!isShownBy(shown) || (sorts && serves.includes('orderby')));
  });
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
  const [shown] = toRecords([record?.read.json]);
  return Object.fromEntries(
    names.map((name) => {
      const wire = parameters.find((one) => one.name === name)?.wire ?? name;
      const ids = (shown && valuesOf(shown, wire)) ?? [];
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

/** What is missing all the same: pieces that were not made, or whose records do not show what they are for; each name once. */
function unmade({ resource, ground }: Scene, all: readonly MadePiece[]): Omit<Missing, 'checks'>[] {
  const made = all.filter(({ piece }) => piece.collection === resource.id);
  const shown = [...ground.shown, ...made.flatMap(({ record }) => toRecords([record?.read.json]))];
  const without = made.filter(({ piece: { isShownBy, trashed }, record }) =>
    isShownBy === undefined || trashed === true ? record === undefined : !isShownBy(shown),
  );
  const plain = without.find(({ piece: { isShownBy } }) => isShownBy === undefined);
  // Where nothing at all can be created, one line says so.
  const told = plain !== undefined && made.every(({ record }) => record === undefined) ? [plain] : without;
  const byName = new Map(told.map((one) => [one.piece.name, one]));
  return [...byName.values()].map(({ piece: { name, serves }, why }) => ({
    resource: resource.id,
    name,
    why: why ?? 'the record does not show it',
    ...(serves !== undefined && { serves: [...serves] }),
  }));
}

function countsOf(made: readonly MadePiece[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { piece, record } of made) {
    if (record !== undefined) counts[piece.collection] = (counts[piece.collection] ?? 0) + 1;
  }
  return counts;
}

/** How the engine sets the stage of a run; undefined where it does not. */
export function stageOptions(mode: StageMode = 'auto'): StageOptions | undefined {
  if (mode === 'never') return undefined;
  const always = mode === 'always';
  return { always, set: (session, lacking) => setStage(session, lacking, { always }) };
}
