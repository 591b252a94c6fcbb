import { describe, expect, it } from 'vitest';
import type { RunMode } from '../client/mode.ts';
import type { Check } from '../engine/check.ts';
import { selectorOf } from '../engine/glob.ts';
import { levelOf } from '../engine/plan.ts';
import { progressOf } from '../engine/progress.ts';
import type { CheckResult, NextStep, ProgressReport } from '../engine/result.ts';
import { together } from '../sites/alterations/alteration.ts';
import { findMutant } from '../sites/alterations/catalogue.ts';
import { endpointOf, entryOf } from '../sites/alterations/declarations.ts';
import { declaring } from '../sites/alterations/handling.ts';
import { readArguments } from '../sites/reference/arguments.ts';
import { isObject, type JsonObject } from '../sites/reference/json.ts';
import { loadContract as loadRaw, type Operation, routePattern } from '../sites/reference/load-contract.ts';
import { Refusal } from '../sites/reference/request.ts';
import type { Parameters as Stated } from '../sites/reference/schema.ts';
import type { Alter, IndexDocument } from '../sites/reference/site.ts';
import { loadContract } from '../specs/contract.ts';
import { LEVELS, type Level } from '../specs/releases.ts';
import { allChecks } from '../suites/all-checks.ts';
import { runOnReference } from './kill.ts';

const RAW = loadRaw('core');
const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const CHECKS = allChecks(CONTRACT);
/** Without two filters beside each other, whose sets take long to find. */
const APART = CHECKS.filter(({ id }) => !id.endsWith('/beside'));

/** A part of a site that its author builds at once. A site without it lacks the rest. */
interface Feature {
  readonly feature: string;
  /** The checks for it, as globs. */
  readonly brings: readonly string[];
  /** Members of the index. */
  readonly members?: readonly string[];
  /** Ids of operations. */
  readonly operation?: string;
  /** Parameters of operations that are neither declared nor read. */
  readonly parameters?: { readonly of: RegExp; readonly names: readonly string[] };
  /** Refusals of invalid or missing values, by effect of the operation. Such a value counts as not sent. */
  readonly refusals?: 'reads' | 'writes';
  /** Behaviour that a mutant does not have. */
  readonly mutants?: readonly string[];
}

/** A site without some features. @param announced whether the index shows the whole site, so that missing parts answer 501 */
function unfinished(missing: readonly Feature[], announced: boolean): Alter {
  const isAbsent = ({ id }: Operation): boolean => missing.some(({ operation }) => operation === id);
  const absentOf = ({ id }: Operation): string[] =>
    missing.flatMap(({ parameters }) => (parameters?.of.test(id) ? parameters.names : []));
  return together(
    declaring((index) => {
      if (announced) return;
      for (const name of missing.flatMap(({ members = [] }) => members)) delete index[name];
      for (const operation of RAW.operations) {
        const { args } = endpointOf(index, operation);
        for (const name of absentOf(operation)) delete args[name];
      }
      for (const operation of RAW.operations.filter(isAbsent)) withoutEndpoint(index, operation);
    }),
    () => ({
      readArguments: (parameters, given, { operation }) => {
        if (isAbsent(operation))
          throw new Refusal('rest_no_route', 'There is nothing here yet.', announced ? 501 : 404);
        const names = absentOf(operation);
        const left = { ...parameters, properties: without(parameters.properties, names) };
        const effect = operation.effect === 'reads' ? 'reads' : 'writes';
        const isLenient = missing.some(({ refusals }) => refusals === effect);
        return isLenient
          ? readLeniently({ ...left, required: [] }, without(given, names))
          : readArguments(left, without(given, names));
      },
    }),
  );
}

function withoutEndpoint(index: IndexDocument, operation: Operation): void {
  const endpoint = endpointOf(index, operation);
  const entry = entryOf(index, operation);
  entry.endpoints = entry.endpoints.filter((one) => one !== endpoint);
  entry.methods = [...new Set(entry.endpoints.flatMap(({ methods }) => methods))];
  if (entry.endpoints.length === 0) delete index.routes[routePattern(operation)];
}

/** Treats invalid arguments as not sent. */
function readLeniently(parameters: Stated, given: JsonObject): JsonObject {
  try {
    return readArguments(parameters, given);
  } catch (refusal) {
    const invalid = refusal instanceof Refusal ? refusal.details.params : undefined;
    if (!isObject(invalid)) throw refusal;
    return readLeniently(parameters, without(given, Object.keys(invalid)));
  }
}

