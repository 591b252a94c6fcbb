import type { Observation } from '../../../client/observation.ts';
import { type Check, check, checkId, type Finding, serves } from '../../../engine/check.ts';
import type { Difference } from '../../../engine/equal.ts';
import {
  describe,
  failure,
  hasFailure,
  inconclusive,
  notApplicable,
  orAbort,
} from '../../../engine/findings.ts';
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
import type { Send, Snapshot } from '../../../probing/records/reading/open-list.ts';
import { sameSnapshot, takeSnapshot } from '../../../probing/records/reading/open-list.ts';
import {
  countOf,
  MOST_TURNS,
  MOVED,
  snapshotOf,
  without,
} from '../../../probing/records/reading/run-rule.ts';
import type { Evaluation, Property } from '../../../probing/search/note-tried.ts';
import { asFree, drawSets, knownSets, partOf, setOf } from '../../../probing/search/note-tried.ts';
import { searchComparing } from '../../../probing/search/search.ts';
import { takes, wireOf } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { besideFindings } from '../beside-checks.ts';
import { findingsOf, parameterOf } from '../filter-checks.ts';
import { FILTER_TABLE, type FilterEntry } from '../filter-table.ts';
import type { PackedSet } from './packed-sets.ts';
import {
  CONTEXT,
  evaluateAnswer,
  idsBy,
  MODIFIERS,
  type Oracle,
  type Prediction,
  STARTS,
} from './prediction.ts';
import { isPredictable, listsPage, type PackedList, packedBy, packedListOf } from './subset-sets.ts';

/** Other checks test all combinations of fewer parameters. */
const FEWEST_PARAMETERS = 3;
/** Below this number of examples, a further seed gets some of them; from it on, all. */
const ALL_EXAMPLES = 25;

