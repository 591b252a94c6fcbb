import { Aborted, isFinding, orAbort } from '../../../engine/aborted.ts';
import { type Check, check, checkId, type Found, serves } from '../../../engine/check.ts';
import { blocked, notApplicable } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { present } from '../../../engine/text.ts';
import { type Args, rawQueryOf, rawValues, repeated } from '../../../generators/wire-forms.ts';
import { isDeclaredAsStated } from '../../../probing/declarations/compare-constraint.ts';
import { MOST_PER_PAGE } from '../../../probing/records/reading/list-request.ts';
import { noMatchId } from '../../../probing/records/reading/no-match.ts';
import type { Free, FuzzSet, Shares } from '../../../probing/search/fuzz-sets.ts';
import {
  asFree,
  drawSets,
  knownSets,
  partOf,
  setOf,
  sharesOf,
  turned,
} from '../../../probing/search/fuzz-sets.ts';
import { search, searchComparing } from '../../../probing/search/search.ts';
import type { Contract, Operation, Parameter } from '../../../specs/model.ts';
import { type Schema, takesAnyText, typesOf } from '../../../specs/schema.ts';
import { acceptanceOf } from '../acceptance-checks.ts';
import { likelyValues, requiredBeside } from '../calls/argument-values.ts';
import { toRequest } from '../calls/call.ts';
import { baselineOf, controlOf } from '../calls/control.ts';
import { isOfPlugin, optionalSets } from '../calls/control-candidates.ts';
import { invalidSets, validSets } from './drawn-sets.ts';
import { encodingChecks } from './encoding-checks.ts';
import type { FuzzContext, OtherWay, SendSet } from './properties.ts';
import {
  accepted,
  BESIDE_UNKNOWN,
  COMPARED_SHARE,
  FEWEST_PARAMETERS,
  OTHERWISE_WRITTEN,
  refused,
  robust,
  sendIn,
  unchanged,
} from './properties.ts';
import { refusalsShowingInside, sharingRefusals } from './refused-together.ts';
import {
  edgeIds,
  oneOfEach,
  SHORTEST_LIST,
  strangePaths,
  strangeSets,
  strangestOf,
  unrelatedIds,
} from './strange-sets.ts';
import { malformedWriteChecks, writeFuzzChecks } from './write-fuzz-checks.ts';

/** Parameters whose valid values depend on the content of the site. */
const SITE_BOUND: ReadonlySet<string> = new Set(['page', 'offset', 'password', 'url']);
/** A site fetches this address, and a strange value could be any address. */
const FETCHED = 'url';

/** Valid sets of arguments of an operation that other checks send, and that the site refuses. */
type RefusedSets = (session: Session, operation: Operation) => Promise<readonly Args[]>;

/** Property-based checks of an operation: combinations, refusals, survival, and equivalent requests. */
export function fuzzChecks(operation: Operation, refusedSets?: RefusedSets): Check[] {
  const checks =
    operation.effect === 'reads'
      ? readFuzzChecks(operation, refusedSets)
      : [...writeFuzzChecks(operation), ...encodingChecks(operation), ...malformedWriteChecks(operation)];
  return checks.map((check) => ({ ...check, fuzz: true }));
}

