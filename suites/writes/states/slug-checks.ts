import { member } from '../../../client/json.ts';
import type { Collection } from '../../../client/ownership.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import { type Check, checkId } from '../../../engine/check.ts';
import { show } from '../../../engine/findings.ts';
import { makeRecord, readBack, type Write } from '../../../probing/records/own/make-record.ts';
import {
  type Creation,
  contradicts,
  differs,
  inconclusiveBy,
  must,
  type OwnRecord,
} from '../../../probing/records/own/outcome.ts';
import { roots, stateCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  type WritableCollection,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { createInTurn } from '../../../probing/records/own/write-together.ts';
import { takes } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { statusRecord } from './status-records.ts';

/** Checks that two published records of one type do not share a slug (§2, R36), however it is written. */
export function slugChecks(contract: Contract): Check[] {
  const applies = ({ resource, operation }: WritableCollection): boolean =>
    resource.uniqueSlugs === true && takes(operation, 'slug', 'status');
  return [
    ...collectionsWith(contract, 'create').filter(applies).map(uniqueCheck),
    ...collectionsWith(contract, 'update')
      .filter(applies)
      .flatMap((about) => [uniqueAfterUpdateCheck(about), ownSlugCheck(about)]),
  ];
}

function uniqueCheck({ collection, resource, operation }: WritableCollection): Check {
  return stateCheck(resource, {
    id: checkId('slugs', collection, 'unique'),
    title: `a second one of ${collection} with a slug that is taken gets another one, or is refused`,
    section: '2',
    basis: 'stated',
    on: operation,
    parameter: 'slug',
    needs: [
      roots.stored(operation.id, 'slug'),
      roots.stored(operation.id, 'status', 'publish'),
      roots.creation(collection),
    ],
    async run(own) {
      const first = await publishedOne(own, collection);
      // A site may encode other letters only after it has compared them.
      const other = `${own.nextSlug()}-${OTHER_LETTERS}`;
      const slugs = [first.slug, first.slug, '', other, other];
      // A site names a record without a slug after its title.
      const bodies = slugs.map((slug) => ({
        slug,
        status: 'publish',
        ...(slug === '' && { title: first.slug }),
      }));
      const made = await createInTurn(own, collection, bodies);
      const found = await evaluateUnique(own, first.record, made.slice(0, FURTHER));
      if (found !== undefined) return found;
      const [record, ...further] = made.slice(FURTHER);
      if (record === undefined || !('id' in record)) return [];
      return (await evaluateUnique(own, record, further)) ?? [];
    },
  });
}

const OTHER_LETTERS = 'größe-ж-日';

/** Evaluates further records that were to have the slug of a published one. @returns undefined if none shares it */
async function evaluateUnique(own: OwnRecords, record: OwnRecord, further: readonly Creation[]) {
  const { collection } = record;
  const others: OwnRecord[] = [];
  for (const made of further) {
    if (made.created.answer !== 'accepted') {
      if (others.length > 0) break;
      return inconclusiveBy('a creation with a slug that is taken', made.created);
    }
    others.push(must.create('a creation with a slug that is taken', made));
  }
  const slugsOf = (first: Pick<Write, 'shown'>): unknown[] =>
    [first, ...others].map(({ shown }) => member(shown, 'slug'));
  const isRepeated = (one: unknown, at: number, slugs: readonly unknown[]): boolean =>
    slugs.indexOf(one) < at;
  if (!slugsOf(record).some(isRepeated)) return undefined;
  // A site may have given it to another one since.
  const again = await readBack(own, record);
  must.conclude('reading the first record again', again.read);
  const slugs = slugsOf(again);
  if (!slugs.some(isRepeated)) return undefined;
  const requests = others.flatMap(({ created, read }) => [created, read]);
  const expected = 'slugs that differ, or a refusal of the second';
  const observed = `the slugs ${slugs.map(show).join(', ')}`;
  const message = `published ${collection} share a slug`;
  return contradicts(message, expected, observed, record.created, ...requests, again.read);
}

/** How many further records get a used slug: one freed for the second may be given to the third, or be made of a title. */
const FURTHER = 3;

/** The check that an update with a record's own slug keeps it: it is only in use for other records. */
function ownSlugCheck({ collection, resource, operation }: WritableCollection): Check {
  return stateCheck(resource, {
    id: checkId('slugs', collection, 'kept'),
    title: `an update of one of ${collection} that names the slug which it has keeps it`,
    section: '2',
    on: operation,
    parameter: 'slug',
    needs: [roots.stored(operation.id, 'slug', 'POST'), checkId('slugs', collection, 'unique', 'updated')],
    async run(own) {
      const { record, slug } = await publishedOne(own, collection);
      const update = await own.update(record, { slug });
      must.accept('an update to the slug that a record has', update);
      const kept = await readBack(own, record);
      must.conclude('reading it after the update', kept.read);
      if (member(kept.shown, 'slug') === slug) return [];
      const message = 'a record that is given the slug which it has gets another one';
      return differs(message, slug, kept.shown?.slug, update, kept.read);
    },
  });
}

/** @throws Aborted if there is none */
async function publishedOne(own: OwnRecords, collection: Collection) {
  const record = await statusRecord(own, collection, 'publish');
  const slug = 'id' in record ? record.shown.slug : undefined;
  if ('id' in record && typeof slug === 'string' && slug !== '') return { record, slug };
  throw inconclusiveAbort('no own published record shows a slug');
}

/** The updates of a draft with a used slug: it is published, then gets the slug again. */
const UPDATES = ['status', 'slug'] as const;

function uniqueAfterUpdateCheck({ collection, resource, operation }: WritableCollection): Check {
  return stateCheck(resource, {
    id: checkId('slugs', collection, 'unique', 'updated'),
    title: `one of ${collection} that is published with a slug that is taken, or gets it by an update, keeps another one, or is refused`,
    section: '2',
    on: operation,
    parameter: 'slug',
    needs: [
      checkId('slugs', collection, 'unique'),
      roots.stored(operation.id, 'slug', 'POST'),
      roots.stored(operation.id, 'status', 'POST'),
    ],
    async run(own) {
      const first = await publishedOne(own, collection);
      const values = { status: 'publish', slug: first.slug };
      const fields = writableFields(operation);
      const drafted = new Map(Object.entries({ status: 'draft', slug: first.slug }));
      const draft = await makeRecord(own, { collection, written: drafted });
      // If the site refuses a used slug at once, a draft without it is published.
      const made = 'id' in draft ? draft : await makeRecord(own, { collection });
      const record = must.create(`a creation in ${collection}`, made);
      for (const name of UPDATES) {
        const change = `an update to ${name} ${show(values[name])}`;
        const update = await own.update(record, bodyOf(fields, new Map([[name, values[name]]])), 'POST');
        must.conclude(change, update);
        if (update.answer !== 'accepted') continue;
        const second = await readBack(own, record);
        if (second.shown?.slug !== first.slug || second.shown?.status !== 'publish') continue;
        const again = await readBack(own, first.record);
        if (again.shown?.slug !== first.slug) continue;
        const message = `published ${collection} share a slug after ${change}`;
        const shown = [record.created, update, second.read, again.read];
        const expected = 'two slugs, or a refusal of the update';
        return contradicts(message, expected, `${show(first.slug)} twice`, ...shown);
      }
      return [];
    },
  });
}