function without<T>(object: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const SITE_MEMBERS = [
  ...['name', 'description', 'url', 'home', 'gmt_offset', 'timezone_string', 'page_for_posts'],
  ...['page_on_front', 'show_on_front', 'authentication'],
];

/** The operations of some roles on each resource. */
function operations(...roles: readonly string[]): Feature[] {
  const all = roles.flatMap((role) => ['posts', 'pages', 'media'].map((one) => [one, role] as const));
  return all.map(([resource, role]): Feature => {
    const id = `${resource}.${role}`;
    const more = ['record', '{changes,alone}/**', 'own-record'].map((rest) => `${id}/${rest}`);
    const forced = role === 'delete' ? [`states/${resource}/force`] : [];
    return { feature: id, brings: [`${id}/{method,answers}/**`, ...more, ...forced], operation: id };
  });
}

function parameters(feature: string, of: RegExp, names: readonly string[], where = 'posts.list'): Feature {
  return { feature, brings: names.map((name) => `${where}/${name}/**`), parameters: { of, names } };
}

const LIST = /^posts\.list$/;
const FIELDS = /^posts\.(create|update)$/;

/** If a check needs either of two features, the first one is built first. */
const FEATURES: readonly Feature[] = [
  { feature: 'refusals-of-reads', brings: ['*.{list,read}/**/enforced'], refusals: 'reads' },
  { feature: 'site-members', brings: [`index/{${SITE_MEMBERS.join(',')}}/**`], members: SITE_MEMBERS },
  {
    feature: 'namespace-content',
    brings: ['namespaces/cms/v2/**', 'cms.root/**'],
    operation: 'cms.root',
  },
  ...operations('list', 'read'),
  parameters('paging', LIST, ['page', 'per_page', 'offset']),
  parameters('ordering', LIST, ['order', 'orderby']),
  parameters('contexts', LIST, ['context']),
  parameters('id-filters', LIST, ['include', 'exclude', 'slug', 'author', 'author_exclude']),
  parameters('search', LIST, ['search', 'search_columns', 'search_semantics']),
  parameters('date-filters', LIST, ['after', 'before', 'modified_after', 'modified_before']),
  parameters('status-filter', LIST, ['status', 'format', 'sticky', 'ignore_sticky']),
  parameters('term-filters', LIST, [
    ...['tax_relation', 'categories', 'categories_exclude', 'tags', 'tags_exclude'],
  ]),
  ...operations('create', 'update', 'delete'),
  { feature: 'trash', brings: ['states/posts/trash'], mutants: ['states/posts/trash~deletes'] },
  { feature: 'refusals-of-writes', brings: ['**/enforced', 'batch/cap'], refusals: 'writes' },
  {
    feature: 'unique-slugs',
    brings: ['slugs/**'],
    mutants: ['slugs/posts/unique~shared', 'slugs/pages/unique~shared'],
  },
  parameters('date-fields', FIELDS, ['date', 'date_gmt'], '*'),
  {
    feature: 'batch-validation',
    brings: ['batch/require-all-validate'],
    mutants: ['batch/require-all-validate~ignored'],
  },
];
const ALL = FEATURES.map(({ feature }) => feature);
const READING = ALL.slice(0, ALL.indexOf('posts.create'));

/** How to run the checks on a site. */
interface Way {
  readonly mode: RunMode;
  readonly only?: readonly string[];
  /** Only the checks of a level. */
  readonly level?: Level;
  /** Whether the index shows the whole site from the beginning. */
  readonly announced?: boolean;
}

interface Told {
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly progress: ProgressReport;
}

const ABOUT: Parameters<typeof progressOf>[1] = {
  operations: Object.fromEntries(
    CONTRACT.operations.map(({ id, route: { namespace, wire }, methods }) => [
      id,
      { namespace, route: wire, methods },
    ]),
  ),
  creations: new Map(
    CONTRACT.resources.flatMap(({ id, operations: { create } }) => (create ? [[id, create.id]] : [])),
  ),
};

/** Runs the suite against a site with some features. */
async function tell(on: ReadonlySet<string>, { mode, only, level, announced = false }: Way): Promise<Told> {
  const off = FEATURES.filter(({ feature }) => !on.has(feature));
  const mutants = off.flatMap((one) => one.mutants ?? []).map((id) => findMutant(RAW, id));
  const alterations = [{ behaviour: unfinished(off, announced) }, ...mutants];
  const { results } = await runOnReference({
    deployment: 'core',
    alterations,
    contract: CONTRACT,
    checks: level === undefined ? APART : checksOf(level),
    mode,
    ...(only !== undefined && { only }),
  });
  return { results, progress: progressOf([...results.values()], ABOUT) };
}

function checksOf(level: Level): Check[] {
  return CHECKS.filter(
    (check) => LEVELS.indexOf(levelOf(check)) <= LEVELS.indexOf(level) && check.basis !== 'doubtful',
  );
}

const passing = ({ results }: Told): string[] =>
  [...results.values()].flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : []));

