import type { FieldNames, FieldPlace, RunResult, ShownFields } from '../../engine/result.ts';
import { listed } from '../../engine/text.ts';
import { type Change, type Compared, change } from '../change.ts';
import { SITE } from '../declared/surface.ts';
import type { Kind } from '../law.ts';
import { type Pair, pairsOf } from '../observed/difference.ts';
import { fieldChangeId, fieldPath, operationPlace, type Places } from './places.ts';

/** How often a name occurs in a context; `unknown` beyond the limit of the notes. */
type Occurrence = 'always' | 'sometimes' | 'absent' | 'unknown';
type Fate = 'lost' | 'gained' | 'doubtful';

/** With fewer objects, nothing is known about members that depend on the record, such as the sizes of an image. */
const FEWEST = 2;
const MOST_NAMED = 5;

/** A field, or a member of one, in one context of both runs. */
interface Sighting extends FieldPlace {
  readonly operation: string;
  readonly context: string;
  readonly was: Occurrence;
  readonly is: Occurrence;
  readonly fate: Fate | undefined;
}

type Observed = Pick<RunResult, 'observed' | 'target'>;

/** Fields that records show no longer, or now, by context (§2), where both runs saw records as the same caller. */
export function compareFields(before: Observed, after: Observed, places: Places): Compared {
  const [was, is] = [before.observed?.fields ?? [], after.observed?.fields ?? []];
  const why = was.length + is.length === 0 ? '' : whyNot(before, after);
  if (why !== undefined) {
    const note = `the fields of records are not compared: ${why}`;
    return { changes: [], compared: 0, notes: why === '' ? [] : [note] };
  }
  const seen = (rows: readonly ShownFields[]): ShownFields[] => rows.filter(({ records }) => records > 0);
  const pairs = pairsOf(seen(was), seen(is), ({ resource, context }) => JSON.stringify([resource, context]));
  const fields = Map.groupBy(pairs.flatMap(sightingsIn), fieldChangeId);
  return {
    changes: [...fields.values()].flatMap((sightings) => changeOf(sightings, places)),
    compared: fields.size,
    notes: unseenNote(seen([...was, ...is]), new Set(pairs.flatMap((pair) => [pair.was, pair.is]))),
  };
}

function whyNot(before: Observed, after: Observed): string | undefined {
  if (before.observed === undefined) return 'the run before does not report them';
  if (after.observed === undefined) return 'the run after does not report them';
  if (before.target.as !== after.target.as) return 'the callers were not the same';
  const isAlike = before.target.vocabulary === after.target.vocabulary;
  return isAlike ? undefined : 'the vocabularies were not the same';
}

/** The fields in one context, with members of those that both sides show. */
function sightingsIn({ was, is }: Pair<ShownFields>): Sighting[] {
  const { resource, operation, context } = was;
  const records = Math.min(was.records, is.records);
  return namesOf(was, is).flatMap((field) => {
    const place = { resource, operation, context, field };
    const [then, now] = [occurrenceOf(field, was, was.cut), occurrenceOf(field, is, is.cut)];
    const whole = { ...place, was: then, is: now, fate: fateOf(then, now) };
    const [inner, innerNow] = [was, is].map(({ inside = {} }) =>
      Object.hasOwn(inside, field) ? inside[field] : undefined,
    );
    const isInBoth = then !== 'absent' && now !== 'absent';
    if (!isInBoth || inner === undefined || innerNow === undefined) return [whole];
    const isOpen = inner.sometimes.length + innerNow.sometimes.length > 0;
    const members = namesOf(inner, innerNow).map((member): Sighting => {
      const [had, has] = [occurrenceOf(member, inner), occurrenceOf(member, innerNow)];
      const fate = fateOf(had, has);
      const known = isOpen || records < FEWEST ? doubted(fate, had) : fate;
      return { ...place, member, was: had, is: has, fate: known };
    });
    return [whole, ...members];
  });
}

/** A field of every record that no record has now is lost. Otherwise it may depend on the record. */
function fateOf(was: Occurrence, is: Occurrence): Fate | undefined {
  if (was === is || was === 'unknown' || is === 'unknown') return undefined;
  if (was === 'always') return is === 'absent' ? 'lost' : 'doubtful';
  if (was === 'absent') return 'gained';
  return is === 'absent' ? 'doubtful' : undefined;
}

/** Members that come and go with the record matter only if every record had them. */
function doubted(fate: Fate | undefined, was: Occurrence): Fate | undefined {
  if (fate === 'gained') return fate;
  return fate !== undefined && was === 'always' ? 'doubtful' : undefined;
}

function occurrenceOf(name: string, { always, sometimes }: FieldNames, cut?: true): Occurrence {
  if (always.includes(name)) return 'always';
  if (sometimes.includes(name)) return 'sometimes';
  return cut === true ? 'unknown' : 'absent';
}

function namesOf(...all: readonly FieldNames[]): string[] {
  return [...new Set(all.flatMap(({ always, sometimes }) => [...always, ...sometimes]))].sort();
}

function changeOf(sightings: readonly Sighting[], places: Places): Change[] {
  const fates = new Map(sightings.map(({ context, fate }) => [context, fate]));
  const known = [...fates].filter(([, fate]) => fate !== undefined);
  const [first] = sightings;
  const kind = kindOf(new Set(fates.values()));
  if (first === undefined || kind === undefined) return [];
  const place = operationPlace(first.operation, places);
  const subject = fieldPath(first);
  const contexts = (side: 'was' | 'is'): string => {
    const shown = sightings.filter(({ [side]: one }) => one === 'always' || one === 'sometimes');
    return shown.map(({ context }) => context).join(', ') || 'nowhere';
  };
  return [
    change({
      id: fieldChangeId(first),
      kind,
      owner: place?.namespace || SITE,
      place: first.resource,
      subject,
      isText: true,
      before: contexts('was'),
      after: contexts('is'),
      with: known.map(([context]) => context),
      calls: place && {
        route: place.route,
        below: true,
        methods: ['GET'],
        contexts: known.flatMap(([context, fate]) => (fate === 'gained' ? [] : [context])),
        member: subject,
      },
    }),
  ];
}

function kindOf(fates: ReadonlySet<Fate | undefined>): Kind | undefined {
  if (fates.has('lost')) return fates.has('gained') ? 'field-moved' : 'field-removed';
  if (fates.has('doubtful')) return 'field-doubtful';
  return fates.has('gained') ? 'field-added' : undefined;
}

function unseenNote(rows: readonly ShownFields[], compared: ReadonlySet<ShownFields>): string[] {
  const alone = rows.filter((row) => !compared.has(row));
  const names = [...new Set(alone.map(({ resource, context }) => `${resource} in ${context}`))].sort();
  if (names.length === 0) return [];
  return [`only one run saw records of ${listed(names, MOST_NAMED)}: their fields are not compared`];
}
