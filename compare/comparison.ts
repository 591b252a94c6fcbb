import { join } from 'node:path';
import { shapeOf } from '../client/route-pattern.ts';
import { EVALUATED } from '../engine/extent.ts';
import type { RunResult } from '../engine/result.ts';
import { listed, plural, present } from '../engine/text.ts';
import { productTool } from '../engine/version.ts';
import { readValidated } from '../specs/validators.ts';
import { type Change, type Compared, type DocumentHead, declaredMember, isRemovedMember } from './change.ts';
import { compareChecks, type SharedChecks } from './checks/compare-checks.ts';
import { compareFields } from './checks/compare-fields.ts';
import type { Places } from './checks/places.ts';
import { compareSurfaces } from './declared/compare-surfaces.ts';
import { markEverywhere } from './declared/known-versions.ts';
import { type Surface, surfaceOf } from './declared/surface.ts';
import { type Group, groupsOf } from './groups/groups.ts';
import { byClass, type ChangeClass, countClasses } from './law.ts';
import { withCauses } from './observed/cause-rules.ts';
import { withWhom } from './observed/changes.ts';
import { compareAnswers } from './observed/compare-answers.ts';
import { isFolder, type Side } from './side.ts';

interface ComparedSide extends Pick<Side, 'url' | 'taken'> {
  readonly kind: 'run' | 'snapshot' | 'site';
  readonly id?: string;
}

interface Acceptance {
  /** How many changes of each class are accepted. They are listed with the others, but do not count. */
  readonly counts: Readonly<Record<ChangeClass, number>>;
  /** The ids of expired entries. Their changes count again. */
  readonly expired: readonly string[];
  /** The ids of entries that are not needed: both sides were compared, and the change did not occur. */
  readonly needless: readonly string[];
}

/** A change that affects a call of a client. */
export interface CallChange {
  /** The ids of the change and of its cause. */
  readonly id: string;
  readonly cause: string;
  readonly class: 'breaking' | 'unknown';
  /** What changed, and what to send or read instead. */
  readonly says: string;
  readonly instead: string;
}

/** A call that changes affect. */
export interface AffectedCall {
  readonly call: string;
  readonly changes: readonly CallChange[];
}

/** A comparison for one client: `clients` of `comparison.json`. */
export interface AffectedClient {
  readonly name: string;
  readonly calls: number;
  /** The calls that break. Accepted changes break none. */
  readonly breaking: readonly AffectedCall[];
  readonly unknown: readonly AffectedCall[];
  /** Calls that the site already refused before, with the reason. */
  readonly refused: readonly { readonly call: string; readonly why: string }[];
}

/** The document `comparison.json`, format 1; its schema is `specs/schemas/comparison.schema.json`. */
export interface Comparison extends DocumentHead<'comparison'> {
  /** Set if two live sites were compared. */
  readonly origin?: 'twin';
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  readonly looked: {
    readonly namespaces: number;
    readonly routes: number;
    readonly parameters: number;
    readonly checks: number;
    /** Fields of records; absent if there were none. */
    readonly fields?: number;
    /** Kinds of answers; absent if there were none. */
    readonly answers?: number;
    /** For two live sites: sets of arguments that were sent to both. */
    readonly sets?: number;
  };
  /** Why there is no conclusion, in sentences; absent if there is one. */
  readonly inconclusive?: readonly string[];
  /** What could not be compared, in sentences. */
  readonly notes: readonly string[];
  /** How many changes of each class there are, with accepted ones. */
  readonly counts: Readonly<Record<ChangeClass, number>>;
  /** Only with a list of accepted changes. */
  readonly acceptance?: Acceptance;
  /** The effect on clients, if their files were given. */
  readonly clients?: readonly AffectedClient[];
  /** One for each root cause, the worst first. */
  readonly groups: readonly Group[];
  readonly changes: readonly Change[];
}

type Surfaces = Readonly<Record<'before' | 'after', Surface>>;

/** The share of the smaller side that both sides must have. */
const LEAST_SHARE = { checks: 0.5, routes: 0.1 };
const MOST_NAMED = 5;

/** Reads a `comparison.json`. @param path the file, or the folder that holds it. @throws UsageError for what is none */
export function readComparison(path: string): Comparison {
  const file = isFolder(path) ? join(path, 'comparison.json') : path;
  return readValidated<Comparison>(file, 'comparison.schema.json');
}