function readFuzzChecks(operation: Operation, refusedSets?: RefusedSets): Check[] {
  const { namespace, path } = operation.route;
  const open = operation.parameters.filter(({ in: place }) => place !== 'path');
  const free = open.filter(({ name }) => !SITE_BOUND.has(name));
  const strange = open.filter(({ name }) => name !== FETCHED);
  // What a site publishes about one parameter says nothing about combinations.
  const isStated =
    operation.parameters.every(({ basis }) => basis !== 'published') && operation.basis !== 'published';
  const combines = isStated && free.length >= FEWEST_PARAMETERS;
  const isRoot = path === `/${namespace}`;
  const make = (aspect: string, title: string, run: Fuzz, some = free): Check => {
    const id = checkId(operation.id, 'fuzz', aspect);
    return check({
      id,
      kind: 'drawn',
      title: `${operation.id} ${title}`,
      on: operation,
      needs: [serves(operation)],
      after: [
        // What fails where nothing is found fails for random values too.
        ['malformed', 'robust'].includes(aspect) && noMatchId(operation),
        isRoot && checkId('namespaces', namespace, 'root'),
      ],
      async run(session) {
        const baseline = orAbort(await baselineOf(session, operation));
        // Other declarations of the target are already reported.
        const parameters = some.filter((one) => isDeclaredAsStated(session.index, operation, one));
        return run({ session, check: id, baseline, free: asFree(parameters) });
      },
    });
  };
  // A site that denies everything returns no server error either, so a pass says little about its behaviour.
  const about = { about: 'answer' } as const;
  const malformed = 'returns no 5xx for a malformed query';
  const combination = 'accepts any combination of valid arguments';
  const encodings = 'answers alike whatever the order and the spelling of its arguments';
  // The software serves the roots of all namespaces alike, and those of the contract show what it does.
  const isShownElsewhere = isRoot && operation.basis === 'published';
  // What a plugin answers is silent (§1), and may repeat whatever was sent.
  const isComparable = combines && operation.strict;
  return present([
    operation.resource !== undefined &&
      operation.strict &&
      open.length > 0 && { ...make('malformed', malformed, fuzzMalformed, open), ...about },
    combines && make('accepted', combination, (context) => fuzzValid(context, refusedSets)),
    combines &&
      isEvaluatedForRefusals(operation, free.length) &&
      make('refused', 'refuses any invalid argument', fuzzInvalid),
    strange.length > 0 &&
      !isShownElsewhere && {
        ...make('robust', 'returns no 5xx for malformed input', fuzzStrange, strange),
        ...about,
      },
    isComparable && make('stable', 'ignores an unknown parameter', fuzzOtherwise(BESIDE_UNKNOWN)),
    isComparable && make('encodings', encodings, fuzzOtherwise(OTHERWISE_WRITTEN)),
  ]);
}

type Fuzz = (context: FuzzContext) => Promise<Found>;

/** @param refusedSets of other checks, which are searched too: they hold more pairs of arguments than are drawn */
async function fuzzValid(given: FuzzContext, refusedSets?: RefusedSets): Promise<Found> {
  const context = await withCombinable(given);
  const { session, check, free } = context;
  const drawn = drawSets(session, check, (examples, seed) => {
    const usual = usualSet(context, examples, seed);
    const { random, ...shares } = sharesOf(examples);
    return [...usual, ...validSets(free, { ...shares, random: Math.max(0, random - usual.length) }, seed)];
  });
  const refused = drawn.length === 0 ? [] : await refusedSets?.(session, context.baseline.operation);
  const others = refused?.map((args) => setOf('pairs', combinable(context, args), 'refused')) ?? [];
  return search(context, [...drawn, ...others], accepted(context));
}

/** Those of some arguments that are valid beside any others. */
function combinable({ free }: FuzzContext, args: Args): Args {
  const isValid = ([name, value]: [string, unknown]): boolean =>
    free.some(({ parameter }) => parameter.wire === name && requiredBeside(parameter, value) === undefined);
  return Object.fromEntries(Object.entries(args).filter(isValid));
}

/** The arguments with which other checks read lists, tried with the seed of the run alone. */
function usualSet(
  { session, baseline: { operation, as }, free }: FuzzContext,
  examples: number,
  seed: number,
): FuzzSet[] {
  if (seed !== session.seed || examples === 0) return [];
  const about = free.flatMap(({ parameter: { name, wire } }) =>
    Object.hasOwn(LISTED, name) ? [{ name: wire, keyword: 'usual' }] : [],
  );
  const isListed = operation.resource !== undefined && operation.role === 'list' && as === 'user';
  if (!isListed || about.length < Object.keys(LISTED).length) return [];
  return [{ phase: 'boundary', args: LISTED, about }];
}

