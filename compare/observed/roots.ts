import { parseRoutePattern, skeletonOf } from '../../client/route-pattern.ts';
import { loadObservedNames } from '../../specs/texts.ts';
import type { Change } from '../change.ts';
import { SOME } from './answers.ts';
import { OF_REFUSALS } from './refusals.ts';

const RIGHTS: ReadonlySet<string> = new Set(['right-lost', 'right-exposed', 'right-gained']);
/** Kinds of changes that affect everything else about a route. */
const ROOTS: ReadonlySet<string> = new Set([...RIGHTS, 'answer-refused', 'answer-unreadable', 'answer-form']);

/** What another form of an answer brings about. */
const OF_FORM: ReadonlySet<string> = new Set(['header-removed', 'answer-chosen', 'answer-status']);

/** Assigns each change to its cause: another change in answers, or one of the index. */
export function withRoots(changes: readonly Change[], declared: readonly Change[]): Change[] {
  const isOfShortPages = (one: Change): boolean =>
    changes.some(({ kind, calls }) => kind === 'answer-fewer' && calls?.route === one.calls?.route);
  const untrue = changes.find((one) => one.kind === 'answer-totals' && !isOfShortPages(one));
  return changes.map((one) => {
    // Wrong totals of complete lists only look like too short pages.
    const root =
      (one.kind === 'answer-fewer' ? untrue : undefined) ??
      changes.find((other) => other !== one && isRootOf(other, one)) ??
      declared.find((other) => makesInvalid(other, one));
    return root === undefined ? one : { ...one, cause: root.id };
  });
}

/** Whether the index now declares that an operation accepts less, which explains refused calls. */
function makesInvalid({ class: found, side, kind, about }: Change, one: Change): boolean {
  if (found === 'compatible' || side !== 'sent' || about?.route === undefined) return false;
  const isRefused = one.kind === 'answer-refused' && /\b400\b/.test(one.after ?? '');
  const isMissing = one.kind === 'refusal-changed' && kind === 'required-parameter-added';
  return (
    (isRefused || isMissing) &&
    one.calls?.route === skeletonOf(parseRoutePattern(about.route)) &&
    one.calls.methods.some((method) => method === about.method)
  );
}

/** One reason for which a change follows from another: the first rule that applies decides. */
interface Rule {
  readonly applies: (root: Change, one: Change) => boolean;
  readonly follows: (root: Change, one: Change) => boolean;
}

/** Rules for changes on any routes. */
const ANYWHERE: readonly Rule[] = [
  {
    applies: (root, one) => one.subject.startsWith('_embedded.') && one.subject.endsWith(`].${root.subject}`),
    follows: (root, one) => root.kind === one.kind && !root.subject.startsWith('_embedded.'),
  },
  {
    // A header that answers lost is also lost in refusals.
    applies: (_, one) => one.kind === 'header-removed' && one.subject.endsWith(OF_REFUSALS),
    follows: (root, one) => root.kind === one.kind && one.subject === root.subject + OF_REFUSALS,
  },
  {
    // If pages repeat the first one, even without ids to prove it, their links follow.
    applies: (root) => root.kind === 'answer-repeated' && root.subject === 'pages',
    follows: (_, one) => isOfLinks(one),
  },
];

/** Rules for two changes of one route. */
const ON_ONE_ROUTE: readonly Rule[] = [
  {
    applies: (_, one) => one.kind.startsWith('header-') && one.subject.startsWith('allow'),
    follows: (root, one) => RIGHTS.has(root.kind) && isSharedBy(root, one),
  },
  {
    // A caller who is denied a route is denied it in any form.
    applies: (root, one) => one.kind === 'right-lost' && root.kind === one.kind,
    follows: (root, one) => one.subject.startsWith(`${root.subject} with `),
  },
  {
    // The headers about pages are lost together.
    applies: (root) => root.kind === 'header-removed' && root.subject === loadObservedNames().totals.records,
    follows: (_, one) =>
      isOfLinks(one) || (one.kind === 'header-removed' && one.subject === loadObservedNames().totals.pages),
  },
  {
    applies: (root) => root.kind === 'answer-fewer',
    follows: (_, one) => one.kind === 'answer-totals',
  },
  {
    // Totals that are wrong for everybody say nothing about rights.
    applies: (root) => root.kind === 'answer-totals',
    follows: (_, one) => one.kind === 'right-lost' && one.before === 'the list',
  },
  {
    // Texts that show now were not rendered differently.
    applies: (_, one) => one.kind === 'answer-rendered',
    follows: (root) => root.kind === 'right-exposed' && root.after === 'an answer',
  },
  {
    // A short answer that breaks off is empty.
    applies: (_, one) => one.kind === 'answer-form' && one.after === 'nothing',
    follows: (root) => root.kind === 'answer-unreadable' && root.subject === 'the body',
  },
  {
    // HEAD only shows the content type of a page.
    applies: (root, one) =>
      root.kind === 'answer-unreadable' && one.subject === 'the content type of refusals',
    follows: () => true,
  },
  {
    // Another form has other headers, and lacks the chosen members.
    applies: (root, one) => root.kind === 'answer-form' && OF_FORM.has(one.kind),
    follows: (root, one) => explainsRoute(root) && isSharedBy(root, one),
  },
  {
    applies: (root, one) =>
      one.kind.startsWith('refusal-') || (one.kind === 'answer-unreadable' && one.subject !== root.subject),
    follows: (root, one) =>
      explainsRoute(root) &&
      root.calls?.methods.some((method) => one.calls?.methods.includes(method)) === true &&
      isSharedBy(root, one),
  },
];

function isRootOf(root: Change, one: Change): boolean {
  const isOneRoute = root.calls !== undefined && root.calls.route === one.calls?.route;
  const rules = isOneRoute ? [...ANYWHERE, ...ON_ONE_ROUTE] : ANYWHERE;
  return rules.find(({ applies }) => applies(root, one))?.follows(root, one) ?? false;
}

function isOfLinks({ kind, subject }: Change): boolean {
  return kind === 'header-words' && subject === 'link';
}

/** Whether a change says how a whole route is answered. An unknown change cannot explain a breaking one. */
function explainsRoute({ kind, subject }: Change): boolean {
  return ROOTS.has(kind) && !subject.startsWith('the body of') && subject !== SOME;
}

/** Whether all callers who see a change also see its root. */
function isSharedBy(root: Change, one: Change): boolean {
  const seeing = root.calls?.callers ?? [];
  return (one.calls?.callers ?? []).every((caller) => seeing.some((other) => other === caller));
}
