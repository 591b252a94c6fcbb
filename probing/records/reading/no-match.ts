import type { Observation } from '../../../client/observation.ts';
import { isFinding } from '../../../engine/aborted.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { failure, failureBy, inconclusive } from '../../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../../engine/session.ts';
import { parameterNamed, takes } from '../../../specs/find-resource.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { isDeclaredAsStated } from '../../declarations/compare-constraint.ts';
import { partOf, turned } from '../../search/fuzz-sets.ts';
import { listRequest, readList } from './list-request.ts';
import { openList } from './open-list.ts';
import { NO_ID } from './record.ts';

/** Whether a list can be asked for something that none of its records has. */
export function canMatchNothing(operation: Operation): boolean {
  const { resource, role } = operation;
  return role === 'list' && resource?.parent === undefined && takes(operation, 'search');
}

/** The id of the check that a list is empty if no record matches. */
export function noMatchId({ id }: Operation): string {
  return checkId(id, 'search', 'filters', 'none');
}

const NOWHERE = 'sc0nowhere0to0be0found';
/** Beyond limits that a text of a search might have, and far below those that are silent (R49). */
const LONG = NOWHERE.repeat(28);

/** Filters whose values software may look up first, and forget the filter if there is no such record. */
const LOOKED_UP: Readonly<Record<string, unknown>> = {
  categories: NO_ID,
  slug: NOWHERE,
  parent: NO_ID,
  include: NO_ID,
  author: NO_ID,
  tags: NO_ID,
};
/** Filters that keep what is later, which software may forget for a time to come: a scheduled record is not listed. */
const LATER: readonly string[] = ['after', 'modified_after'];
// Later than what sites schedule, and within 64-bit nanoseconds since 1970.
const NEVER = '2200-01-01T00:00:00';
/** From this many examples on, all are tried; below, some. */
const ALL_LOOKED_UP = 40;

/** The ids of the checks that these filters are applied at all. */
export function lookedUpIds(operation: Operation): string[] {
  return namedIn(operation, [...Object.keys(LOOKED_UP), ...LATER]).map(({ name }) =>
    checkId(operation.id, name, 'filters'),
  );
}

function namedIn(operation: Operation, names: readonly string[]): Parameter[] {
  return names.flatMap((name) => parameterNamed(operation, name) ?? []);
}

/** The finding for a filter by what no record has, if the list holds records all the same. */
async function lookedUpFinding(session: Session, operation: Operation): Promise<Finding | undefined> {
  const subject = await openList(session, operation);
  const count = Math.max(1, partOf(session.fuzz.examples, ALL_LOOKED_UP));
  // Another one of each list.
  const turn = session.seed + session.contract.operations.indexOf(operation);
  // Other declarations of the target are already reported.
  const declared = (names: readonly string[]): Parameter[] =>
    namedIn(operation, names).filter((one) => isDeclaredAsStated(session.index, operation, one));
  const chosen = [
    ...turned(declared(Object.keys(LOOKED_UP)), count, turn),
    ...turned(declared(LATER), 1, turn),
  ];
  for (const { name, wire } of chosen) {
    const value = Object.hasOwn(LOOKED_UP, name) ? [LOOKED_UP[name]] : NEVER;
    const asked = await session.ask(listRequest(subject, { [wire]: value }));
    const message = `a list filtered by ${wire} with a value that no record has holds records`;
    if (holdsRecords(asked)) return failureBy(message, 'an empty list, or a refusal', asked);
  }
  return undefined;
}

/** What is wrong with the answer of a list that no record matches; undefined if it is a list. */
export async function noMatchFinding(session: Session, operation: Operation): Promise<Finding | undefined> {
  const unlisted = await noneFoundFinding(session, operation);
  if (unlisted !== undefined) return unlisted;
  const asked = await session.ask(listRequest(await openList(session, operation), { search: LONG }));
  if (holdsRecords(asked))
    return failureBy('a search for what no record has finds records', 'an empty list', asked);
  return lookedUpFinding(session, operation);
}

function holdsRecords(answer: Observation): boolean {
  const list = readList(answer);
  return list.kind === 'list' && list.records.length > 0;
}

async function noneFoundFinding(session: Session, operation: Operation): Promise<Finding | undefined> {
  const long = await searchFinding(session, operation, LONG);
  if (long?.kind !== 'failure') return long;
  const short = await searchFinding(session, operation, NOWHERE);
  if (short?.kind === 'failure') return short;
  const message = `a search for ${LONG.length} characters does not give an empty list, as a shorter one does`;
  return { ...long, message };
}

const searchFinding: Fixture<Finding | undefined, [operation: Operation, text: string]> = fixture(
  'no match',
  async (session, operation, text) => {
    const subject = await openList(session, operation);
    const control = await session.ask(listRequest(subject));
    const asked = await session.ask(listRequest(subject, { search: text }));
    const [whole, none] = [readList(control), readList(asked)];
    if (whole.kind !== 'list' || none.kind === 'denied') return inconclusive('the list cannot be read');
    if (whole.records.length < 2) return inconclusive('fewer than two records are visible');
    if (none.kind === 'list') return undefined;
    if (isFinding(none)) return none;
    return failure('the list is refused where no record matches, instead of being empty', {
      expected: 'an empty list',
      observed: none.message,
      reproduce: [control.curl, asked.curl],
    });
  },
);

/** The check that reports why a list refuses values, or fails for them: they match no record. Undefined for other findings. */
export async function rootOfRefusal(
  session: Session,
  operation: Operation,
  findings: readonly Finding[],
): Promise<string | undefined> {
  const id = noMatchId(operation);
  const failed = findings.filter(({ refused, broken }) => refused === true || broken === true);
  if (failed.length === 0) return undefined;
  if (!canMatchNothing(operation) || !session.runs(id)) return undefined;
  const none = await searchFinding(session, operation, NOWHERE);
  const isAlike = failed.some(({ broken }) => broken === none?.broken);
  return none?.kind === 'failure' && isAlike ? id : undefined;
}
