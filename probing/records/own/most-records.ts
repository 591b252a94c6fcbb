import { type Collection, isRoute } from '../../../client/ownership.ts';
import { kindNamed } from '../../../engine/check.ts';
import { PROFILES } from '../../../engine/fuzz-options.ts';
import type { PlannedCheck } from '../../../engine/plan.ts';
import type { FixtureMode } from '../../../engine/run-options.ts';
import { joined } from '../../../engine/text.ts';
import {
  batchSample,
  findResource,
  isDescribed,
  ownCollections,
  sampleResource,
} from '../../../specs/find-resource.ts';
import type { Contract, Operation, Parameter } from '../../../specs/model.ts';

/** The estimate for a kind without data. */
const UNMEASURED = { each: 3, all: Number.POSITIVE_INFINITY, perExample: 0 };
/** Records that checks of one collection need in others, such as a picture for a post, and some for batches. */
const BESIDE = 28;
/** How many records a run makes in one collection before its checks need them; some twice if a batch hides them. */
const STAGED = 36;
const TERMS = 2;

interface WritingPlan {
  readonly plan: readonly PlannedCheck[];
  readonly stage: FixtureMode;
  readonly examples: number;
}

/** The most records that a run creates, by collection; none in a collection without an entry. */
export function mostRecords(
  contract: Contract,
  { plan, stage, examples }: WritingPlan,
): Readonly<Record<Collection, number>> {
  const collections = ownCollections(contract);
  const placeOf = collectionsByOperation(contract);
  const opened = new Set(collections.filter((one) => !isDescribed(one)).map(({ id }) => id));
  // Calls that alter the site work on own records where the owner has opened a resource.
  const isOpened = ({ operation = '' }: PlannedCheck['check']): boolean =>
    opened.has(placeOf(operation) ?? '');
  const running = plan.flatMap(({ check, skip }) => (skip === undefined ? [check] : []));
  const writing = running.filter(
    (check) => check.effect === 'writes' || (check.effect === 'alters-site' && isOpened(check)),
  );
  // Checks that only read may need records as well.
  const mayStage =
    stage !== 'never' && running.some(({ about, operation }) => about !== 'declaration' && operation);
  if ((writing.length === 0 && !mayStage) || collections.length === 0) return {};
  const staged = stage === 'never' ? 0 : STAGED;
  const most = collections.map(({ id }) => {
    const own = writing.filter(({ operation = '' }) => placeOf(operation) === id);
    const kinds = Map.groupBy(own, ({ kind }) => kindNamed(kind));
    const made = [...kinds].map(([kind, checks]) => {
      const { each, all, perExample = 0 } = kind?.records ?? UNMEASURED;
      const drawing = checks.filter(({ fuzz }) => fuzz === true).length;
      const further = Math.max(0, examples - PROFILES.standard) * perExample * drawing;
      return Math.min(checks.length * each, all) + Math.ceil(further);
    });
    return [id, made.reduce((sum, count) => sum + count, BESIDE + staged)] as const;
  });
  const terms =
    stage === 'never' ? [] : collections.flatMap(({ operations }) => termRoutes(operations.create));
  return Object.fromEntries([...most, ...terms.map((route) => [route, TERMS] as const)]);
}

/** In words: `at most 120 posts, 80 small files and 4 terms`. */
export function describeMost(contract: Contract, most: Readonly<Record<Collection, number>>): string {
  const counts = new Map<string, number>();
  for (const [collection, count] of Object.entries(most)) {
    const isFiles = findResource(contract, collection)?.kind === 'uploads';
    const word = isRoute(collection) ? 'terms' : isFiles ? 'small files' : collection;
    counts.set(word, (counts.get(word) ?? 0) + count);
  }
  if (counts.size === 0) return 'no records';
  const words = [...counts].map(([word, count]) => `${count} ${word}`);
  return `at most ${joined(words, 'and')}`;
}

/** The collection in which checks of an operation create records: its own, its parent's, or that of samples. */
function collectionsByOperation(contract: Contract): (operation: string) => Collection | undefined {
  const own = new Set(ownCollections(contract).map(({ id }) => id));
  const [first] = own;
  const sample = (batchSample(contract) ?? sampleResource(contract))?.id ?? first;
  const resources = new Map(contract.operations.map(({ id, resource }) => [id, resource]));
  return (operation) => {
    const { id = '', parent = '' } = resources.get(operation) ?? {};
    return own.has(id) ? id : own.has(parent) ? parent : sample;
  };
}

/** Where the terms are made that records of a collection may have. */
export function termRoutes(create: Operation | undefined): string[] {
  if (create === undefined) return [];
  return create.parameters.flatMap((field) => termRoute(create, field) ?? []);
}

/** The collection of the terms of a field, which the index lists next to that of the records. */
export function termRoute({ route }: Operation, { schema, wire }: Parameter): string | undefined {
  return schema['x-names'] === 'terms' ? route.wire.replace(/[^/]+$/, wire) : undefined;
}
