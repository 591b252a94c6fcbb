import { byText, defined } from '../../client/json.ts';
import { listed, plural } from '../../engine/text.ts';
import { textsOf } from '../../specs/texts.ts';
import { type Accepted, type Change, digestFor } from '../change.ts';
import { SITE } from '../declared/surface.ts';
import { byClass, type ChangeClass } from '../law.ts';
import { RENDERED } from '../observed/difference.ts';
import { causesOf, joinedAs, subjectsOf } from './causes.ts';
import { forWhom, headlineOf } from './headline.ts';
import { changeInWords } from './words.ts';

/** One root cause with all its dependents. */
export interface Group {
  readonly id: string;
  /** The same for the same thing in every comparison. People use it to accept and explain the cause. */
  readonly digest: string;
  readonly class: ChangeClass;
  readonly owner: string;
  readonly headline: string;
  /** What changed, in one sentence with places and values. */
  readonly sentence: string;
  /** Who is affected, and what to do. */
  readonly advice: string;
  readonly changes: readonly string[];
  readonly hanging: readonly string[];
  /** Who accepted all of it, why, and until when. */
  readonly accepted?: Accepted;
  /** The software and the two versions between which every site changes like this. */
  readonly everywhere?: string;
}

/** Groups changes by cause, the worst first, then by owner. */
export function groupsOf(changes: readonly Change[]): Group[] {
  const causes = causesOf(changes);
  const last = causes.flatMap((cause) => cause.changes.slice(-1));
  const taken = Map.groupBy(last, (change) => digestFor(change));
  const groups = causes.flatMap(({ changes: alike, dependents, isJoined }): Group[] => {
    // If records with a date of change show it too, those count, because they are known to be unmodified.
    const known = alike.filter(({ after }) => after !== RENDERED.every);
    const [worst] = (known.length > 0 ? known : alike).toSorted(
      (one, other) => byClass(one, other) || Number(isVague(one)) - Number(isVague(other)),
    );
    if (worst === undefined) return [];
    const first = defined({ ...withBefores(worst, alike), whom: whomOf(alike) });
    const isTaken = (taken.get(digestFor(first))?.length ?? 0) > 1;
    const named = isJoined ? { ...first, subject: subjectsOf(alike).sort().join() } : first;
    // Of its dependents, only breaking ones count.
    const [gravest = worst] = [...alike, ...dependents.filter(isBreaking)].toSorted(byClass);
    return [
      {
        id: first.id,
        digest: digestFor(named, isTaken ? alike : []),
        class: gravest.class,
        owner: alike.every(({ owner }) => owner === first.owner) ? first.owner : SITE,
        headline: headlineOf(first, alike),
        sentence: sentenceFor(first, alike),
        advice: adviceFor(first, dependents),
        changes: alike.map(({ id }) => id),
        hanging: dependents.map(({ id }) => id),
      },
    ];
  });
  return groups.toSorted((one, other) => byClass(one, other) || byText(one.owner, other.owner));
}

/** Whether a change of texts does not say how they changed. */
function isVague({ kind, after }: Change): boolean {
  return kind === 'answer-rendered' && after === undefined;
}

/** Whom all of the changes affect. What nobody else asked for may be so for others too. */
function whomOf(alike: readonly Change[]): string | undefined {
  const known = alike.find(({ whom }) => whom !== undefined);
  const isSame = ({ whom, calls }: Change): boolean =>
    whom === undefined ? calls?.callers?.join() === known?.calls?.callers?.join() : whom === known?.whom;
  return alike.every(isSame) ? known?.whom : undefined;
}

function withBefores(first: Change, alike: readonly Change[]): Change {
  const others = new Set(alike.map(({ before }) => before)).size - 1;
  const isOne = alike.every(({ after }) => after === first.after);
  if (others === 0 || first.kind !== 'refusal-changed' || !isOne) return first;
  return { ...first, before: `${first.before} or ${plural(others, 'other')}` };
}

const isBreaking = (change: Change): boolean => change.class === 'breaking';

const MOST_PLACES = 3;
const MOST_SUBJECTS = 8;

function sentenceFor(first: Change, alike: readonly Change[]): string {
  const said = `${changeInWords(first)}${forWhom(first)}${first.evidence === undefined ? '' : ` (${first.evidence})`}`;
  const places = [...new Set(alike.map(({ place }) => place))];
  if (said.startsWith(first.place)) return `${said}.`;
  const isNamed = first.kind === 'constraint' || joinedAs(first) !== undefined;
  const subjects = isNamed ? subjectsOf(alike).filter((subject) => subject !== first.subject) : [];
  const others = subjects.length === 0 ? '' : `; likewise ${listed(subjects, MOST_SUBJECTS)}`;
  return `${listed(places, MOST_PLACES)}: ${said}${others}.`;
}

function adviceFor({ kind, subject, after, class: found }: Change, dependents: readonly Change[]): string {
  const known = textsOf('advice');
  const isOfHeader = (name: string): boolean =>
    kind.startsWith('header-') && `header ${subject}`.startsWith(name);
  const about = known[Object.keys(known).find(isOfHeader) ?? `${kind} ${after}`] ?? known[kind] ?? {};
  const { advice = '', unsure = advice, compatible = 'No caller is affected.' } = about;
  if (found !== 'compatible') return found === 'unknown' ? unsure : advice;
  const breaking = dependents.filter(isBreaking);
  const failing = breaking.flatMap((change) => (change.kind === 'check-broken' ? [change.place] : []));
  const fail = failing.length === 1 ? 'fails' : 'fail';
  if (failing.length > 0) return `It contradicts the contract: ${listed(failing, MOST_PLACES)} ${fail}.`;
  return breaking.length > 0 ? 'Its dependents in the later run break callers.' : compatible;
}
