import type { Observation } from '../../../client/observation.ts';
import { isFinding, orAbort } from '../../../engine/aborted.ts';
import { type Check, check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { describe, failure, hasFailure, inconclusive, notApplicable } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { simplerValues } from '../../../generators/explore.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { openSubject } from '../../../probing/records/reading/find-parent.ts';
import {
  describeArgs,
  listRequest,
  pageSizeOf,
  readList,
  type Subject,
} from '../../../probing/records/reading/list-request.ts';
import { freshly, type Send, type Snapshot } from '../../../probing/records/reading/open-list.ts';
import { betweenReadings, snapshotOf } from '../../../probing/records/reading/run-rule.ts';
import { countOf, without } from '../../../probing/records/reading/trials.ts';
import {
  asFree,
  drawSets,
  type Evaluation,
  knownSets,
  type Property,
  partOf,
  setOf,
} from '../../../probing/search/fuzz-sets.ts';
import { searchComparing } from '../../../probing/search/search.ts';
import { takes, wireOf } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { besideFindings } from '../beside-checks.ts';
import { findingsOf, parameterOf } from '../filter-checks.ts';
import { FILTER_TABLE, type FilterEntry } from '../filter-table.ts';
import type { PackedSet } from './packed-sets.ts';
import { CONTEXT, compare, confirm, idsBy, type Oracle, type Prediction, withIdle } from './prediction.ts';
import { isPacked, listsPage, type PackedList, packedBy, packedListOf } from './subset-sets.ts';

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
      return confirm(session, subject, prediction, (snapshot) => moved.set(population, snapshot));
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

/** The check of the same sets as anybody: sites often read public lists in another way than those of users. */
function anonymousCheck(operation: Operation, subsets: string): Check {
  return check({
    id: checkId(operation.id, 'filters', 'anonymous'),
    kind: 'lists',
    title: `${operation.id} filters, sorts and cuts the list for anonymous callers as well`,
    on: operation,
    needsUser: true,
    needs: [serves(operation, 'GET')],
    after: [
      subsets,
      checkId(operation.id, 'page', 'filters'),
      operation.parameters.map(({ name }) => checkId(operation.id, name, 'filters', 'beside')),
      checkId(operation.id, 'status', 'filters', 'anonymous'),
      checkId(operation.id, 'answers', 'anonymous'),
    ],
    run: (session) => evaluateAsAnybody(session, operation),
  });
}

async function evaluateAsAnybody(session: Session, operation: Operation): Promise<Finding | undefined> {
  const opened = await openSubject(session, operation);
  const whole = orAbort(await packedListOf(session, opened));
  // Where edit leaves out what the user may not edit, view lists what anybody sees.
  const isPart = opened.context === 'edit' && whole.list.hides;
  const subject: Subject = isPart ? { ...opened, context: 'view' } : opened;
  const known = isPart ? orAbort(await packedListOf(session, subject)) : whole;
  const { list, parameters } = known;
  if (list.records.length < 2) return inconclusive('the check needs two visible records');
  const anybody = asAnybody(subject);
  // The checks of contexts send this request as well.
  const first = await session.ask(listRequest(anybody));
  const shown = readList(first);
  if (isFinding(shown)) return shown;
  if (!listsPage(list.page, first)) {
    const none = notApplicable('anonymous callers are not listed all records that the user is');
    return (await cutFinding(anybody, first, freshly(session))) ?? none;
  }
  // Who may ask for a status is silent (§5.4).
  const others = parameters.filter(({ name }) => name !== 'status');
  const packed = await packedBy({ ...known, parameters: others }, 0, session.seed);
  return evaluatePacked(session, subject, known, packed);
}

async function evaluatePacked(
  session: Session,
  subject: Subject,
  known: PackedList,
  packed: PackedSet[],
): Promise<Finding | undefined> {
  const forgotten = new Set<string>();
  const honoured = new Set<string>();
  for (let set = takeNext(packed, honoured); set !== undefined; set = takeNext(packed, honoured)) {
    const steps = stepsOf(subject, known, set, forgotten);
    for (const [at, step] of steps.entries()) {
      const { end, finding } = await evaluateStep(session, subject, known, step, steps[at - 1]);
      if (finding !== undefined) return finding;
      if (end === 'accepted' && at === 0) for (const name of set.shows) honoured.add(name);
    }
  }
  return honoured.size > 0 ? undefined : inconclusive('no set of filters is accepted');
}

const asAnybody = (user: Subject): Subject => ({ ...user, as: 'anonymous', context: 'view' });

/** Takes the first set with the most arguments that show their effect and are not honoured yet, if any set has some. */
function takeNext(sets: PackedSet[], honoured: ReadonlySet<string>): PackedSet | undefined {
  const freshIn = ({ shows }: PackedSet): number => shows.filter((name) => !honoured.has(name)).length;
  const [best] = sets.toSorted((one, other) => freshIn(other) - freshIn(one));
  if (best === undefined || freshIn(best) === 0) return undefined;
  sets.splice(sets.indexOf(best), 1);
  return best;
}

/** Sends a set as anybody. @param earlier the set that was sent before, whose answer may be kept */
async function evaluateStep(
  session: Session,
  subject: Subject,
  { oracle, list }: PackedList,
  args: Args,
  earlier: Args | undefined,
): Promise<Partial<Evaluation>> {
  const predicted = oracle.predict(args);
  if (predicted === undefined) return {};
  const prediction = { ...predicted, args: withIdle(subject.operation, args) };
  // Not remembered, because sites may show anybody other members than they filter by.
  const send = freshly(session);
  const { end, difference } = await compare(asAnybody(subject), prediction, list, send);
  if (difference === undefined && end !== 'refused') return { end };
  const before = earlier && withIdle(subject.operation, earlier);
  return { end, finding: await confirmAsAnybody(session, subject, prediction, before) };
}

/** Arguments that each make another answer, and that a list which keeps answers may forget to tell apart. */
const OFTEN_FORGOTTEN = ['page', 'per_page', 'order', 'orderby', 'exclude'];

/**
 * A set, and sets that each have one argument less than the one before, or one record more.
 * @param forgotten the names of arguments that were left out before; gets those of this set
 */
function stepsOf(
  { operation }: Subject,
  { oracle, list }: Pick<PackedList, 'oracle' | 'list'>,
  set: PackedSet,
  forgotten: Set<string>,
): Args[] {
  const { [CONTEXT]: _, ...whole } = set.args;
  const answerTo = (args: Args): string | undefined => {
    const prediction = oracle.predict(args);
    return prediction && idsBy(prediction, list.records);
  };
  const size = wireOf(operation, 'per_page');
  const steps = [whole];
  for (const name of OFTEN_FORGOTTEN.map((one) => wireOf(operation, one))) {
    const last = steps.at(-1) ?? whole;
    const { [name]: value, ...others } = last;
    if (forgotten.has(name) || value === undefined || value === null) continue;
    const step = name === size ? { ...others, [size]: Number(value) + 1 } : others;
    const [before, after] = [answerTo(last), answerTo(step)];
    if (after === undefined || after === '' || after === before) continue;
    forgotten.add(name);
    steps.push(step);
  }
  return steps;
}

/** The finding if a caller is listed more behind a page that is not full, shown twice around the same page. */
async function cutFinding(caller: Subject, first: Observation, send: Send): Promise<Finding | undefined> {
  const page = readList(first);
  const size = pageSizeOf(caller);
  const isCut = page.kind === 'list' && page.items.length > 0 && page.items.length < size;
  if (!isCut || !takes(caller.operation, 'offset')) return undefined;
  const start = { [wireOf(caller.operation, 'offset')]: page.items.length };
  const behind = async (): Promise<Observation | undefined> => {
    const answer = await send(listRequest(caller, start));
    const rest = readList(answer);
    return rest.kind === 'list' && without(rest.records, page.records).length > 0 ? answer : undefined;
  };
  const more = await behind();
  if (more === undefined || !listsPage(page.records, await send(listRequest(caller)))) return undefined;
  if ((await behind()) === undefined) return undefined;
  return failure(`to anonymous callers a page of ${size} holds ${page.items.length} records of more`, {
    expected: `the records that ${describeArgs(start)} lists too`,
    observed: countOf(page.records),
    reproduce: [first.curl, more.curl],
  });
}

/**
 * A difference, or a refusal, counts between two equal readings of the user, who is answered rightly, and past what keeps
 * answers.
 * @param earlier the arguments of the request before, whose answer may be kept
 */
async function confirmAsAnybody(
  session: Session,
  user: Subject,
  prediction: Prediction,
  earlier: Args | undefined,
): Promise<Finding | undefined> {
  const send = freshly(session);
  const { args } = prediction;
  const anybody = asAnybody(user);
  const page = wireOf(user.operation, 'page');
  let turn = 0;
  const compared = await betweenReadings(session, user, {}, async (before) => {
    const beside = { _: `anybody-${turn++}` };
    if (!listsPage(before.page, await send(listRequest(anybody, beside)))) return undefined;
    const known = await compare(user, prediction, before, send);
    // The check of every answer reports what the user is shown, if it is remembered.
    if (known.difference !== undefined) await session.ask(listRequest(user, args));
    if (known.difference !== undefined || known.end !== 'accepted') return undefined;
    await send(listRequest(anybody, { ...(earlier ?? { ...args, [page]: undefined }), ...beside }));
    const anew = { ...prediction, args: { ...args, ...beside } };
    return { known, ...(await compare(anybody, anew, before, send)) };
  });
  if (isFinding(compared) || compared.found === undefined) return undefined;
  const { known, difference, end, observation } = compared.found;
  const refusal = { message: `${describeArgs(args)} is refused`, expected: 'the list that the user gets' };
  const differs = end === 'refused' ? { ...refusal, observed: describe(observation) } : difference;
  if (differs === undefined) return undefined;
  const { message, expected, observed } = differs;
  const reproduce = [observation.curl, known.observation.curl];
  return failure(`to anonymous callers ${message}`, { expected, observed, reproduce });
}
