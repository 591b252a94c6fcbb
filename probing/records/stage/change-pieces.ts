import { setTimeout } from 'node:timers/promises';
import type { Observation } from '../../../client/observation.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { childOf, findResource, operationFor, routeFor } from '../../../specs/find-resource.ts';
import type { OwnRecord, OwnRecords } from '../own/own-records.ts';

/** Milliseconds between two changes of one record: moments are told apart by their second. */
export const APART = 1100;
/** The later two share their longest word: a search for it keeps others than a filter by the first ids, and one of those. */
const WORDS = ['quartz fields', 'barley meadowland', 'willow meadowland'] as const;

/** What could not be made of a record, and why. */
interface Unchanged {
  readonly resource: string;
  readonly name: string;
  readonly why: string;
}

/**
 * Changes records so that each has several revisions, made at different moments, and an autosave that is older than the
 * last of them by its id and newer by its date, so that both orders show. A record without such children is changed once,
 * when some time has passed: then it was changed later than others.
 */
export async function changePieces(
  session: Session,
  own: OwnRecords,
  records: readonly OwnRecord[],
  apart: number,
): Promise<Unchanged[]> {
  const unchanged: Unchanged[] = [];
  let left = records;
  for (const [round, word] of WORDS.entries()) {
    if (left.length === 0) break;
    await setTimeout(apart);
    const isLast = round === WORDS.length - 1;
    // Where it is refused, the second time says so.
    if (isLast) for (const record of left) await autosave(session, own, record, 'bramble');
    const kept: OwnRecord[] = [];
    for (const record of left) {
      if (!isLast && !hasChildren(session, record)) {
        kept.push(record);
        continue;
      }
      const answer = await own.update(record, textsWith(record, word, own.tag));
      if (answer.answer === 'accepted') kept.push(record);
      else unchanged.push(...without(session, record, 'revisions', describe(answer)));
    }
    left = kept;
  }
  if (left.some((record) => hasChildren(session, record))) await setTimeout(apart);
  for (const record of left) {
    const answer = await autosave(session, own, record, 'thicket');
    if (answer !== undefined && answer.answer !== 'accepted') {
      unchanged.push(...without(session, record, 'autosaves', describe(answer)));
    }
  }
  return unchanged;
}

/** Saves a record by itself: a user has one autosave of it, which is written over. @returns undefined where it has none */
async function autosave(
  session: Session,
  own: OwnRecords,
  record: OwnRecord,
  word: string,
): Promise<Observation | undefined> {
  const create = childOf(session.contract, record.collection, 'autosaves')?.operations.create;
  if (create === undefined) return undefined;
  return session.client.request({
    method: 'POST',
    route: routeFor(create, record.id),
    body: { json: own.stated(record.collection, textsWith(record, word, own.tag)) },
    as: 'user',
    intent: 'own-record',
  });
}

function hasChildren({ contract }: Session, { collection }: OwnRecord): boolean {
  return (findResource(contract, collection)?.children.length ?? 0) > 0;
}

function textsWith({ slug }: OwnRecord, word: string, tag: string): Record<string, string> {
  return {
    title: `${word} ${slug}`,
    content: `<p>${tag}: now with ${word}.</p>`,
    excerpt: `About ${word}.`,
  };
}

function without(
  { contract }: Session,
  { collection }: OwnRecord,
  kind: 'revisions' | 'autosaves',
  why: string,
): Unchanged[] {
  const child = childOf(contract, collection, kind);
  return child === undefined || operationFor(contract, child.id, 'list') === undefined
    ? []
    : [{ resource: child.id, name: `one with ${kind}`, why }];
}
