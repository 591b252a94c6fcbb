import { isFinding, orAbort } from '../../../engine/aborted.ts';
import { type Check, check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { hasFailure, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { simplerValues } from '../../../generators/explore.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { openSubject } from '../../../probing/records/reading/find-parent.ts';
import type { Subject } from '../../../probing/records/reading/list-request.ts';
import type { Send, Snapshot } from '../../../probing/records/reading/open-list.ts';
import { snapshotOf } from '../../../probing/records/reading/run-rule.ts';
import type { Property } from '../../../probing/search/note-tried.ts';
import { asFree, drawSets, knownSets, partOf, setOf } from '../../../probing/search/note-tried.ts';
import { searchComparing } from '../../../probing/search/search.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { besideFindings } from '../beside-checks.ts';
import { findingsOf, parameterOf } from '../filter-checks.ts';
import { FILTER_TABLE, type FilterEntry } from '../filter-table.ts';
import { anonymousCheck } from './anonymous-checks.ts';
import { compare, confirm, type Oracle } from './prediction.ts';
import { isPacked, packedBy, packedListOf } from './subset-sets.ts';

/** Below this number of examples, a further seed gets some of them; from it on, all. */
const ALL_EXAMPLES = 25;

/** The check that a list with any set of filters holds the records that are predicted (§4.6 to §4.8). */
export function subsetChecks(contract: Contract, operation: Operation): Check[] {
  if (!isPacked(contract, operation)) return [];
  const id = checkId(operation.id, 'fuzz', 'subset');
  return [
    check({
      id,
      kind: 'drawn',
      title: `${operation.id} holds what its filters describe, sorted and cut as asked, in any combination`,
      fuzz: true,
      on: operation,
      needs: [serves(operation, 'GET')],
      ...(operation.route.pathParameters.length > 0 && { needsUser: true }),
      run: (session) => evaluate(session, id, operation),
    }),
    ...(operation.route.pathParameters.length > 0 ? [] : [anonymousCheck(operation, id)]),
  ];
}

async function evaluate(session: Session, check: string, operation: Operation): Promise<Finding[]> {
  const subject = await openSubject(session, operation);
  const known = orAbort(await packedListOf(session, subject));
  const { oracle, list, parameters, packed } = known;
  if (list.records.length < 2) return [inconclusive('the check needs two visible records')];
  const { further } = session.fuzz;
  const others = further && (await packedBy(known, further.examples, further.seed));
  const sets = drawSets(session, check, (examples, seed) => {
    const some = others?.slice(0, partOf(examples, ALL_EXAMPLES)) ?? [];
    const drawn = seed === session.seed ? packed : some;
    return examples === 0 ? [] : drawn.map(({ args }) => setOf('pairs', args, 'records'));
  });
  if (sets.length + knownSets(session, check).length === 0)
    return [inconclusive('no two parameters have values of which it is known what they keep')];
  const property = subsetProperty(session, subject, oracle);
  return searchComparing({ session, check, free: asFree(parameters) }, sets, property);
}

/** A list holds what its arguments describe. A difference counts only between two equal readings of the list. */
function subsetProperty(session: Session, subject: Subject, oracle: Oracle): Property {
  const fresh: Send = (spec) => session.client.request(spec);
  /** The current records where they have changed since the run first read them. */
  const moved = new Map<string, Snapshot>();
  const predictable = (args: Args): boolean => oracle.predict(args) !== undefined;
  return {
    keepsSubject: false,
    async evaluate(args, isFresh) {
      const prediction = oracle.predict(args);
      if (prediction === undefined) return { end: 'other' };
      const population = JSON.stringify(prediction.population);
      if (!isFresh) {
        const known = moved.get(population) ?? (await snapshotOf(session, subject, prediction.population));
        if (isFinding(known)) return { end: 'other', finding: known };
        const { end, difference } = await compare(subject, prediction, known, (spec) => session.ask(spec));
        if (difference === undefined) return { end };
      }
      return confirm(subject, prediction, fresh, (snapshot) => moved.set(population, snapshot));
    },
    simpler: (name, value) => simplerOf(value).filter((simple) => predictable({ [name]: simple })),
    reportedBy: (names) => reportingCheck(session, subject, names),
  };
}

/** Simpler values that keep a meaning: a shorter list, a smaller number. */
function simplerOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.length > 1 ? value.map((item) => [item]) : [];
  return typeof value === 'number' ? simplerValues(value) : [];
}

/** The failing check of one of the parameters, alone or with another filter. */
async function reportingCheck(
  session: Session,
  subject: Subject,
  names: readonly string[],
): Promise<string | undefined> {
  const { operation } = subject;
  const entries = FILTER_TABLE.filter((entry) => {
    const parameter = parameterOf(entry, operation);
    return parameter !== undefined && (isUsual(entry) || names.includes(parameter.wire));
  });
  for (const entry of entries) {
    if (!hasFailure(await findingsOf(session, subject, entry))) continue;
    return checkId(operation.id, entry.parameter, 'filters', entry.part);
  }
  for (const entry of entries.filter(({ about }) => about !== undefined)) {
    if (!hasFailure(await besideFindings(session, operation, entry))) continue;
    return checkId(operation.id, entry.parameter, 'filters', 'beside');
  }
  return undefined;
}

/** Whether an entry is about an argument of every list request, or about where lists are cut. */
function isUsual({ parameter, part }: FilterEntry): boolean {
  if (parameter === 'orderby') return part === undefined || part === 'id';
  return part === undefined && ['order', 'per_page', 'page'].includes(parameter);
}
