import { isObject, mapLeaves, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { orAbort } from '../../engine/aborted.ts';
import { type Check, check, checkId, type Finding, type Found, serves } from '../../engine/check.ts';
import { firstDifference, type Likeness, likenessOf, sameMeaning } from '../../engine/equal.ts';
import {
  blocked,
  describe,
  explain,
  inconclusive,
  noControl,
  notApplicable,
  show,
} from '../../engine/findings.ts';
import type { Asked, Session } from '../../engine/session.ts';
import { type Args, encodeArgs } from '../../generators/wire-forms.ts';
import { NO_ID } from '../../probing/records/reading/record.ts';
import { takes } from '../../specs/find-resource.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { typesOf } from '../../specs/schema.ts';
import { reportOfRefusal } from './acceptance-checks.ts';
import {
  argsBeside,
  argsFrom,
  baseArgs,
  distinct,
  likelyValues,
  requiredBeside,
} from './calls/argument-values.ts';
import { toRequest } from './calls/call.ts';
import { baselineOf } from './calls/control.ts';
import { mayNeedSiblings, siblingsOf } from './calls/control-candidates.ts';
import {
  askBoth,
  type Both,
  type Compared,
  differInTexts,
  learnMoving,
  likenessBeside,
  mustNotBeKept,
  steadyView,
  withoutTexts,
} from './calls/likeness.ts';

/** Checks that leaving a parameter out means its stated default: both calls get the same answer, byte for byte. */
export function defaultChecks(operation: Operation, effect: 'stated' | 'silent'): Check[] {
  if (operation.effect !== 'reads') return [];
  return operation.parameters
    .filter((parameter) => parameter.in !== 'path' && isSendable(parameter))
    .filter((parameter) => hasSilentEffect(parameter) === (effect === 'silent'))
    .map((parameter) =>
      check({
        id: checkId(operation.id, parameter.name, 'default', 'applied'),
        kind: 'defaults',
        title: `treats a request without ${parameter.wire} like ${parameter.wire} ${show(parameter.schema.default)} in ${operation.id}`,
        on: operation,
        parameter,
        needs: [serves(operation), checkId(operation.id, parameter.name, 'default')],
        after: [checkId(operation.id, parameter.name, 'required')],
        run: (session) => evaluate(session, operation, parameter),
      }),
    );
}

/** Whether the contract states no effect of a parameter. */
export function hasSilentEffect({ schema }: Parameter): boolean {
  return schema['x-silent']?.includes('effect') === true;
}

/** Whether a default can be sent: not if it is null or has another type than its parameter. */
function isSendable({ schema }: Parameter): boolean {
  const { default: stated } = schema;
  if (stated === undefined || stated === null) return false;
  return !(isObject(stated) && !typesOf(schema).includes('object'));
}

interface DefaultSubject extends Compared {
  readonly parameter: Parameter;
  /** Optional arguments without which the site refuses the default. */
  readonly siblings?: Args | undefined;
  /** Set if rendered texts are not compared. */
  readonly leavesTexts?: true;
}

/** Sends the call of a subject with further arguments. Reads are shared by all checks. */
function ask({ session, baseline }: DefaultSubject, args: Args = {}): Promise<Observation> {
  return session.ask(toRequest(baseline, args));
}

async function likeness(subject: DefaultSubject, one: Observation, other: Observation): Promise<Likeness> {
  if (subject.leavesTexts) return likenessOf(one, other, await steadyView(subject, withoutTexts));
  return likenessBeside(subject, one, other);
}

/** Compares the call without the parameter and the one with its default. @param siblings see `DefaultSubject` */
async function evaluate(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  siblings?: Args,
): Promise<Found> {
  const baseline = orAbort(await baselineOf(session, operation));
  const plain = { session, parameter, siblings, baseline };
  const showing = await argsToShow(plain);
  const isShowing = Object.keys(showing).length > 0;
  if (isShowing && (await isApplied(plain))) return [];
  const args = { ...siblings, ...(await argsAround(plain)), ...showing };
  const subject: DefaultSubject = { ...plain, baseline: { ...baseline, args } };

  const omitted = await ask(subject);
  const reason = whyNotComparable(subject, omitted);
  if (reason !== undefined) return inconclusive(reason);
  const isUnaided = !isShowing && siblings === undefined;
  if (isUnaided && (await isUnchangedByAll(subject, omitted))) return agreed(subject, omitted);

  const stated = { [parameter.wire]: parameter.schema.default };
  const explicit = await ask(subject, stated);
  if (omitted.answer === 'refused' && explicit.answer !== 'accepted') return refusedBoth(subject, omitted);
  if ((await likeness(subject, omitted, explicit)) === 'same') return agreed(subject, omitted);

  const isDoubtful = explicit.answer === 'refused' && mayNeedSiblings(operation, parameter);
  const takenWith =
    isDoubtful && siblings === undefined ? await siblingsToTake(subject, explicit) : undefined;
  if (takenWith !== undefined) return evaluate(session, operation, parameter, takenWith);
  return (
    (await refusalElsewhere(subject, explicit)) ??
    (await differenceBy(subject, stated, isDoubtful)) ??
    agreed(subject, omitted)
  );
}

/** Other arguments that a parameter needs for its default to show. */
async function argsToShow(subject: DefaultSubject): Promise<Args> {
  const { parameter, baseline } = subject;
  if (parameter.name === 'page' && takes(baseline.operation, 'per_page'))
    return (await isShown(subject)) ? {} : { per_page: 1 };
  if (parameter.name !== 'search_columns') return {};
  const words = wordsBesideTitles((await ask(subject)).json).slice(0, MOST_CONTRASTS);
  for (const search of words) {
    // A plugin may render words that no record stores.
    const { json } = await ask(subject, { search });
    if (Array.isArray(json) && json.length > 0) return { search };
  }
  return { search: words[0] ?? 'sample' };
}

function wordsBesideTitles(json: unknown): string[] {
  const records: readonly unknown[] = Array.isArray(json) ? json : [];
  return records.flatMap((record) => {
    const text = (field: string): string =>
      String(member(member(record, field), 'rendered') ?? '').toLowerCase();
    const title = text('title');
    const words = `${text('content')} ${text('caption')} ${text('description')}`
      .replaceAll(/<[^<>]*>|&[^&;]*;/g, ' ')
      .match(/[a-z]{5,}/g);
    return words?.find((one) => !title.includes(one)) ?? [];
  });
}

/** The other arguments of the call without the parameter; none if the parameter alone makes the call valid. */
async function argsAround(subject: DefaultSubject): Promise<Args> {
  const { session, baseline } = subject;
  const { wire, required, schema } = subject.parameter;
  const { [wire]: own, ...others } = baseline.args;
  if (own === undefined || required === true) return baseline.args;
  const base = await baseArgs(session, baseline.operation);
  const alone = { ...baseline, args: { ...base, [wire]: schema.default } };
  return (await session.ask(toRequest(alone))).answer === 'accepted' ? base : others;
}

type Usage = 'omitted' | 'stated' | 'other';

/** The accepted calls of other checks, grouped by all that is not the parameter, and then by their usage of it. */
function callsBeside({
  session,
  parameter: { wire, schema },
  baseline,
}: DefaultSubject): Partial<Record<Usage, readonly Asked[]>>[] {
  const stated = JSON.stringify(encodeArgs({ [wire]: schema.default }));
  const isOf = ([name]: readonly [string, string]): boolean => name === wire || name.startsWith(`${wire}[`);
  const usageOf = ({ query }: Asked): Usage => {
    const own = query.filter(isOf);
    if (own.length === 0) return 'omitted';
    return JSON.stringify(own) === stated ? 'stated' : 'other';
  };
  const accepted = session
    .remembered((route) => route === baseline.route, baseline.as)
    .filter(({ answer }) => answer.answer === 'accepted');
  const calls = Map.groupBy(accepted, ({ query }) => JSON.stringify(query.filter((one) => !isOf(one))));
  return [...calls.values()].map((call) => Object.groupBy(call, usageOf));
}

/** Whether calls of other checks show that only another value than the default gives another answer. */
async function isApplied(subject: DefaultSubject): Promise<boolean> {
  for (const { omitted: [usual] = [], stated: [stated] = [], other = [] } of callsBeside(subject)) {
    if (usual === undefined || stated === undefined) continue;
    const found = await likeness(subject, usual.answer, stated.answer);
    if (found === 'same' && (await differs(subject, [usual], other))) return true;
  }
  return false;
}

/** Whether another value of the parameter got another answer than its default in the same call of other checks. */
async function isShown(subject: DefaultSubject): Promise<boolean> {
  for (const { omitted = [], stated = [], other = [] } of callsBeside(subject)) {
    if (await differs(subject, [...omitted, ...stated], other)) return true;
  }
  return false;
}

/** Whether one of some answers certainly differs from one of others. */
async function differs(subject: DefaultSubject, ones: readonly Asked[], others: readonly Asked[]) {
  for (const { answer: one } of ones)
    for (const { answer } of others) if ((await likeness(subject, one, answer)) === 'different') return true;
  return false;
}

/** Why the call without the parameter says nothing of its default; undefined if it may. */
function whyNotComparable(
  { baseline: { operation, as }, siblings }: DefaultSubject,
  omitted: Observation,
): string | undefined {
  if (omitted.answer === 'broken')
    return `the plain call makes the server fail, which ${checkId(operation.id, 'answers', as)} reports`;
  // The site may require both arguments together, so that a refusal without one proves nothing.
  const isBound = siblings !== undefined && omitted.answer === 'refused';
  if (!isBound && (omitted.answer === 'accepted' || omitted.answer === 'refused')) return undefined;
  return `the request without it is not accepted (${explain(omitted)})`;
}

/** Whether all stated defaults change nothing together: then none does alone. */
async function isUnchangedByAll(subject: DefaultSubject, omitted: Observation): Promise<boolean> {
  const { operation } = subject.baseline;
  const defaults = argsFrom(operation, (one) => (isSendable(one) ? one.schema.default : undefined));
  return (await likeness(subject, omitted, await ask(subject, defaults))) === 'same';
}

function refusedBoth({ baseline: { search } }: DefaultSubject, omitted: Observation): Finding {
  if (search !== undefined) return noControl(omitted, search);
  return inconclusive(`the request is refused without it as well as with it (${explain(omitted)})`);
}

/** The first optional arguments with which a refused default is accepted. */
async function siblingsToTake(subject: DefaultSubject, refusal: Observation): Promise<Args | undefined> {
  const { session, parameter, baseline } = subject;
  for (const siblings of await siblingsOf({ session, operation: baseline.operation, parameter }, refusal)) {
    const taken = await ask(subject, { ...siblings, [parameter.wire]: parameter.schema.default });
    if (taken.answer === 'accepted') return siblings;
  }
  return undefined;
}

/** The finding where the refusal of a stated default is reported elsewhere, or proves nothing. */
async function refusalElsewhere(
  { session, baseline, parameter }: DefaultSubject,
  explicit: Observation,
): Promise<Finding | undefined> {
  if (explicit.answer !== 'refused') return undefined;
  const { default: stated } = parameter.schema;
  // A query can only spell it as an empty text, which a site may refuse or not.
  if (Array.isArray(stated) && stated.length === 0)
    return notApplicable(`the site takes no empty text for an empty list (${explain(explicit)})`);
  const report = await reportOfRefusal(session, baseline.operation, parameter, stated);
  return report === undefined ? undefined : blocked(report);
}

/** The difference that a stated default makes between fresh answers, unless something else explains it. */
async function differenceBy(
  subject: DefaultSubject,
  stated: Args,
  isDoubtful: boolean,
): Promise<Finding | undefined> {
  await learnMoving(subject, stated);
  const compared = await askBoth(subject, stated);
  if (compared === undefined) return undefined;
  if ((await dependsOnAddress(subject, compared)) || (await isRespelled(subject, compared))) return undefined;
  await mustNotBeKept(subject, stated, compared);
  const found = difference(subject, compared);
  return isDoubtful ? { ...found, kind: 'warning' } : found;
}

/** Whether only rendered texts differ, because of the requested address, which plugins may render. */
async function dependsOnAddress(subject: DefaultSubject, { first, other }: Both): Promise<boolean> {
  if (!differInTexts(first, other)) return false;
  if ((await likeness(subject, first, other)) === 'same') return true;
  return (await whyNotShown({ ...subject, leavesTexts: true }, first)) === undefined;
}

/** Whether answers only repeat a number of no stated type in the way it was sent: as a default, or as text in a query. */
async function isRespelled(subject: DefaultSubject, { first, other }: Both): Promise<boolean> {
  if (typesOf(subject.parameter.schema).length > 0) return false;
  return likenessOf(first, other, await steadyView(subject, withNumbersAsTexts)) === 'same';
}

function withNumbersAsTexts(json: unknown): unknown {
  return mapLeaves(json, (leaf) => (typeof leaf === 'number' ? String(leaf) : leaf));
}

function difference(
  { baseline: { operation }, parameter }: DefaultSubject,
  { first: omitted, other: explicit }: Both,
): Finding {
  const { wire, schema } = parameter;
  return {
    kind: 'failure',
    message: `leaving ${wire} out of ${operation.id} is not the same as ${wire} ${show(schema.default)}`,
    expected: 'the same answer',
    observed: observedOf(omitted, explicit),
    reproduce: [omitted.curl, explicit.curl],
    // The site accepts the call without the parameter, and nothing shows another default.
    ...(omitted.answer === 'accepted' && explicit.answer === 'refused' && { blocks: false }),
  };
}

function observedOf(omitted: Observation, explicit: Observation): string {
  const found = omitted.status === explicit.status ? firstDifference(omitted.json, explicit.json) : undefined;
  if (found === undefined) return `${describe(omitted)} without it, ${describe(explicit)} with it`;
  const place = found.path === '' ? '' : `${show(found.path)} is `;
  return `${place}${summaryOf(found.one)} without it, ${summaryOf(found.other)} with it`;
}

function summaryOf(value: unknown): string {
  return Array.isArray(value) ? `a list of ${value.length}` : show(value);
}

/** A default only counts as applied if another value changes the answer, unless the effect is silent. */
async function agreed(subject: DefaultSubject, omitted: Observation): Promise<Found> {
  return hasSilentEffect(subject.parameter) ? undefined : whyNotShown(subject, omitted);
}

/** Why an answer shows nothing of the default: no other value changes it. Undefined if one does. */
async function whyNotShown(subject: DefaultSubject, omitted: Observation): Promise<Finding | undefined> {
  const { session, parameter, baseline } = subject;
  const { operation } = baseline;
  if (await isShown(subject)) return undefined;
  const { named } = await likelyValues(session, operation, parameter);
  const known = named
    .filter((value) => !sameMeaning(value, parameter.schema.default))
    .slice(0, MOST_CONTRASTS);
  for (const value of distinct([...contrasts(subject, omitted), ...known])) {
    if (requiredBeside(parameter, value)?.needsUser === true && baseline.as === 'anonymous') continue;
    const beside = await argsBeside(session, operation, parameter, value);
    const other = await ask(subject, { ...beside, [parameter.wire]: value });
    if (other.answer !== 'accepted') continue;
    if ((await likeness(subject, omitted, other)) === 'different') return undefined;
  }
  return inconclusive(`no other value of ${parameter.wire} changes the answer, so its default does not show`);
}

const MOST_CONTRASTS = 3;

const KNOWN_CONTRASTS: Readonly<Record<string, readonly unknown[]>> = {
  context: ['help', 'embed'],
  format: ['xml'],
};

/** Other values than the default, from the schema and from the records in the answer. */
function contrasts({ session, parameter, baseline }: DefaultSubject, omitted: Observation): unknown[] {
  const { operation } = baseline;
  const { schema } = parameter;
  if (parameter.name === 'namespace') {
    const others = session.contract.namespaces.filter(({ name }) => name !== operation.route.namespace);
    return others.map(({ wire }) => wire).slice(0, 1);
  }
  const known = KNOWN_CONTRASTS[parameter.name];
  if (known !== undefined && schema.enum === undefined) return [...known];
  const members = schema.enum ?? schema.items?.enum;
  if (members !== undefined)
    return members.filter((value) => !sameMeaning([schema.default].flat(), [value])).slice(0, MOST_CONTRASTS);
  const types = typesOf(schema);
  if (types.includes('boolean')) return [schema.default !== true];
  if (types.includes('array')) return otherLists(parameter, omitted);
  if (types.includes('integer') || typeof schema.default === 'number') {
    const lowest = schema.minimum ?? 0;
    return [lowest, lowest + 1, 300].filter((value) => value !== schema.default).slice(0, MOST_CONTRASTS);
  }
  return ['sample'];
}

/** A list other than the default one: its first item, or ids in the answer. */
function otherLists({ name: parameter, schema }: Parameter, omitted: Observation): unknown[] {
  if (Array.isArray(schema.default) && schema.default.length > 1) return [schema.default.slice(0, 1)];
  const name = parameter.replace(/_exclude$/, '');
  const field = name === 'include' || name === 'exclude' ? 'id' : name;
  const records: unknown[] = Array.isArray(omitted.json) ? omitted.json : [];
  // Media items call their parent `post`.
  const values = records.map(
    (one) => member(one, field) ?? (field === 'parent' ? member(one, 'post') : undefined),
  );
  const numbers = [...new Set(values)].filter((value) => typeof value === 'number');
  // If all records are alike, a value that matches none shows a difference.
  return [...numbers.slice(0, MOST_CONTRASTS), NO_ID].map((value) => [value]);
}