/** In the order of the list reads of other checks, so that both are one request. */
const LISTED: Args = { context: 'edit', per_page: MOST_PER_PAGE, orderby: 'id', order: 'desc' };

/** Limits a search to combinations of valid values on this site. @throws Aborted if a single value is refused */
async function withCombinable(context: FuzzContext): Promise<FuzzContext> {
  const acceptance = await acceptanceOf(context.session, context.baseline.operation);
  const isKnown = !isFinding(acceptance);
  const findings = isKnown ? [...acceptance.findings] : [];
  const failing = findings.find(([, { kind }]) => kind === 'failure');
  if (failing !== undefined) throw new Aborted(blocked(failing[0].checkId));
  // A plugin may accept a value only with others (R51), or doubtfully; the core's values that need others are known.
  const doubtful = findings.filter(([, { kind }]) => kind === 'warning').map(([sample]) => sample);
  const besideOthers = isKnown && isOfPlugin(context.baseline.operation) ? acceptance.besideOthers : [];
  const bound = new Set([...besideOthers, ...doubtful].map(({ parameter }) => parameter.name));
  const free: Free[] = [];
  for (const { parameter } of context.free.filter((one) => !bound.has(one.parameter.name))) {
    free.push({ parameter, schema: await schemaOnSite(context, parameter) });
  }
  return { ...context, free };
}

/** The schema of a parameter on a site: only known values, if a plugin takes texts as names of something. */
async function schemaOnSite({ session, baseline }: FuzzContext, parameter: Parameter): Promise<Schema> {
  const { operation } = baseline;
  const { wire, schema } = parameter;
  const { named } = await likelyValues(session, operation, parameter);
  if (operation.strict || named.length === 0) return standingAlone(parameter);
  // The first sample number may be an existing id by chance.
  const types = typesOf(schema);
  if (types.includes('integer')) return { ...schema, enum: named };
  const any = types.includes('array') ? ['sample'] : 'sample';
  const control = await controlOf(session, baseline, { ...baseline.args, [wire]: any });
  if (isFinding(control) || control.answer !== 'refused') return standingAlone(parameter);
  // Values derived from a name are guesses: only those that some call accepted are valid here.
  const taken: unknown[] = [];
  for (const value of named) {
    for (const beside of [{}, ...(await optionalSets(session, operation))]) {
      const args = { ...beside, ...baseline.args, [wire]: value };
      const one = await controlOf(session, baseline, args);
      if (isFinding(one) || one.answer !== 'accepted') continue;
      taken.push(value);
      break;
    }
  }
  return { ...schema, enum: taken.length > 0 ? taken : named };
}

/** A schema without members that need others or credentials; those have checks of their own. */
function standingAlone(parameter: Parameter): Schema {
  const { schema } = parameter;
  const alone = (members: readonly unknown[]): unknown[] =>
    members.filter((value) => requiredBeside(parameter, value) === undefined);
  if (schema.enum !== undefined) return { ...schema, enum: alone(schema.enum) };
  if (schema.items?.enum === undefined) return schema;
  return { ...schema, items: { ...schema.items, enum: alone(schema.items.enum) } };
}

async function fuzzInvalid(context: FuzzContext): Promise<Found> {
  const { session, check, free } = context;
  const sets = invalidSetsOf(context, check, free);
  if (sets.length + knownSets(session, check).length === 0 && session.fuzz.examples > 0) {
    return notApplicable('no parameter has values that are refused for sure');
  }
  const send = sharingRefusals(session.fuzz, sets, sendIn(context));
  return search(context, sets, refused(context, send));
}

function invalidSetsOf({ session }: FuzzContext, check: string, free: readonly Free[]): FuzzSet[] {
  return drawSets(session, check, (examples, seed) => invalidSets(free, sharesOf(examples), seed));
}

