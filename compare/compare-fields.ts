import type { FieldNames, FieldPlace, RunResult, ShownFields } from '../engine/result.ts';
import { listed } from '../engine/text.ts';
import { type Change, type Compared, change } from './change.ts';
import type { Kind } from './law.ts';
import { pairsOf } from './observed/difference.ts';
import { fieldChangeId, fieldPath, operationPlace, type Places } from './owners.ts';
import { SITE } from './surface.ts';

/** How often a name occurs in a context; `unknown` beyond the limit of the notes. */
type Occurrence = 'always' | 'sometimes' | 'absent' | 'unknown';
type Fate = 'lost' | 'gained' | 'doubtful';

/** With fewer objects, nothing is known about members that depend on the record, such as the sizes of an image. */
const FEWEST = 2;
const MOST_NAMED = 5;

interface Followed extends FieldPlace {
  readonly operation: string;
  readonly fates: Map<string, Fate>;
  readonly before: string[];
  readonly after: string[];
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
  const followed = new Map<string, Followed>();
  for (const pair of pairs) followContext(pair.was, pair.is, followed);
  const all = [...followed.values()];
  return {
    changes: all.flatMap((one) => changeOf(one, places)),
    compared: all.length,
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

/** Notes the fate of each name in one context, with members of fields that both sides show. */
function followContext(was: ShownFields, is: ShownFields, into: Map<string, Followed>): void {
  const records = Math.min(was.records, is.records);
  for (const field of namesOf(was, is)) {
    const place = { resource: was.resource, field };
    const [then, now] = [occurrenceOf(field, was, was.cut), occurrenceOf(field, is, is.cut)];
    follow(place, was, then, now, fateOf(then, now), into);
    if (then === 'absent' || now === 'absent') continue;
    const [inner, innerNow] = [was, is].map(({ inside = {} }) =>
      Object.hasOwn(inside, field) ? inside[field] : undefined,
    );
    if (inner === undefined || innerNow === undefined) continue;
    const isOpen = inner.sometimes.length + innerNow.sometimes.length > 0;
    for (const member of namesOf(inner, innerNow)) {
      const [had, has] = [occurrenceOf(member, inner), occurrenceOf(member, innerNow)];
      const fate = fateOf(had, has);
      const known = isOpen || records < FEWEST ? doubted(fate, had) : fate;
      follow({ ...place, member }, was, had, has, known, into);
    }
  }
}

function follow(
  place: FieldPlace,
  { operation, context }: ShownFields,
  then: Occurrence,
  now: Occurrence,
  fate: Fate | undefined,
  into: Map<string, Followed>,
): void {
  const id = fieldChangeId(place);
  const known: Followed = into.get(id) ?? { ...place, operation, fates: new Map(), before: [], after: [] };
  into.set(id, known);
  const isShown = (one: Occurrence): boolean => one === 'always' || one === 'sometimes';
  if (isShown(then)) known.before.push(context);
  if (isShown(now)) known.after.push(context);
  if (fate !== undefined) known.fates.set(context, fate);
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

function changeOf(one: Followed, places: Places): Change[] {
  const { fates, resource, operation, before, after } = one;
  const kind = kindOf(new Set(fates.values()));
  if (kind === undefined) return [];
  const place = operationPlace(operation, places);
  const subject = fieldPath(one);
  const contexts = (all: readonly string[]): string => (all.length === 0 ? 'nowhere' : all.join(', '));
  return [
    change({
      id: fieldChangeId(one),
      kind,
      owner: place?.namespace || SITE,
      place: resource,
      subject,
      isText: true,
      before: contexts(before),
      after: contexts(after),
      with: [...fates.keys()],
      calls: place && {
        route: place.route,
        below: true,
        methods: ['GET'],
        contexts: [...fates].flatMap(([context, fate]) => (fate === 'gained' ? [] : [context])),
        member: subject,
      },
    }),
  ];
}

function kindOf(fates: ReadonlySet<Fate>): Kind | undefined {
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