/** The features of a step: for its check, and for what the index must list first; the first missing one. */
function featuresFor({ check, under }: NextStep, on: ReadonlySet<string>): string[] {
  const missing = FEATURES.filter(({ feature }) => !on.has(feature));
  return [check, under]
    .filter((id) => id !== undefined)
    .flatMap(
      (id) => missing.find(({ brings }) => brings.some((glob) => selectorOf(glob)(id)))?.feature ?? [],
    );
}

/** A step, and the effect of building exactly that. */
interface Step {
  readonly check: string;
  readonly built: readonly string[];
  /** Whether the named check still fails. */
  readonly unmet: boolean;
  /** Checks that passed before and fail now. */
  readonly lost: readonly string[];
  /** Checks that it blocked before, and that are still blocked. */
  readonly stillWaiting: readonly string[];
  /** How many more required checks pass. */
  readonly gained: number;
}

/** Builds what a run names next, again and again, until nothing is left or enough is done. */
async function follow(from: readonly string[], way: Way, most = 99): Promise<{ steps: Step[]; end: Told }> {
  const steps: Step[] = [];
  let on = new Set(from);
  let before = await tell(on, way);
  for (;;) {
    const [next] = before.progress.next;
    if (next === undefined || steps.length === most) return { steps, end: before };
    const { check } = next;
    const built = featuresFor(next, on);
    on = new Set([...on, ...built]);
    const now = await tell(on, way);
    const met = new Set(passing(now));
    steps.push({
      check,
      built,
      unmet: !met.has(check),
      lost: passing(before).filter((id) => !met.has(id)),
      stillWaiting: [...now.results.values()].flatMap(({ id, skip }) =>
        skip?.kind === 'blocked' && skip.by === check ? [id] : [],
      ),
      gained: now.progress.passed - before.progress.passed,
    });
    before = now;
    if (built.length === 0) return { steps, end: before };
  }
}

/** Steps without the promised effect. */
const broken = (steps: readonly Step[]): readonly Step[] =>
  steps.filter(
    ({ built, unmet, lost, stillWaiting, gained }) =>
      unmet || built.length === 0 || lost.length + stillWaiting.length > 0 || gained < 1,
  );

it.each<[Level, readonly string[]]>([
  ['index', ['namespace-content', 'posts.list']],
  ['read', READING],
])(
  'the level %s is reached in mode read by a site that does no more than it asks',
  {
    timeout: 120_000,
  },
  async (level, on) => {
    const { results } = await tell(new Set(on), { mode: 'read', level, announced: true });
    const unmet = checksOf(level).flatMap(({ id }) => {
      const { verdict, skip } = results.get(id) ?? {};
      return verdict === 'pass' || skip?.kind === 'not-applicable' ? [] : [`${id}: ${verdict}`];
    });

    expect(unmet).toEqual([]);
  },
);

describe('what a run says to do next is what makes the next checks pass', () => {
  it('from nothing to lists of posts that do all that is asked of them', { timeout: 240_000 }, async () => {
    const only = [
      'index/**',
      'namespaces/cms/v2/**',
      'routes/cms/v2/posts/{present,namespace,methods,endpoints}',
      'posts.list/!(fuzz)/**',
    ];
    const { steps, end } = await follow([], { mode: 'read', only });

    expect(broken(steps)).toEqual([]);
    expect(steps[0]?.built).toContain('posts.list');
    expect(end.progress.passed).toBe(end.progress.required);
  });

  it('where the index shows what is not there yet', { timeout: 240_000 }, async () => {
    const way: Way = { mode: 'read', only: ['{pages,media}.{list,read}/!(fuzz)/**'], announced: true };
    const { steps } = await follow(['posts.list'], way, 2);

    expect(broken(steps)).toEqual([]);
    expect(steps.map(({ built }) => built)).toEqual([['pages.list'], ['media.list']]);
  });

  it('with the creation of records', { timeout: 240_000 }, async () => {
    const only = [
      'posts.{create,update}/{method,record,changes,title,excerpt,format,slug}/**',
      'posts.create/{record,once}',
    ];
    const { steps } = await follow(READING, { mode: 'write', only, announced: true }, 3);

    expect(broken(steps)).toEqual([]);
    expect(steps[0]?.built).toEqual(['posts.create']);
  });

  it.each([
    ['trash', ['posts.delete/**', 'states/posts/**']],
    ['unique-slugs', ['slugs/**']],
    ['batch-validation', ['batch/{require-all-validate,normal,one}']],
    ['refusals-of-writes', ['posts.update/*/**/enforced']],
    ['date-fields', ['posts.create/{date,date_gmt,title}/**']],
  ])('where all but one thing is done: %s', { timeout: 120_000 }, async (feature, only) => {
    const { steps, end } = await follow(
      ALL.filter((one) => one !== feature),
      { mode: 'write', only },
    );

    expect(broken(steps)).toEqual([]);
    expect(steps.map(({ built }) => built)).toEqual([[feature]]);
    expect(end.progress.passed).toBe(end.progress.required);
  });
});
