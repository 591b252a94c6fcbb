import { type Check, check, checkId, type Finding, servedBy } from '../../engine/check.ts';
import { inconclusive } from '../../engine/findings.ts';
import { describe } from '../../engine/probe.ts';
import type { Caller, Session } from '../../engine/session.ts';
import type { Operation } from '../../specs/model.ts';
import { controlOf, groundOf } from './control.ts';

/**
 * Checks that every read of the contract answers without a server error, without credentials and with them, and so does
 * every operation that alters the site, where the mode allows a valid call.
 */
export function answersChecks(operation: Operation): Check[] {
  const anonymous = answersCheck(operation, 'anonymous');
  const user = answersCheck(operation, 'user');
  if (operation.effect === 'alters-site') return [{ ...user, effect: 'alters-site', mode: 'full' }];
  if (operation.effect !== 'reads') return [];
  // Without an index for its user no run starts at all.
  return operation.id === 'index.read' ? [anonymous] : [anonymous, user];
}

function answersCheck(operation: Operation, as: Caller): Check {
  return check({
    id: checkId(operation.id, 'answers', as),
    kind: 'answers',
    title: `${operation.id} answers ${as === 'user' ? 'a user' : 'an anonymous caller'} without a server error`,
    on: operation,
    needsUser: as === 'user',
    needs: servedBy(operation),
    async run(session: Session): Promise<Finding[]> {
      const ground = await groundOf(session, operation, operation.effect === 'reads' ? session.caller : as);
      if ('reason' in ground) return [inconclusive(ground.reason)];
      const answer = await controlOf(session, operation, { ...ground, as }, ground.args);
      if (typeof answer === 'string') return [inconclusive(answer)];
      const about = { expected: 'an answer', observed: describe(answer), reproduce: [answer.curl] };
      if (answer.answer === 'throttled') return [inconclusive('throttled each time it was asked')];
      // The bound is ours: what is larger was answered all the same.
      if (answer.tooLarge === true)
        return [inconclusive(answer.problem ?? 'the answer is too large to be read')];
      if (answer.answer === 'refused' && as === session.caller && isOpenList(operation))
        return [{ kind: 'failure', message: `${operation.id} refuses a call that names nothing`, ...about }];
      if (answer.answer === 'absent')
        return [
          {
            kind: 'failure',
            message: `${operation.id} is in the index, and answers that it is not there`,
            ...about,
          },
        ];
      if (answer.answer === 'broken')
        return [{ kind: 'failure', message: `${operation.id} makes the server fail`, ...about }];
      // What a write answers is silent (§4.10): it may be nothing.
      // What a site publishes does not say that an answer is no file.
      const isDue = operation.effect === 'reads' && answer.status !== 204 && operation.basis !== 'published';
      if (answer.answer === 'accepted' && answer.json === undefined && isDue) {
        return [
          {
            kind: 'failure',
            message: `${operation.id} answers without JSON`,
            ...about,
            observed: answer.problem ?? 'no JSON',
          },
        ];
      }
      return [];
    },
  });
}

/** Whether a stated list can be asked for without a word: all that it takes is optional. */
function isOpenList({ role, basis, route, parameters }: Operation): boolean {
  const takesNothing =
    route.pathParameters.length === 0 && parameters.every(({ required }) => required !== true);
  return role === 'list' && basis !== 'published' && takesNothing;
}
