import type { Observation } from '../../../client/observation.ts';
import { orAbort } from '../../../engine/aborted.ts';
import { type Check, check, checkId, type Finding, type Found, servedBy } from '../../../engine/check.ts';
import { compareAsked, likenessOf } from '../../../engine/equal.ts';
import { failure, inconclusive, notApplicable, show } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { simplerValid } from '../../../generators/shrink.ts';
import { encodeQuery, rawForm, rawValues } from '../../../generators/wire-forms.ts';
import { isDeclaredAsStated } from '../../../probing/declarations/judge-constraint.ts';
import { drawSets, knownSets } from '../../../probing/search/draw-sets.ts';
import type { Free, FuzzSet, Property } from '../../../probing/search/fuzz-set.ts';
import { search } from '../../../probing/search/search.ts';
import { searchTelling } from '../../../probing/search/search-telling.ts';
import { partOf, type Shares, sharesOf, turned } from '../../../probing/search/shares.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { type Args, toRequest } from '../call.ts';
import { type Baseline, baselineOf } from '../control.ts';
import { invalidSets, strangePaths, strangeSets, unrelatedIds, validSets } from './drawn-sets.ts';
import { encodingChecks } from './encoding-checks.ts';
import { accepted, askSet, combinable, endOf, refused, robust, showsInside } from './properties.ts';
import { writeFuzzChecks } from './write-fuzz-checks.ts';

/** Fewer parameters make no combinations that other checks do not try. */
const FEWEST_PARAMETERS = 3;
/** Parameters whose valid values depend on what the site holds. */
const SITE_BOUND: ReadonlySet<string> = new Set(['page', 'offset', 'password', 'url']);
/** What a site fetches is not for strange values: they might lead anywhere. */
const FETCHED = 'url';
/** Of the examples of a run, one of so many. */
const UNCHANGED_SHARE = 10;
/** Where there are few examples, they are for combinations: two of ten, but all of so many are strange. */
const ALL_STRANGE = 40;

/**
 * Property-based checks of an operation: any combination of valid arguments is accepted, one invalid argument is refused in
 * any combination, no value makes the server fail, and another way to ask for the same changes nothing.
 */
export function fuzzChecks(operation: Operation): Check[] {
  const checks =
    operation.effect === 'reads'
      ? readFuzzChecks(operation)
      : [...writeFuzzChecks(operation), ...encodingChecks(operation)];
  return checks.map((check) => ({ ...check, fuzz: true }));
}

function readFuzzChecks(operation: Operation): Check[] {
  const open = operation.parameters.filter(({ in: place }) => place !== 'path');
  const free = open.filter(({ name }) => !SITE_BOUND.has(name));
  const checks: Check[] = malformedChecks(operation);
  // What a site publishes of one parameter says nothing of many together.
  const isStated =
    operation.parameters.every(({ basis }) => basis !== 'published') && operation.basis !== 'published';
  if (isStated && free.length >= FEWEST_PARAMETERS) {
    checks.push(
      fuzzCheck(operation, free, 'accepted', 'accepts any combination of valid arguments', fuzzValid),
    );
    if (isJudgedForRefusals(operation, free.length)) {
      checks.push(fuzzCheck(operation, free, 'refused', 'refuses any invalid argument', fuzzInvalid));
    }
  }
  const strange = open.filter(({ name }) => name !== FETCHED);
  if (strange.length > 0) {
    const robustness = fuzzCheck(
      operation,
      strange,
      'robust',
      'returns no 5xx for malformed input',
      fuzzStrange,
    );
    // A site that denies everything does not fail either: that it holds says nothing of what the site does.
    checks.push({ ...robustness, about: 'answer' });
  }
  // What a plugin answers is silent (§1): it may well repeat whatever it was sent.
  if (isStated && free.length >= FEWEST_PARAMETERS && operation.strict) {
    checks.push(
      fuzzCheck(operation, free, 'stable', 'ignores an unknown parameter', fuzzOtherwise(BESIDE_UNKNOWN)),
      fuzzCheck(
        operation,
        free,
        'encodings',
        'answers alike whatever the order and the spelling of its arguments',
        fuzzOtherwise(OTHERWISE_WRITTEN),
      ),
    );
  }
  return checks;
}

/** What a search is about, once its operation has a baseline request on the site. */
interface FuzzContext {
  readonly session: Session;
  readonly check: string;
  readonly operation: Operation;
  readonly baseline: Baseline;
  readonly parameters: readonly Parameter[];
}