/** Compares what two sides share. */
export function compareSides(before: Side, after: Side): Comparison {
  const surfaces = surfacesOf(before, after);
  const surface = surfaces === undefined ? [] : compareSurfaces(surfaces.before, surfaces.after);
  const [was, is] = [before.run, after.run];
  const { fields, answers, checks } = compareRuns(was, is, surface, surfaces?.before);
  const declared = surface.map((change) => withField(change, [...fields.changes, ...surface]));
  const found = [...declared, ...fields.changes, ...answers.changes, ...checks.changes];
  const changes = found.map((change) => withSuccessor(change, found));
  const obstacles = obstaclesOf(before, after, surfaces, checks);
  return {
    before: describe(before),
    after: describe(after),
    looked: {
      ...sizeOf(surfaces?.after),
      checks: checks.shared,
      ...(fields.compared > 0 && { fields: fields.compared }),
      ...(answers.compared > 0 && { answers: answers.compared }),
    },
    ...(obstacles.length > 0 && { inconclusive: obstacles }),
    notes: [...notesOf(before, after, checks), ...fields.notes, ...answers.notes],
    ...concluded(changes),
    groups: markEverywhere(groupsOf(changes), [
      { surface: surfaces?.before, software: was?.target.software },
      { surface: surfaces?.after, software: is?.target.software },
    ]),
  };
}

/** What every comparison says of its changes. */
export function concluded(
  changes: readonly Change[],
): Pick<Comparison, 'format' | 'kind' | 'tool' | 'counts' | 'changes'> {
  return {
    format: 1,
    kind: 'comparison',
    tool: productTool(),
    counts: countClasses(changes),
    changes: changes.toSorted(byClass),
  };
}

const NOTHING: Compared = { changes: [], compared: 0, notes: [] };
const NO_CHECKS: SharedChecks = { changes: [], drawn: [], shared: 0, onlyBefore: 0, onlyAfter: 0 };

/** Compares two runs. @param declared changes of the index: what they cause is not reported again */
function compareRuns(
  was: RunResult | undefined,
  is: RunResult | undefined,
  declared: readonly Change[],
  index: Surface | undefined,
): { readonly fields: Compared; readonly answers: Compared; readonly checks: SharedChecks } {
  if (was === undefined || is === undefined) return { fields: NOTHING, answers: NOTHING, checks: NO_CHECKS };
  const places: Places = { ...was.target.operations, ...is.target.operations };
  const { changes, ...rest } = compareFields(was, is, places);
  const isOfUser = was.target.as === 'user' && is.target.as === 'user';
  const shownNow = isOfUser ? is.observed?.answers : undefined;
  const fields = { ...rest, changes: changes.map((change) => withWhom(change, shownNow)) };
  const answers = compareAnswers(was, is, fields.changes, declared, index && writtenIn(index));
  const shown = withCauses(fields.changes, [], answers.changes);
  const known = [...declared, ...shown, ...answers.changes];
  const checks = compareChecks(was.checks, is.checks, { places, known });
  return { fields: { ...fields, changes: shown }, answers, checks };
}

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Whether callers may write a member at a route without path parameters. Then its presence is no matter of content. */
function writtenIn({ routes }: Surface): (route: string, member: string) => boolean {
  const written = [...routes.values()].flatMap(({ route, calls }) =>
    [...calls.values()].flatMap(({ method, args }) =>
      WRITES.has(method) ? Object.keys(args).map((name) => `${shapeOf(route.key)} ${name}`) : [],
    ),
  );
  const names = new Set(written);
  return (route, member) => names.has(`${route} ${member}`);
}

/** What nobody may send any more because of a removed field or parameter: `author`, `author_exclude` and that order. */
function withField(change: Change, all: readonly Change[]): Change {
  const { kind, about: { route = '', method } = {}, subject } = change;
  const isGone = kind === 'parameter-removed' || isRemovedMember(change);
  const names = isGone
    ? [declaredMember(subject)]
    : (change.lost ?? []).map((word) => word.replaceAll('"', ''));
  if (change.class !== 'breaking' || names.length === 0) return change;
  const isOf = ({ kind, subject: name, about, calls }: Change): boolean => {
    if (kind === 'field-removed') {
      const isBelow = `${shapeOf(route)}/`.startsWith(`${shapeOf(calls?.route ?? '')}/`);
      return isBelow && names.every((word) => `${word}_`.startsWith(`${name}_`));
    }
    const isHere = kind === 'parameter-removed' && about?.route === route && about.method === method;
    return isHere && names.every((word) => word.startsWith(`${name}_`));
  };
  const root = all.find(isOf);
  return root === undefined ? change : { ...change, cause: root.id };
}

/** Names where a removed member is now, if one of the same records has its name elsewhere, or in another spelling. */
function withSuccessor(change: Change, all: readonly Change[]): Change {
  const nameOf = ({ subject }: Change): string =>
    subject.replace(/^.*\./, '').replaceAll(/[_-]/g, '').toLowerCase();
  if (change.kind !== 'field-removed' && change.kind !== 'answer-member-removed') return change;
  const next = all.find(
    (other) =>
      (other.kind === 'field-added' || other.kind === 'answer-member-added') &&
      other.place === change.place &&
      nameOf(other) === nameOf(change),
  );
  const evidence = present([change.evidence, next && `now ${next.subject}`]).join('; ');
  return next === undefined ? change : { ...change, evidence };
}

function describe({ run, url, taken }: Side): ComparedSide {
  return run === undefined ? { kind: 'snapshot', url, taken } : { kind: 'run', url, taken, id: run.run.id };
}

