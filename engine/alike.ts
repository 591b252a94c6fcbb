import { describedCollections } from '../specs/find-resource.ts';
import type { Resource } from '../specs/model.ts';
import type { Check } from './check.ts';
import { FEWEST_ALIKE, NO_ARRAY, sharedFinding } from './findings.ts';
import type { CheckResult } from './result.ts';
import type { Session } from './session.ts';
import { skippedResult } from './verdict.ts';

/** From how many collections on one cause makes checks of their records fail together, if they fail alike. */
const FEWEST_RECORDS_ALIKE = 2;

/** The kinds of reads that look at what records show. */
const SHOWN: ReadonlySet<string> = new Set(['contexts', 'fields', 'shown']);

interface GroupName {
  readonly name: string;
  /** From how many members on one cause makes them fail together. */
  readonly fewest: number;
  /** How the messages begin that show the cause by themselves, whatever else passes. */
  readonly says?: string;
}

/** A list that is no array concerns every request that it answers so, such as those that match one record. */
const WITHOUT_ARRAYS: GroupName = { name: 'lists without arrays', fewest: 2, says: NO_ARRAY };
/** Other operations may not take what was drawn, or not be asked with it. */
const DRAWN_ALIKE: GroupName = { name: 'drawn alike', fewest: 2, says: '' };

interface Group extends GroupName {
  /** Members without a result yet. */
  open: number;
  isMet: boolean;
  readonly failed: Member[];
}

interface Member {
  readonly check: Check;
  /** The place in the plan: the first member of a group reports its failure. */
  readonly at: number;
  readonly groups: readonly Group[];
  result?: CheckResult;
}

/**
 * Reports a failure once where all checks of a group fail and none passes: one decision of the authors of the software
 * is then the cause. A failure waits until its groups are decided; mostly a pass decides them soon.
 */
export class AlikeFailures {
  readonly #session: Session;
  /** The ids of operations and resources, which do not distinguish requirements. */
  readonly #words: ReadonlySet<string>;
  readonly #members = new Map<string, Member>();
  readonly #waiting = new Set<Member>();

  constructor(session: Session, checks: readonly Check[]) {
    this.#session = session;
    const { operations, resources } = session.contract;
    const words = new Set([...operations, ...resources].map(({ id }) => id));
    this.#words = words;
    const collections = describedCollections(session.contract);
    const named = {
      words,
      collections: wordsOf(collections),
      records: wordsOf(collections.filter(({ kind }) => kind === 'records')),
    };
    const groups = new Map<string, Group>();
    for (const [at, check] of checks.entries()) {
      const { basis, role } = session.operation(check.operation ?? '') ?? {};
      // There are hundreds of thousands of checks of what a site publishes, and they only warn.
      if (basis === 'published') continue;
      const names = [...(role === 'list' ? [WITHOUT_ARRAYS] : []), ...groupsOf(check, named)];
      const own = names.map((named) => {
        const group = groups.get(named.name) ?? { ...named, open: 0, isMet: false, failed: [] };
        groups.set(named.name, group);
        group.open += 1;
        return group;
      });
      if (own.length > 0) this.#members.set(check.id, { check, at, groups: own });
    }
  }