async function fuzzStrange(context: FuzzContext): Promise<Found> {
  const { session, check, free } = context;
  const { operation } = context.baseline;
  const ids = await unrelatedIds(session, operation);
  const foreign = namesOfOthers(session.contract, operation);
  const all = strangePaths(operation, ids);
  // A record that does not exist is always requested, because software often forgets that it may be missing.
  const isRecord = operation.role === 'read' && operation.route.pathParameters.length === 1;
  const isAlways = isRecord || operation === firstOfChildren(session.contract);
  const edges = isRecord ? strangePaths(operation, edgeIds(session.contract, operation)) : [];
  const [missing, paths] = isAlways ? [[...all.slice(0, 1), ...edges], all.slice(1)] : [[], all];
  const draw = (examples: number, seed: number): FuzzSet[] => {
    const drawn = strangeSets(free, partOf(examples), seed, { ids, paths, foreign });
    if (drawn.length === 0) return [];
    return [...drawn, ...missing, ...emptyTexts(operation, free), ...unusualAddresses(context.baseline)];
  };
  const sets = [...drawSets(session, check, draw, ids), ...(await revealingRefusals(context))];
  return search(context, sets, robust(context, operation, sendIn(context)));
}

/** A list of children, which may forget that their parent may be missing; all of them share code. */
function firstOfChildren({ operations }: Contract): Operation | undefined {
  return operations.find(({ resource, role }) => resource?.parent !== undefined && role === 'list');
}

/** All texts of a plugin's read empty at once, but for those that are empty by default, which another check sends. */
function emptyTexts({ strict }: Operation, free: readonly Free[]): FuzzSet[] {
  const texts = free.filter(({ schema }) => takesAnyText(schema) && schema.default !== '');
  return strict ? [] : oneOfEach(texts, 'an empty text', () => '');
}

/** The address of the baseline request with characters outside ASCII: a site may fetch what an address names. */
function unusualAddresses({ operation, args }: FuzzContext['baseline']): FuzzSet[] {
  return operation.parameters.flatMap(({ name, wire }) => {
    const address = args[wire];
    if (name !== FETCHED || typeof address !== 'string' || !URL.canParse(address)) return [];
    const unusual = `${address}${address.includes('?') ? '&' : '?'}sample=línea日本😀`;
    return [setOf('boundary', { [wire]: unusual }, 'an address with characters outside ASCII')];
  });
}

/** Sets of the check of refusals, whose answers are remembered, with a refusal that reveals internals. */
async function revealingRefusals(context: FuzzContext): Promise<FuzzSet[]> {
  const { operation } = context.baseline;
  const free = context.free.filter(({ parameter }) => !SITE_BOUND.has(parameter.name));
  if (!isEvaluatedForRefusals(operation, free.length)) return [];
  const sets = invalidSetsOf(context, checkId(operation.id, 'fuzz', 'refused'), free);
  return refusalsShowingInside(context.session.fuzz, sets, sendIn(context));
}

/** Whether refusals are checked. Namespaces that are not strict need not enforce a declared type (R34). */
function isEvaluatedForRefusals({ strict, basis }: Operation, parameters: number): boolean {
  return basis !== 'published' && parameters >= FEWEST_PARAMETERS && strict;
}

/** From this many examples on, all are malformed; below, one is, or in a list all parameters in a few requests. */
const ALL_MALFORMED = 100;

/** Malformed queries cause no server error. Lists and records suffice: all queries are read by the same code. */
async function fuzzMalformed(context: FuzzContext): Promise<Found> {
  const { session, check, baseline } = context;
  const { operation } = baseline;
  const about = { session, check, free: asFree(operation.parameters.filter((one) => one.in !== 'path')) };
  const all = about.free.flatMap(({ parameter: { wire } }) =>
    rawValues(wire).map((value) => setOf('boundary', { [wire]: value }, 'malformed')),
  );
  const sets = drawSets(session, check, (examples, seed) => {
    const together = operation.role === 'list' && examples > 0 ? malformedTogether(about.free, seed) : [];
    const others = Math.max(0, partOf(examples, ALL_MALFORMED) - together.length);
    return [...together, ...turned(all, others, seed)];
  });
  // These values go into the query as they are.
  const send: SendSet = (args, fresh) => {
    const spec = { ...toRequest(baseline), rawQuery: rawQueryOf(args) };
    return fresh ? session.client.request(spec) : session.ask(spec);
  };
  return search(about, sets, robust(about, operation, send));
}