/** How much an index declares. */
export function sizeOf(
  surface: Surface | undefined,
): Pick<Comparison['looked'], 'namespaces' | 'routes' | 'parameters'> {
  const calls = [...(surface?.routes.values() ?? [])].flatMap((route) => [...route.calls.values()]);
  return {
    namespaces: surface?.namespaces.size ?? 0,
    routes: surface?.routes.size ?? 0,
    parameters: calls.reduce((sum, { args }) => sum + Object.keys(args).length, 0),
  };
}

/** Why a comparison has no conclusion: a side is incomplete, or the sides share too little. */
function obstaclesOf(
  before: Side,
  after: Side,
  surfaces: Surfaces | undefined,
  { shared, onlyBefore, onlyAfter }: SharedChecks,
): string[] {
  const [was, is] = [before.run, after.run];
  const own = [...runObstacles(was, 'before'), ...runObstacles(is, 'after')];
  if (own.length > 0) return own;
  if (surfaces === undefined && shared === 0) return ['the two sides have nothing that both of them report'];
  const checks = shared + Math.min(onlyBefore, onlyAfter);
  const shapesOf = (surface: Surface | undefined): Set<string> =>
    new Set([...(surface?.routes.keys() ?? [])].map(shapeOf));
  const [shapes, later] = [shapesOf(surfaces?.before), shapesOf(surfaces?.after)];
  const routes = shapes.intersection(later).size;
  const fewer = Math.min(shapes.size, later.size);
  return present([
    shared < checks * LEAST_SHARE.checks &&
      `the runs share ${shared} of ${plural(checks, 'check')}: they were not asked the same`,
    fewer === 0 &&
      shapes.size !== later.size &&
      `the index ${later.size === 0 ? 'after' : 'before'} names no route: it may hide them from this caller`,
    routes < fewer * LEAST_SHARE.routes &&
      `the indexes share ${routes} of ${plural(fewer, 'route')}: they are hardly of one site`,
  ]);
}

function surfacesOf(before: Side, after: Side): Surfaces | undefined {
  if (before.index === undefined || after.index === undefined) return undefined;
  const [was, is] = [surfaceOf(before.index, before.url), surfaceOf(after.index, after.url)];
  if (callerOf(before) === callerOf(after)) return { before: was, after: is };
  const withoutLinks = (of: Surface): Surface => {
    const { _links, ...root } = of.root;
    return { ...of, root };
  };
  return { before: withoutLinks(was), after: withoutLinks(is) };
}

/** Who asked for the index of a side: for a snapshot nobody, unless a header said otherwise, which it does not keep. */
function callerOf({ run }: Side): 'user' | 'anonymous' {
  return run?.target.as ?? 'anonymous';
}

function runObstacles(run: RunResult | undefined, when: 'before' | 'after'): string[] {
  if (run === undefined) return [];
  const { ended } = run.run;
  const left = run.checks.filter(({ skip, cut }) => cut === true || skip?.kind === 'over-budget').length;
  const isEmpty = !run.checks.some(({ verdict }) => EVALUATED.has(verdict));
  return present([
    ended !== undefined && `the run ${when} did not finish: ${ended}`,
    ended === undefined && left > 0 && `the run ${when} did not finish: ${plural(left, 'check')} over budget`,
    isEmpty && `the run ${when} evaluated nothing: ${run.reason}`,
  ]);
}

function notesOf(before: Side, after: Side, checks: SharedChecks): string[] {
  const noIndex = (when: string, { path, index }: Side): string | undefined =>
    index === undefined
      ? `${when}, there is no index.json beside ${path}: what the sites declare is not compared`
      : undefined;
  const [was, is] = [before.run, after.run];
  const notes = present([
    noIndex('before', before),
    noIndex('after', after),
    (was === undefined) !== (is === undefined) && 'one side is a snapshot: verdicts are not compared',
    before.index !== undefined &&
      after.index !== undefined &&
      callerOf(before) !== callerOf(after) &&
      'the callers were not the same: the links of the index depend on who asks and are not compared',
  ]);
  if (was === undefined || is === undefined) return notes;
  const facts: [string, string | undefined, string | undefined][] = [
    ['deployment', was.target.deployment, is.target.deployment],
    ['contract', was.tool.contract, is.tool.contract],
    ['mode', was.run.mode, is.run.mode],
    ['caller', was.target.as, is.target.as],
    ['vocabulary', was.target.vocabulary, is.target.vocabulary],
  ];
  const { drawn, onlyBefore, onlyAfter } = checks;
  return present([
    notes,
    // A run that never began does not say.
    facts.map(
      ([name, then, now]) =>
        then && now && then !== now && `the runs differ in their ${name}: ${then} before, ${now} after`,
    ),
    drawn.length > 0 &&
      `${plural(drawn.length, 'search', 'searches')} drew other sets of arguments and ended otherwise, which says nothing of the site: ${listed(drawn, MOST_NAMED)}; a run with --baseline asks the same sets`,
    onlyBefore + onlyAfter > 0 &&
      `${onlyBefore} checks were asked before only and ${onlyAfter} after only: they are not compared`,
  ]);
}
