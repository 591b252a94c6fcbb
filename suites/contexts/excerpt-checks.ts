import { member } from '../../client/json.ts';
import { isFinding, orAbort } from '../../engine/aborted.ts';
import { type Check, check, checkId, declares, type Finding, serves } from '../../engine/check.ts';
import { failure, inconclusive, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import type { Pair } from '../../generators/wire-forms.ts';
import { isProtected, rawOf, type SiteRecord } from '../../probing/records/reading/record.ts';
import { collectionsOf, isDescribed, takes, wireOf } from '../../specs/find-resource.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { fieldsOf, latestRecord, readAlone, type Seen } from './read-context.ts';

const NAME = 'excerpt_length';
/** The value that acceptance is evaluated with, so that no further request is sent. */
const SHORTEST = '1';

/** Checks that `excerpt_length` shortens the generated excerpt of a record, best the latest (§4.6, R29). */
export function excerptChecks(contract: Contract): Check[] {
  const collections = collectionsOf(contract).filter(isDescribed);
  return collections.flatMap(({ id, operations: { read } }) => {
    const hasExcerpt = fieldsOf(contract, id).some(({ name }) => name === 'excerpt');
    const isTaken = read !== undefined && takes(read, NAME, 'context');
    return hasExcerpt && isTaken ? [shortenedCheck(read, id)] : [];
  });
}

function shortenedCheck(read: Operation, collection: string): Check {
  return check({
    id: checkId(read.id, NAME, 'shortens'),
    kind: 'fields',
    title: `${NAME} of ${read.id} shortens an excerpt that is made of the content`,
    section: '4.6',
    on: read,
    parameter: NAME,
    needsUser: true,
    needs: [serves(read, 'GET'), declares(read, NAME)],
    after: [checkId(read.id, NAME, 'type', 'accepted'), checkId(read.id, 'answers', 'user')],
    async run(session) {
      const latest =
        (await latestRecord(session, collection, showsLongExcerpt)) ??
        (await latestRecord(session, collection));
      if (latest === undefined) return inconclusive('no record is visible');
      const own = rawOf(latest.json, 'excerpt');
      if (own === undefined)
        return inconclusive('the list does not show which records have an excerpt of their own');
      if (own !== '') return inconclusive('the latest record has an excerpt of its own');
      const { id } = latest;
      const found = await evaluate(session, read, collection, id);
      // Somebody may have changed the record meanwhile.
      const again: Session = { ...session, ask: (spec) => session.client.request(spec) };
      return found?.kind === 'failure' ? evaluate(again, read, collection, id) : found;
    },
  });
}

async function evaluate(
  session: Session,
  read: Operation,
  collection: string,
  id: number,
): Promise<Finding | undefined> {
  const look = async (beside: readonly Pair[] = []): Promise<Seen> => {
    const shown = await readAlone(session, collection, 'view', { id, as: session.caller, beside });
    // Other checks report a server that fails.
    const isBroken = isFinding(shown) && shown.kind === 'failure';
    return orAbort(isBroken ? inconclusive(shown.message) : shown);
  };
  return evaluateLength(await look(), await look([[wireOf(read, NAME), SHORTEST]]));
}

/** Fewer words may show whole in spite of the length, where software has a least one. */
const FEWEST_WORDS = 12;

function isLong(excerpt: string): boolean {
  return excerpt.split(/\s+/).length >= FEWEST_WORDS;
}

/** Whether a list shows that a record has an excerpt made of its content which can be shortened. */
function showsLongExcerpt(record: SiteRecord): boolean {
  return rawOf(record.json, 'excerpt') === '' && !isProtected(record) && isLong(excerptOf(record));
}

function evaluateLength(usual: Seen, short: Seen): Finding | undefined {
  const [long = '', cut = ''] = [usual, short].map(({ records: [record] }) => record && excerptOf(record));
  if (long !== cut) return undefined;
  if (!isLong(long)) return inconclusive('the excerpt of the latest record is short');
  return failure(`an excerpt is as long with ${NAME} 1 as without it`, {
    expected: 'one word of it',
    observed: show(cut),
    reproduce: [usual.curl, short.curl],
  });
}

function excerptOf({ json }: SiteRecord): string {
  const text = member(member(json, 'excerpt'), 'rendered');
  return typeof text === 'string' ? text.replaceAll(/<[^<>]*>/g, ' ').trim() : '';
}