/** The check that a list with any set of filters holds the records that are predicted (§4.6 to §4.8). */
export function subsetChecks(operation: Operation): Check[] {
  const predictable = operation.parameters.filter((one) => isPredictable(one));
  if (predictable.length < FEWEST_PARAMETERS) return [];
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

/** The check of the same sets as anybody: sites often read public lists in another way than those of users. */
function anonymousCheck(operation: Operation, subsets: string): Check {
  return check({
    id: checkId(operation.id, 'filters', 'anonymous'),
    kind: 'lists',
    title: `${operation.id} filters, sorts and cuts the list for anonymous callers as well`,
    on: operation,
    needsUser: true,
    needs: [serves(operation, 'GET')],
    after: [subsets, checkId(operation.id, 'page', 'filters')],
    run: (session) => evaluateAsAnybody(session, operation),
  });
}

async function evaluateAsAnybody(session: Session, operation: Operation): Promise<Finding | undefined> {
  const subject = await openSubject(session, operation);
  const known = orAbort(await packedListOf(session, subject));
  const { oracle, list, parameters } = known;
  if (list.records.length < 2) return inconclusive('the check needs two visible records');
  const anybody: Subject = { ...subject, as: 'anonymous', context: 'view' };
  // Not remembered, because sites may show anybody other members than they filter by.
  const send: Send = (spec) => session.client.request(spec);
  // The checks of contexts send this request as well.
  const first = await session.ask(listRequest(anybody));
  const shown = readList(first);
  if (shown.kind === 'stopped') return shown.finding;
  if (!listsPage(list.page, first)) {
    const none = notApplicable('anonymous callers are not listed all records that the user is');
    return (await cutFinding(anybody, first, send)) ?? none;
  }
  // Who may ask for a status is silent (§5.4).
  const others = parameters.filter(({ name }) => name !== 'status');
  const packed = await packedBy({ ...known, parameters: others }, 0, session.seed);
  const search = wireOf(operation, 'search');
  const [honoured, left] = [new Set<string>(), new Set<string>()];
  for (let set = mostShown(packed, honoured); set !== undefined; set = mostShown(packed, honoured)) {
    packed.splice(packed.indexOf(set), 1);
    const idle = search in set.args ? {} : idleArgs(operation);
    let before: Args | undefined;
    for (const step of stepsOf(subject, known, set, left)) {
      const [prediction, asked] = [oracle.predict(step), { ...idle, ...step }];
      const answer = prediction && (await compare(anybody, asked, prediction, list, send));
      if (before === undefined && answer?.end === 'accepted')
        for (const name of set.shows) honoured.add(name);
      if (prediction && (answer?.difference !== undefined || answer?.end === 'refused')) {
        const sets = { asked, before };
        const found = await confirmAsAnybody(session, [subject, anybody], sets, prediction);
        if (found !== undefined) return found;
      }
      before = asked;
    }
  }
  return honoured.size > 0 ? undefined : inconclusive('no set of filters is accepted');
}

/** The first set with the most arguments that show their effect and are not honoured yet; undefined if none has any. */
function mostShown(sets: readonly PackedSet[], honoured: ReadonlySet<string>): PackedSet | undefined {
  const freshIn = ({ shows }: PackedSet): number => shows.filter((name) => !honoured.has(name)).length;
  const [best] = sets.toSorted((one, other) => freshIn(other) - freshIn(one));
  return best !== undefined && freshIn(best) > 0 ? best : undefined;
}

const TOLD_APART = ['page', 'per_page', 'order', 'orderby', 'exclude'];

/**
 * A set, and sets that each have one argument less than the one before, or one record more: these answers differ, but a
 * list that keeps answers may forget to tell them apart.
 * @param left the names of arguments that were left out before; gets those of this set
 */
function stepsOf(
  { operation }: Subject,
  { oracle, list }: Pick<PackedList, 'oracle' | 'list'>,
  set: PackedSet,
  left: Set<string>,
): Args[] {
  const { [CONTEXT]: _, ...whole } = set.args;
  const answerTo = (args: Args): string | undefined => {
    const prediction = oracle.predict(args);
    return prediction && idsBy(prediction, list.records);
  };
  const size = wireOf(operation, 'per_page');
  const steps = [whole];
  for (const name of TOLD_APART.map((one) => wireOf(operation, one))) {
    const last = steps.at(-1) ?? whole;
    const { [name]: value, ...others } = last;
    if (left.has(name) || value === undefined || value === null) continue;
    const step = name === size ? { ...others, [size]: Number(value) + 1 } : others;
    const [before, after] = [answerTo(last), answerTo(step)];
    if (after === undefined || after === '' || after === before) continue;
    left.add(name);
    steps.push(step);
  }
  return steps;
}

/** Arguments without an effect in a list that is neither searched nor limited to terms. */
function idleArgs({ parameters }: Operation): Args {
  const idle = parameters.filter(({ name }) => MODIFIERS.includes(name));
  return Object.fromEntries(
    idle.map(({ wire, schema }) => [wire, schema.items?.enum ?? schema.default ?? schema.enum?.[0]]),
  );
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
 */
async function confirmAsAnybody(
  { client }: Session,
  [user, anybody]: readonly [Subject, Subject],
  { asked: args, before: other }: { readonly asked: Args; readonly before: Args | undefined },
  prediction: Prediction,
): Promise<Finding | undefined> {
  const send: Send = (spec) => client.request(spec);
  const page = wireOf(user.operation, 'page');
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const beside = { _: `anybody-${turn}` };
    const before = await takeSnapshot(user, {}, send);
    if ('finding' in before || !listsPage(before.page, await send(listRequest(anybody, beside))))
      return undefined;
    const known = await compare(user, args, prediction, before, send);
    if (known.difference !== undefined || known.end !== 'accepted') return undefined;
    await send(listRequest(anybody, { ...(other ?? { ...args, [page]: undefined }), ...beside }));
    const { difference, end, observation } = await compare(
      anybody,
      { ...args, ...beside },
      prediction,
      before,
      send,
    );
    const after = await takeSnapshot(user, {}, send);
    if ('finding' in after || !sameSnapshot(before, after)) continue;
    const refusal = { message: `${describeArgs(args)} is refused`, expected: 'the list that the user gets' };
    const differs = end === 'refused' ? { ...refusal, observed: describe(observation) } : difference;
    if (differs === undefined) return undefined;
    const { message, expected, observed } = differs;
    const reproduce = [observation.curl, known.observation.curl];
    return failure(`to anonymous callers ${message}`, { expected, observed, reproduce });
  }
  return undefined;
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
  return searchComparing(session, check, asFree(parameters), sets, property);
}

interface Compared {
  readonly end: Evaluation['end'];
  readonly observation: Observation;
  readonly difference?: Difference | undefined;
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
        if ('finding' in known) return { end: 'other', finding: known.finding };
        const { end, difference } = await compare(subject, args, prediction, known, (spec) =>
          session.ask(spec),
        );
        if (difference === undefined) return { end };
      }
      return confirm(subject, args, prediction, fresh, (snapshot) => moved.set(population, snapshot));
    },
    simpler: (name, value) => simplerOf(value).filter((simple) => predictable({ [name]: simple })),
    reportedBy: (names) => reportedBy(session, subject, names),
  };
}

