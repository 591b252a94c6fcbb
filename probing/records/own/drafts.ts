import type { JsonObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { inconclusiveAbort, orAbort } from '../../../engine/aborted.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { explain } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { routeFor } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { askFitted, MOST_PER_PAGE } from '../reading/list-request.ts';
import { type Creation, inconclusiveBy, type OwnRecord, recordOrAbort, withoutSlug } from './outcome.ts';
import { type OwnFixture, ownFixture } from './own-check.ts';
import type { OwnRecords } from './own-records.ts';
import { shownValue } from './writable-fields.ts';
import { createTogether, isBatchable } from './write-together.ts';

/** Drafts per batch, twice as many each time, because unused ones have to be removed. */
const SIZES = { first: 4, most: 16 };

type DraftStatus = 'draft' | 'publish';

const fieldsOf = (status: DraftStatus): JsonObject => (status === 'draft' ? {} : { status });

/** A new draft, or published record, of text only, for whoever does not look at its creation; mostly made by batches. */
export async function newDraft(
  own: OwnRecords,
  collection: Collection,
  status: DraftStatus = 'draft',
): Promise<Creation> {
  return (await takerOf(own, collection, status))();
}

/** Takes drafts of a collection that nobody has taken. The first one is made alone, the others by batches. */
const takerOf: OwnFixture<() => Promise<Creation>, [collection: Collection, status: DraftStatus]> =
  ownFixture('own drafts', async (own, collection, status) => {
    let drafts: OwnRecord[] = [];
    let alone: OwnRecord | undefined;
    let round = 0;
    let isBatched = isBatchable(own, collection);
    let filling: Promise<void> = Promise.resolve();
    const fill = async (first: OwnRecord): Promise<void> => {
      const size = Math.min(SIZES.first * 2 ** round, SIZES.most, own.left(collection));
      if (drafts.length > 0 || !isBatched || size < 2) return;
      round += 1;
      drafts = [...(await draftsOf(own, first, status, round, size))];
      isBatched = drafts.length > 0;
    };
    return async () => {
      if (alone !== undefined && isBatched) {
        const first = alone;
        const next = filling.then(() => fill(first));
        filling = next.catch(() => undefined);
        await next;
      }
      const draft = drafts.shift() ?? (await own.create(collection, fieldsOf(status)));
      if ('id' in draft) alone ??= draft;
      return draft;
    };
  });

/** The drafts of one batch; none unless the site creates each of them, and like the one that was created alone. */
const draftsOf = ownFixture(
  'own drafts {} {}',
  async (own, alone: OwnRecord, status: DraftStatus, _round: number, size: number): Promise<OwnRecord[]> => {
    const { collection } = alone;
    const creations = Array.from({ length: size }, () => {
      const slug = own.nextSlug();
      return { collection, slug, body: own.bodyOf(collection, slug, fieldsOf(status)) };
    });
    const made = (await createTogether(own, creations)) ?? [];
    const drafts = made.filter((one) => one !== undefined && 'id' in one);
    const areEqual = drafts.length === size && drafts.every((draft) => showsAlike(own, draft, alone));
    return areEqual ? drafts : [];
  },
  ({ collection }, status, round) => [collection, status, round],
);

/** Whether two records of text only show the same fields, except for slugs and dates. */
function showsAlike(own: OwnRecords, one: OwnRecord, other: OwnRecord): boolean {
  const fields = own.fieldsOf(one.collection).filter(({ schema }) => schema.format !== 'date-time');
  const shown = ({ read, slug }: OwnRecord): unknown => {
    const values = fields.map((field) => shownValue(read.json, field) ?? null);
    return JSON.parse(withoutSlug(JSON.stringify(values), slug));
  };
  return sameMeaning(shown(one), shown(other));
}

/** An own draft that was changed several times, and its list of revisions before and after the first change. */
export interface RevisedDraft {
  readonly record: OwnRecord;
  readonly route: string;
  readonly before: Observation;
  readonly update: Observation;
  readonly after: Observation;
  /** The list after all changes; a site that keeps few revisions has dropped some. */
  readonly last: Observation;
}

/** Words that distinguish the revisions: letters alone, none a part of another. */
const WORDS = ['lantern', 'marble', 'saffron', 'thistle'] as const;

/** An own draft with a revision for each of several changes, made once. @param list the list of the revisions */
export const revisedDraft: OwnFixture<RevisedDraft, [list: Operation]> = ownFixture(
  'own scene',
  async (own, list) => {
    const { record, route } = await ownDraft(own, list);
    const before = await listRevisions(own.session, route);
    const [first, ...others] = WORDS;
    const update = await changeTexts(own, record, first);
    const after = await listRevisions(own.session, route);
    for (const word of others) await changeTexts(own, record, word);
    return { record, route, before, update, after, last: await listRevisions(own.session, route) };
  },
);

/** Creates a draft, changes its texts with each of the words, and lists its revisions. @throws Aborted if that fails */
export async function changedDraft(
  own: OwnRecords,
  list: Operation,
  words: readonly string[],
): Promise<Pick<RevisedDraft, 'record' | 'route' | 'last'>> {
  const { record, route } = await ownDraft(own, list);
  for (const word of words) await changeTexts(own, record, word);
  return { record, route, last: await listRevisions(own.session, route) };
}

/** A new draft, and the route of its revisions. */
async function ownDraft(own: OwnRecords, list: Operation) {
  const draft = await newDraft(own, list.resource?.parent ?? '');
  const record = recordOrAbort(draft, 'no draft can be created');
  return { record, route: routeFor(list, record.id) };
}

async function changeTexts(own: OwnRecords, record: OwnRecord, word: string): Promise<Observation> {
  const texts = { content: `<p>The ${word} is here.</p>`, excerpt: `About the ${word}.` };
  const answer = await own.update(record, { title: `${record.slug} ${word}`, ...texts });
  if (answer.answer === 'accepted') return answer;
  throw inconclusiveAbort(`an own draft cannot be changed (${explain(answer)})`);
}

/** Asks for the revisions of an own record, fresh. @throws Aborted when they cannot be read */
export async function listRevisions(session: Session, route: string): Promise<Observation> {
  const query = [['per_page', String(MOST_PER_PAGE)]] as const;
  const spec = { method: 'GET', route, query, as: 'user' } as const;
  const { observation: list } = await askFitted(session.client, spec);
  orAbort(inconclusiveBy('the list of revisions', list));
  if (list.answer === 'accepted' && Array.isArray(list.json)) return list;
  throw inconclusiveAbort(`the revisions of an own draft cannot be listed (${explain(list)})`);
}
