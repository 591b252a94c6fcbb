import type { Caller, Session } from '../../../engine/session.ts';
import type { Pair } from '../../../generators/wire-forms.ts';

/**
 * Which of some arguments a list refuses when it is asked with one of them alone: a request with all of them says nothing
 * of what the list is asked for beside them. Remembered for the run.
 */
export async function refusedAlone(
  session: Session,
  list: { readonly route: string; readonly as: Caller },
  args: readonly Pair[],
): Promise<readonly Pair[]> {
  const refused: Pair[] = [];
  for (const pair of args) {
    const answer = await session.ask({ ...list, method: 'GET', query: [pair] });
    if (answer.answer === 'refused') refused.push(pair);
  }
  return refused;
}
