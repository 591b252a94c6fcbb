import { type Fixture, fixture } from '../../../engine/fixture.ts';
import type { Operation } from '../../../specs/model.ts';
import { declaredMaximum } from '../../declarations/find-route.ts';
import { askFitted, type Fitted, MOST_PER_PAGE, valueIn } from './fitted-list.ts';
import { type Args, listRequest, readList, type Subject } from './list-request.ts';
import { hint, TOTAL } from './snapshot.ts';

/** Arguments that every request for a list has. */
const USUAL = ['per_page', 'orderby', 'order'] as const;

/**
 * A list in the edit context for a user who may edit its records, in view otherwise: real software leaves out of edit
 * what the user may not edit. Where it refuses what the suite asks every list for, it is asked for less.
 * @param route with ids in place of its path parameters
 */
export const openList: Fixture<Subject, [operation: Operation, route: string]> = fixture(
  'open',
  async (session, operation, route) => {
    const { caller: as } = session;
    const context = as === 'anonymous' ? 'view' : 'edit';
    const subject: Subject = { operation, route, as, context };
    const fitted = await askFitted(session.client, listRequest(subject), {
      declared: declaredMaximum(session.index, operation, 'per_page'),
      send: (spec) => session.ask(spec),
    });
    const { observation } = fitted;
    const answer = readList(observation);
    const hides = answer.kind === 'list' && answer.items.length < 2 && (hint(observation, TOTAL) ?? 0) > 1;
    const fitting = { ...subject, ...usualOf(fitted, context) };
    return as === 'user' && (answer.kind === 'denied' || hides) ? { ...fitting, context: 'view' } : fitting;
  },
  (_, route) => [route],
);

/** What differs from the usual request for a list; nothing where that was sent. */
function usualOf({ query }: Fitted, context: Subject['context']): Pick<Subject, 'usual'> & Partial<Subject> {
  const sent = Object.fromEntries(USUAL.map((name) => [name, valueIn(query, name)]));
  const hasContext = valueIn(query, 'context') === context;
  const isUsual = sent.per_page === String(MOST_PER_PAGE) && sent.orderby === 'id' && sent.order === 'desc';
  if (isUsual && hasContext) return {};
  const usual: Args = { ...sent, ...(!hasContext && { context: undefined }) };
  return { usual, ...(!hasContext && { context: 'view' }) };
}