function fuzzCheck(
  operation: Operation,
  free: readonly Parameter[],
  aspect: string,
  title: string,
  run: (context: FuzzContext) => Promise<Found>,
): Check {
  const id = checkId(operation.id, 'fuzz', aspect);
  return check({
    id,
    kind: 'drawn',
    title: `${operation.id} ${title}`,
    on: operation,
    needs: servedBy(operation),
    async run(session) {
      const baseline = orAbort(await baselineOf(session, operation));
      // What the target declares otherwise is reported already.
      const parameters = free.filter((one) => isDeclaredAsStated(session.index, operation, one));
      return run({ session, check: id, operation, baseline, parameters });
    },
  });
}

async function fuzzValid(context: FuzzContext): Promise<Found> {
  const { session, operation, baseline, parameters } = context;
  const free = await combinable(session, operation, baseline, parameters);
  if ('kind' in free) return free;
  const sets = drawSets(session, context.check, (examples, seed) =>
    validSets(free, sharesOf(examples), seed),
  );
  return searchIn(context, free, sets, accepted(session, operation, baseline, free));
}

async function fuzzInvalid(context: FuzzContext): Promise<Found> {
  const { session, operation, baseline, parameters } = context;
  const free = parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
  const sets = drawSets(session, context.check, (examples, seed) =>
    invalidSets(free, sharesOf(examples), seed),
  );
  if (sets.length + knownSets(session, context.check).length === 0 && session.fuzz.examples > 0) {
    return notApplicable('no parameter has values that are refused for sure');
  }
  const send = sendIn(context);
  return searchIn(context, free, sets, refused(session, operation, baseline, free, send));
}

async function fuzzStrange(context: FuzzContext): Promise<Found> {
  const { session, operation, parameters } = context;
  const free = parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
  const ids = await unrelatedIds(session, operation);
  const beside = { ids, paths: strangePaths(operation, ids) };
  const sets = drawSets(
    session,
    context.check,
    (examples, seed) => strangeSets(free, partOf(examples, ALL_STRANGE), seed, beside),
    ids,
  );
  const telling = await refusalsShowingInside(context, free);
  return searchIn(context, free, [...sets, ...telling], robust(session, operation, free, sendIn(context)));
}

/** The sets that another check wants to be refused, as far as their refusals show what they should not: all are remembered. */
async function refusalsShowingInside(context: FuzzContext, strange: readonly Free[]): Promise<FuzzSet[]> {
  const { session, operation } = context;
  const free = strange.filter(({ parameter }) => !SITE_BOUND.has(parameter.name));
  if (!isJudgedForRefusals(operation, free.length)) return [];
  const send = sendIn(context);
  const shown: FuzzSet[] = [];
  const sets = drawSets(session, checkId(operation.id, 'fuzz', 'refused'), (examples, seed) =>
    invalidSets(free, sharesOf(examples), seed),
  );
  for (const { phase, args, about } of sets) {
    if (phase !== 'kept' && showsInside(await send(args, false))) shown.push({ phase, args, about });
  }
  return shown;
}

/** Where a namespace is not strict, a declared type need not be enforced (R34). */
function isJudgedForRefusals({ strict, basis }: Operation, parameters: number): boolean {
  return basis !== 'published' && parameters >= FEWEST_PARAMETERS && strict;
}

function fuzzOtherwise(way: OtherWay): (context: FuzzContext) => Promise<Found> {
  return async (context) => {
    const { session, operation, baseline, parameters } = context;
    const free = await combinable(session, operation, baseline, parameters);
    if ('kind' in free) return [free];
    const sets = drawSets(session, context.check, (examples, seed) => {
      const shares: Shares = { boundary: 0, pairs: 0, random: Math.ceil(examples / UNCHANGED_SHARE) };
      return validSets(free, shares, seed);
    });
    const property = unchanged(session, operation, baseline, free, way);
    return searchIn(context, free, sets, property, searchTelling);
  };
}

function sendIn({ session, operation, baseline }: FuzzContext): Parameters<typeof refused>[4] {
  return (args, fresh) => askSet(session, operation, baseline, args, fresh);
}

function searchIn(
  { session, check }: FuzzContext,
  free: readonly Free[],
  sets: readonly FuzzSet[],
  property: Property,
  by: typeof search = search,
): Promise<Found> {
  return by(session, check, free, sets, property);
}

/** Where there are few examples, one of them is malformed, and all of so many. */
const ALL_MALFORMED = 100;

/**
 * The check that no query makes a list or a record fail that is not well-formed: broken escapes, bytes that are no text,
 * a name that is given twice. Everything else of a site reads queries by the same means.
 */
