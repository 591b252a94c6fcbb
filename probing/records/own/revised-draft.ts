import type { Observation } from '../../../client/observation.ts';
import { Aborted, inconclusiveAbort } from '../../../engine/aborted.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { routeFor } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { askFitted, MOST_PER_PAGE } from '../reading/fitted-list.ts';
import { newDraft } from './create-together.ts';
import type { OwnRecord, OwnRecords } from './own-records.ts';
import { inconclusiveBy, whyNot } from './write-findings.ts';

/** An own draft that was changed several times, and what its list of revisions showed before and after the first change. */
export interface RevisedDraft {
  readonly record: OwnRecord;
  /** The route of its revisions. */
  readonly route: string;
  readonly before: Observation;
  readonly update: Observation;
  readonly after: Observation;
  /** The list after all changes: a site that keeps few revisions has dropped some of those of before. */
  readonly last: Observation;
}

/** Words that tell the revisions apart: letters alone, none a part of another. */
const WORDS = ['lantern', 'marble', 'saffron', 'thistle'] as const;

/**
 * Makes an own draft with a revision for each of several changes, once for all checks that only read them.
 * @param list the list of the revisions of its collection
 */
export const revisedDraft: Fixture<RevisedDraft, [own: OwnRecords, list: Operation]> = fixture(
  'own scene',
  (session, own, list) => changeDraft(session, own, list, WORDS),
);

/**
 * Creates a draft and changes its title, content and excerpt with each of the words.
 * @throws Aborted when a draft cannot be created, changed, or asked for its revisions
 */
export async function changeDraft(
  session: Session,
  own: OwnRecords,
  list: Operation,
  words: readonly string[],
): Promise<RevisedDraft> {
  const record = await newDraft(session, own, list.resource?.parent ?? '');
  if (!('id' in record)) throw whyNot(record, 'no draft can be created');
  const route = routeFor(list, record.id);
  const before = await listRevisions(session, route);
  const [first = '', ...others] = words;
  const update = await change(own, record, first);
  const after = await listRevisions(session, route);
  for (const word of others) await change(own, record, word);
  const last = others.length === 0 ? after : await listRevisions(session, route);
  return { record, route, before, update, after, last };
}

async function change(own: OwnRecords, record: OwnRecord, word: string): Promise<Observation> {
  const answer = await own.update(record, {
    title: `${record.slug} ${word}`,
    content: `<p>The ${word} is here.</p>`,
    excerpt: `About the ${word}.`,
  });
  if (answer.answer === 'accepted') return answer;
  throw inconclusiveAbort(`an own draft cannot be changed (${describe(answer)})`);
}

/** Asks for the revisions of an own record, fresh. @throws Aborted when they cannot be read */
export async function listRevisions(session: Session, route: string): Promise<Observation> {
  const query = [['per_page', String(MOST_PER_PAGE)]] as const;
  const spec = { method: 'GET', route, query, as: 'user' } as const;
  const { observation: list } = await askFitted(session.client, spec);
  const unreadable = inconclusiveBy('the list of revisions', list);
  if (unreadable !== undefined) throw new Aborted(unreadable);
  if (list.answer === 'accepted' && Array.isArray(list.json)) return list;
  throw inconclusiveAbort(`the revisions of an own draft cannot be listed (${describe(list)})`);
}