  /** Takes a result. @returns the results that are known with it */
  take(result: CheckResult): CheckResult[] {
    const member = this.#members.get(result.id);
    if (member === undefined) return [result];
    member.result = result;
    for (const group of member.groups) {
      group.open -= 1;
      const saysNothing = group.says !== undefined || member.check.byChance?.includes(group.name) === true;
      if (result.verdict === 'pass' && !saysNothing) group.isMet = true;
      if (result.verdict === 'fail' && result.message?.startsWith(group.says ?? '') !== false)
        group.failed.push(member);
    }
    if (result.verdict !== 'fail') return [result, ...this.#decided()];
    this.#waiting.add(member);
    return this.#decided();
  }

  /** The failures that wait, as they are: the run ends. */
  rest(): CheckResult[] {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting.flatMap(({ result }) => result ?? []);
  }

  #decided(): CheckResult[] {
    return [...this.#waiting].flatMap((member) => {
      const decided = this.#decide(member);
      if (decided !== undefined) this.#waiting.delete(member);
      return decided ?? [];
    });
  }

  #decide(member: Member): CheckResult | undefined {
    const { check, groups, result } = member;
    for (const group of groups) {
      const alike = this.#alike(member, group);
      if (alike === undefined) return undefined;
      if (alike.length === 0) continue;
      const ids = alike.toSorted((one, other) => one.at - other.at).map((one) => one.check.id);
      const { message = check.title } = result ?? {};
      const shared = sharedFinding(this.#session, check.id, ids, { kind: 'failure', message });
      if (shared.blockedBy !== undefined) {
        return skippedResult(check, { kind: 'blocked', by: shared.blockedBy, same: true });
      }
      return result && { ...result, message: shared.message };
    }
    return result;
  }

  /** The failures of a group that show one cause with that of a member; undefined as long as the group is open. */
  #alike(member: Member, { fewest, open, isMet, failed, says }: Group): readonly Member[] | undefined {
    if (isMet || open + failed.length < fewest || !failed.includes(member)) return [];
    if (open > 0) return undefined;
    if (says === undefined && fewest >= FEWEST_ALIKE) return failed;
    // Few failures show one cause only if they say the same.
    const own = this.#said(member);
    const saying = failed.filter((one) => this.#said(one) === own);
    const isOne = says !== undefined || saying.length === failed.length;
    return isOne && saying.length >= fewest ? saying : [];
  }

  /** A message in which the ids of operations and resources are alike, and how the failure was found is left out. */
  #said({ result }: Member): string | undefined {
    const [said] = result?.message?.split(' (what matters: ') ?? [];
    return said?.replaceAll(/\w[\w.-]*\w/g, (word) => (this.#words.has(word) ? '*' : word));
  }
}

/** The ids of all operations and resources, of those of collections, and of those of records without files. */
type Named = Readonly<Record<'words' | 'collections' | 'records', ReadonlySet<string>>>;

function wordsOf(resources: readonly Resource[]): ReadonlySet<string> {
  return new Set(
    resources.flatMap((one) => [one, ...Object.values(one.operations)].flatMap((it) => it?.id ?? [])),
  );
}

/** The groups of a check, the widest first: the same requirement everywhere, in one operation, on one parameter. */
function groupsOf(check: Check, { words, collections, records }: Named): readonly GroupName[] {
  const { id, kind, operation, basis, effect, fuzz, groups = [] } = check;
  if (basis === 'published') return [];
  // What is drawn differs from check to check, so that only the same message shows one cause.
  const fewest = fuzz === true ? FEWEST_RECORDS_ALIKE : FEWEST_ALIKE;
  const named = (name: string): GroupName => ({ name, fewest });
  if (fuzz === true) return [...groups.map(named), DRAWN_ALIKE];
  if (kind === undefined) return groups.map(named);
  const parts = id.split('/');
  const [family = ''] = parts;
  // Families of behaviour may use one word for opposite requirements, such as `force`.
  const last = `${kind}${words.has(family) ? '' : ` of ${family}`}/${parts.at(-1)}`;
  const anywhere = `${kind} ${parts.map((part) => (words.has(part) ? '*' : part)).join('/')}`;
  // Software that does not read objects fails for whatever is inside of them.
  const [object, ...inside] = id.split('/properties/');
  const ofObjects = inside.length > 0 ? [`${effect} ${kind} in objects`, `${kind} in ${object}`] : [];
  /** With the role of an operation: what all lists do, or all reads. */
  const alike = (some: ReadonlySet<string>): string =>
    `${kind} ${parts.map((part) => (some.has(part) ? part.replace(/^[^.]*/, '*') : part)).join('/')}`;
  const ofRoles = [alike(words), `collections ${alike(collections)}`];
  const all = new Set([last, `${operation} ${last}`, ...groups, ...ofObjects, anywhere, ...ofRoles]);
  const names = [...all].map(named);
  // Software writes and shows posts and pages with the same code, and files with other code. A batch has parts of all.
  const isOfRecords = (effect !== 'reads' && kind !== 'batches') || SHOWN.has(kind);
  if (!isOfRecords || !parts.some((part) => records.has(part))) return names;
  return [...names, { name: `records ${alike(records)}`, fewest: FEWEST_RECORDS_ALIKE }];
}

/**
 * Lets the first of several checks report a failure for all, if none of them passes: one decision of the authors of the
 * software is then the cause.
 * @param others checks that may pass by chance, so that their success says nothing
 */
export function reportOnce(checks: readonly Check[], others: readonly Check[] = []): Check[] {
  const name = checks[0]?.id ?? '';
  const joined = (check: Check): Check => ({ ...check, groups: [...(check.groups ?? []), name] });
  return [
    ...checks.map(joined),
    ...others.map((check) => ({ ...joined(check), byChance: [...(check.byChance ?? []), name] })),
  ];
}