function malformedChecks(operation: Operation): Check[] {
  const { id, effect, strict, resource, section, methods } = operation;
  const open = operation.parameters.filter(({ in: place }) => place !== 'path');
  if (effect !== 'reads' || resource === undefined || !strict || open.length === 0) return [];
  const own = checkId(id, 'fuzz', 'malformed');
  return [
    check({
      id: own,
      kind: 'drawn',
      title: `${id} does not fail of a query that is not well-formed`,
      section,

      about: 'answer',
      operation: id,
      needs: [checkId(id, 'method', methods[0])],
      run: (session) => judge(session, own, operation, open),
    }),
  ];
}

async function judge(
  session: Session,
  check: string,
  operation: Operation,
  parameters: readonly Parameter[],
): Promise<Found> {
  const baseline = orAbort(await baselineOf(session, operation));
  const free = parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
  const all = parameters.flatMap(({ wire }) =>
    rawValues(wire).map(
      (value): FuzzSet => ({
        phase: 'boundary',
        args: { [wire]: value },
        about: [{ name: wire, keyword: 'malformed' }],
      }),
    ),
  );
  const sets = drawSets(session, check, (examples, seed) =>
    turned(all, partOf(examples, ALL_MALFORMED), seed),
  );
  const send = (args: Args, fresh: boolean): Promise<Observation> =>
    ask(session, operation, baseline, args, fresh);
  return search(session, check, free, sets, robust(session, operation, free, send));
}

function ask(
  session: Session,
  operation: Operation,
  baseline: Baseline,
  args: Args,
  fresh: boolean,
): Promise<Observation> {
  const [[name, value] = ['', ''], ...others] = Object.entries(args);
  const pairs = others.flatMap(([other, one]) => encodeQuery(other, one));
  const spec = { ...toRequest({ operation, ...baseline }), rawQuery: rawForm(pairs, name, String(value)) };
  return fresh ? session.client.request(spec) : session.ask(spec);
}

/** A name that no software gives a meaning to. */
const UNKNOWN = 'x_not_a_parameter';

interface OtherWay {
  readonly what: string;
  /** Arguments in the order in which they are sent, and how lists are written. */
  ask(args: Args): { readonly args: Args; readonly lists?: 'commas' | 'brackets' };
}

/** Asking once more, beside a parameter that nobody knows. */
const BESIDE_UNKNOWN: OtherWay = {
  what: 'an unknown parameter beside it',
  ask: (args) => ({ args: { ...args, [UNKNOWN]: 'sample' } }),
};

/** The same arguments in the opposite order, with lists written with commas. */
const OTHERWISE_WRITTEN: OtherWay = {
  what: 'its arguments in the opposite order and lists with commas',
  ask: (args) => ({ args: Object.fromEntries(Object.entries(args).reverse()), lists: 'commas' }),
};

/** What was accepted is answered alike when it is asked in another way; a difference counts between equal readings only. */
function unchanged(
  session: Session,
  operation: Operation,
  baseline: Baseline,
  free: readonly Free[],
  way: OtherWay,
): Property {
  const schemas = new Map(free.map(({ parameter, schema }) => [parameter.wire, schema]));
  const requestOf = (args: Args, lists?: 'commas' | 'brackets'): ReturnType<typeof toRequest> =>
    toRequest({ operation, ...baseline, args, lists });
  return {
    keepsSubject: false,
    async judge(given, fresh) {
      const args = { ...baseline.args, ...given };
      const other = way.ask(args);
      const ask = (): Promise<Observation> => session.client.request(requestOf(args));
      const askOther = (): Promise<Observation> => session.client.request(requestOf(other.args, other.lists));
      const plain = fresh ? await ask() : await session.ask(requestOf(args));
      const end = endOf(plain);
      if (plain.answer !== 'accepted') return { end };
      if (likenessOf(plain, await askOther()) === 'same') return { end };
      const finding = await compare(`${show(given)} for ${operation.id}`, way, ask, askOther);
      return { end, finding, kind: 'changed' };
    },
    simpler: (name, value) => simplerValid(schemas.get(name) ?? {}, value),
    reportedBy: async () => undefined,
  };
}

/** Only fresh requests side by side are a proof. */
async function compare(
  what: string,
  way: OtherWay,
  ask: () => Promise<Observation>,
  askOther: () => Promise<Observation>,
): Promise<Finding | undefined> {
  const compared = await compareAsked(ask, askOther);
  if (compared.end === 'same') return undefined;
  if (compared.end === 'unread') return inconclusive(`the answer to ${what} is more than is read`);
  if (compared.end === 'unsteady')
    return inconclusive(`${what} was answered otherwise each time it was asked`);
  const { first, other } = compared;
  return failure(`${what} is answered otherwise with ${way.what}`, {
    expected: `the same answer (${describe(first)})`,
    observed: describe(other),
    reproduce: [first.curl, other.curl],
  });
}
