import type { Change } from '../change.ts';

const RIGHTS: ReadonlySet<string> = new Set(['right-lost', 'right-exposed', 'right-gained']);
/** What decides how everything else about a route looks. */
const ROOTS: ReadonlySet<string> = new Set([...RIGHTS, 'answer-refused', 'answer-unreadable', 'answer-form']);

/**
 * Everything at its root: what refusals of a route look like follows from how it is answered at all, which methods it allows from a
 * right that somebody lost or gained, and what embedded records lack from what records lack.
 */
export function withRoots(changes: readonly Change[]): Change[] {
  return changes.map((one) => {
    const root = changes.find((other) => other !== one && isRootOf(other, one));
    return root === undefined ? one : { ...one, cause: root.id };
  });
}

function isRootOf(root: Change, one: Change): boolean {
  if (one.subject.startsWith('_embedded.') && one.subject.endsWith(`].${root.subject}`)) {
    return root.kind === one.kind && !root.subject.startsWith('_embedded.');
  }
  if (root.calls === undefined || root.calls.route !== one.calls?.route) return false;
  const isSharedBy = (callers: readonly string[] = []): boolean =>
    callers.every((caller) => root.calls?.callers?.some((other) => other === caller));
  if (one.kind.startsWith('header-') && one.subject.startsWith('allow')) {
    return RIGHTS.has(root.kind) && isSharedBy(one.calls.callers);
  }
  // Totals that are untrue for everybody say nothing of rights, and texts that are shown now were not rendered otherwise.
  if (root.kind === 'answer-totals') return one.kind === 'right-lost' && one.before === 'the list';
  if (one.kind === 'answer-rendered') return root.kind === 'right-exposed' && root.after === 'an answer';
  // HEAD shows the type of a page alone.
  if (one.subject === 'the content type of refusals' && root.kind === 'answer-unreadable') return true;
  const isOfRefusals =
    one.kind.startsWith('refusal-') || (one.kind === 'answer-unreadable' && one.subject !== root.subject);
  // Of another form are other answers, with other headers.
  const isOfForm = one.kind === 'header-removed' && root.kind === 'answer-form';
  return (
    (isOfRefusals || isOfForm) &&
    ROOTS.has(root.kind) &&
    !root.subject.startsWith('the body of') &&
    (isOfForm || root.calls.methods.some((method) => one.calls?.methods.includes(method))) &&
    isSharedBy(one.calls.callers)
  );
}
