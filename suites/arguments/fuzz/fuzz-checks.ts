import { type Check, check, checkId, type Finding, servedBy } from '../../../engine/check.ts';
import { inconclusive, notApplicable } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { isDeclaredAsStated } from '../../../probing/declarations/compare-constraint.ts';
import { drawSets, knownSets, partOf, type Shares, sharesOf } from '../../../probing/search/draw-sets.ts';
import type { Free, FuzzSet, Property } from '../../../probing/search/fuzz-set.ts';
import { search, searchTelling } from '../../../probing/search/search.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { type Ground, groundOf } from '../control.ts';
import { invalidSets, validSets } from './argument-sets.ts';
import { encodingChecks } from './encoding-checks.ts';
import { malformedChecks } from './malformed-checks.ts';
import { accepted, askSet, combinable, refused, robust, showsInside } from './properties.ts';
import { strangePaths, strangerIds, strangeSets } from './strange-sets.ts';
import { BESIDE_UNKNOWN, OTHERWISE_WRITTEN, type OtherWay, unchanged } from './unchanged.ts';
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
 * any company, no value makes the server fail, and another way to ask for the same changes nothing.
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

/** What a search is about, once its operation has a ground on the site. */
interface Scene {
  readonly session: Session;
  readonly check: string;
  readonly operation: Operation;
  readonly ground: Ground;
  readonly parameters: readonly Parameter[];
}

function fuzzCheck(
  operation: Operation,
  free: readonly Parameter[],
  aspect: string,
  title: string,
  run: (scene: Scene) => Promise<Finding[]>,
): Check {
  const id = checkId(operation.id, 'fuzz', aspect);
  return check({
    id,
    kind: 'drawn',
    title: `${operation.id} ${title}`,
    on: operation,
    needs: servedBy(operation),
    async run(session) {
      const ground = await groundOf(session, operation);
      if ('reason' in ground) return [inconclusive(ground.reason)];
      // What the target declares otherwise is reported already.
      const parameters = free.filter((one) => isDeclaredAsStated(session.index, operation, one));
      return run({ session, check: id, operation, ground, parameters });
    },
  });
}

async function fuzzValid(scene: Scene): Promise<Finding[]> {
  const { session, operation, ground, parameters } = scene;
  const free = await combinable(session, operation, ground, parameters);
  if ('kind' in free) return [free];
  const sets = drawSets(session, scene.check, (examples, seed) => validSets(free, sharesOf(examples), seed));
  return searchIn(scene, free, sets, accepted(session, operation, ground, free));
}

async function fuzzInvalid(scene: Scene): Promise<Finding[]> {
  const { session, operation, ground, parameters } = scene;
  const free = parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
  const sets = drawSets(session, scene.check, (examples, seed) =>
    invalidSets(free, sharesOf(examples), seed),
  );
  if (sets.length + knownSets(session, scene.check).length === 0 && session.fuzz.examples > 0) {
    return [notApplicable('no parameter has values that are refused for sure')];
  }
  const send = sendIn(scene);
  return searchIn(scene, free, sets, refused(session, operation, ground, free, send));
}

async function fuzzStrange(scene: Scene): Promise<Finding[]> {
  const { session, operation, parameters } = scene;
  const free = parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
  const ids = await strangerIds(session, operation);
  const beside = { ids, paths: strangePaths(operation, ids) };
  const sets = drawSets(
    session,
    scene.check,
    (examples, seed) => strangeSets(free, partOf(examples, ALL_STRANGE), seed, beside),
    ids,
  );
  const telling = await refusalsShowingInside(scene, free);
  return searchIn(scene, free, [...sets, ...telling], robust(session, operation, free, sendIn(scene)));
}

/** The sets that another check wants to be refused, as far as their refusals show what they should not: all are remembered. */
async function refusalsShowingInside(scene: Scene, strange: readonly Free[]): Promise<FuzzSet[]> {
  const { session, operation } = scene;
  const free = strange.filter(({ parameter }) => !SITE_BOUND.has(parameter.name));
  if (!isJudgedForRefusals(operation, free.length)) return [];
  const send = sendIn(scene);
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

function fuzzOtherwise(way: OtherWay): (scene: Scene) => Promise<Finding[]> {
  return async (scene) => {
    const { session, operation, ground, parameters } = scene;
    const free = await combinable(session, operation, ground, parameters);
    if ('kind' in free) return [free];
    const sets = drawSets(session, scene.check, (examples, seed) => {
      const shares: Shares = { boundary: 0, pairs: 0, random: Math.ceil(examples / UNCHANGED_SHARE) };
      return validSets(free, shares, seed);
    });
    const property = unchanged(session, operation, ground, free, way);
    return searchIn(scene, free, sets, property, searchTelling);
  };
}

function sendIn({ session, operation, ground }: Scene): Parameters<typeof refused>[4] {
  return (args, fresh) => askSet(session, operation, ground, args, fresh);
}

function searchIn(
  { session, check }: Scene,
  free: readonly Free[],
  sets: readonly FuzzSet[],
  property: Property,
  by: typeof search = search,
): Promise<Finding[]> {
  return by(session, check, free, sets, property);
}