const NO_UTF8 = ['%FF', '%C3', '%80'];
/** Other spellings of the number one, which validations accept and databases may not. */
const SPELLINGS = ['01', '1e0'];
/** A word that languages use for nothing. */
const NOTHING = 'null';
/** A text of more characters than some servers and columns are made for. */
const LONG = 'x'.repeat(4_000);

/** What validations accept and other code may fail of: of all texts at once, and of all other parameters at once. */
function malformedTogether(free: readonly Free[], seed: number): FuzzSet[] {
  const lists = free.filter(({ schema }) => isListOf(schema, takesAnyText));
  const texts = [...free.filter(({ schema }) => takesAnyText(schema)), ...lists];
  return [
    ...oneOfEach(texts, 'bytes that are no UTF-8', (_schema, at) => {
      const more = texts[at] === lists[0] ? `,${NOTHING},${LONG}` : '';
      return `${NO_UTF8[(seed + at) % NO_UTF8.length]}${more}`;
    }),
    ...oneOfEach(free, 'a repeated name', (_schema, at, parameter) =>
      repeatedOf(parameter, SPELLINGS[(seed + at) % SPELLINGS.length]),
    ),
  ];
}

/** A raw value with which the name of a parameter is repeated. Numbers are spelt otherwise, in lists in all ways. */
function repeatedOf(parameter: Parameter, spelling = ''): string | undefined {
  const { wire, schema } = parameter;
  const [first, second = first] = standingAlone(parameter).enum ?? [];
  if (isListOf(schema, isInteger)) return SPELLINGS.join();
  if (first !== undefined)
    return repeated(wire, encodeURIComponent(String(first)), encodeURIComponent(String(second)));
  if (takesAnyText(schema)) return repeated(wire, NOTHING, NOTHING);
  if (typesOf(schema).includes('boolean')) return repeated(wire, 'true', 'false');
  return isInteger(schema) ? repeated(wire, '1', spelling) : undefined;
}

function isInteger(schema: Schema): boolean {
  return schema.enum === undefined && typesOf(schema).includes('integer');
}

function isListOf({ type, items = {} }: Schema, isMeant: (one: Schema) => boolean): boolean {
  return type === 'array' && isMeant(items);
}

function fuzzOtherwise(way: OtherWay): Fuzz {
  return async (given) => {
    const context = await withCombinable(given);
    const { session, check, free } = context;
    const sets = drawSets(session, check, (examples, seed) => {
      const shares: Shares = { boundary: 0, pairs: 0, random: Math.ceil(examples / COMPARED_SHARE) };
      // A drawn set may match nothing, and then differs in nothing.
      return [...usualSet(context, examples, seed), ...validSets(free, shares, seed)];
    });
    return searchComparing(context, sets, unchanged(context, way));
  };
}

/** Parameters of other reads in the namespace, each of a wrong type: code may serve an operation without validating. */
export function namesOfOthers({ operations }: Contract, operation: Operation): FuzzSet[] {
  const { parameters, route, resource } = operation;
  if (resource === undefined) return [];
  const own = new Set([...parameters, ...route.pathParameters].map(({ name }) => name));
  const others = operations
    .filter(({ effect, resource: about }) => effect === 'reads' && about !== undefined)
    .filter(({ route: { namespace } }) => namespace === route.namespace)
    .flatMap((other) => other.parameters)
    .filter(({ name, in: place }) => place !== 'path' && !own.has(name));
  const foreign = [...new Map(others.map((parameter) => [parameter.wire, parameter])).values()];
  // A value outside the type: a number that is too large, or a list.
  const unchecked = (schema: Schema): unknown =>
    typesOf(schema).includes('integer') ? strangestOf({ type: 'integer' }) : SHORTEST_LIST;
  return oneOfEach(asFree(foreign), 'a name of another operation', unchecked);
}