async function compare(
  subject: Subject,
  args: Args,
  prediction: Prediction,
  snapshot: Snapshot,
  send: Send,
): Promise<Compared> {
  const observation = await send(listRequest(subject, args));
  const answer = readList(observation, subject);
  if (answer.kind === 'refused') {
    return {
      end: 'refused',
      observation,
      difference: await refusedStart(subject, args, prediction, snapshot, send),
    };
  }
  if (answer.kind !== 'list') return { end: 'other', observation };
  const difference = evaluateAnswer(args, answer.records, snapshot, prediction);
  return { end: 'accepted', observation, difference };
}

/** A start that is refused though records are left, and accepted without it; one beyond the end may be refused (R47). */
async function refusedStart(
  subject: Subject,
  args: Args,
  { offset, keeps }: Prediction,
  { records }: Snapshot,
  send: Send,
): Promise<Difference | undefined> {
  const left = records.filter((record) => keeps(record) === true).length - offset;
  if (offset === 0 || left <= 0) return undefined;
  const starts = STARTS.map((name) => wireOf(subject.operation, name));
  const control = Object.fromEntries(Object.entries(args).filter(([name]) => !starts.includes(name)));
  const whole = readList(await send(listRequest(subject, control)), subject);
  if (whole.kind !== 'list') return undefined;
  const message = `${describeArgs(args)} is refused, though ${describeArgs(control)} is not`;
  return { message, expected: `the list after the first ${offset}`, observed: 'a refusal' };
}

/** Compares between two equal readings of the list. @param learn receives the current records if nothing differs */
export async function confirm(
  subject: Subject,
  args: Args,
  prediction: Prediction,
  send: Send,
  learn: (snapshot: Snapshot) => void,
): Promise<Evaluation> {
  let before = await takeSnapshot(subject, prediction.population, send);
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    if ('finding' in before) return { end: 'other', finding: before.finding };
    const { end, observation, difference } = await compare(subject, args, prediction, before, send);
    const after = await takeSnapshot(subject, prediction.population, send);
    if (!('finding' in after) && sameSnapshot(before, after)) {
      if (difference !== undefined) {
        const curls = [observation.curl, ...after.curls.slice(0, 1)];
        return {
          end,
          finding: failure(difference.message, {
            expected: difference.expected,
            observed: difference.observed,
            reproduce: curls,
          }),
          kind: 'subset',
        };
      }
      learn(before);
      return { end };
    }
    before = after;
  }
  return { end: 'other', finding: MOVED };
}

/** Simpler values that keep a meaning: a shorter list, a smaller number. */
function simplerOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.length > 1 ? value.map((item) => [item]) : [];
  return typeof value === 'number' ? simplerValues(value) : [];
}

/** The failing check of one of the parameters, alone or with another filter. */
async function reportedBy(
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
