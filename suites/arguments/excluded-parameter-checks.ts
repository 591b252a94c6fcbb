import type { Observation } from '../../client/observation.ts';
import { type Check, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { compareAsked, likenessOf } from '../../engine/equal.ts';
import { blocked, failure, inconclusive, show } from '../../engine/findings.ts';
import { describe } from '../../engine/probe.ts';
import type { Session } from '../../engine/session.ts';
import type { AbsentParameter, Operation } from '../../specs/model.ts';
import { type Args, toRequest } from './call.ts';
import { type Ground, groundOf } from './control.ts';

/**
 * Checks that a list does not honour a parameter that the contract excludes for it (R40): with a value that no record of the
 * list has, the answer is the same, or a refusal.
 */
export function excludedParameterChecks(operation: Operation): Check[] {
  if (operation.effect !== 'reads') return [];
  return operation.absent
    .filter(({ probe }) => probe !== undefined)
    .map((absent) => excludedParameterCheck(operation, absent));
}

function excludedParameterCheck(operation: Operation, absent: AbsentParameter): Check {
  const { name, wire, section } = absent;
  const declared = checkId(operation.id, name, 'absent');
  return check({
    id: checkId(declared, 'ignored'),
    kind: 'ignored',
    title: `ignores ${wire} in ${operation.id}, which has no such parameter`,
    section,
    on: operation,
    parameter: name,
    needs: [serves(operation), declared],
    run: (session) => judge(session, operation, absent),
  });
}

async function judge(session: Session, operation: Operation, absent: AbsentParameter): Promise<Finding[]> {
  const ground = await groundOf(session, operation);
  if ('reason' in ground) return [inconclusive(ground.reason)];
  const ask = (args: Args): Promise<Observation> => session.ask(requestOf(operation, ground, args));
  const plain = await ask({});
  if (plain.answer === 'broken') return [blockedBy(operation, ground)];
  if (plain.answer !== 'accepted') {
    return [inconclusive(`the request without it is not accepted (${describe(plain)})`)];
  }
  if (!Array.isArray(plain.json) || plain.json.length === 0) {
    return [inconclusive('no record is visible that the parameter could leave out')];
  }
  // All excluded parameters at once: when they change nothing, none of them does.
  if (likenessOf(plain, await ask(allProbes(operation))) === 'same') return [];
  const given = { [absent.wire]: absent.probe };
  const alone = await ask(given);
  if (alone.answer === 'refused' || likenessOf(plain, alone) === 'same') return [];
  if (alone.answer !== 'accepted') return [unjudged(absent, alone)];
  return confirm(session, operation, absent, ground);
}

/** Only fresh requests side by side are a proof. */
async function confirm(
  session: Session,
  operation: Operation,
  absent: AbsentParameter,
  ground: Ground,
): Promise<Finding[]> {
  const fresh = (args: Args): Promise<Observation> =>
    session.client.request(requestOf(operation, ground, args));
  const compared = await compareAsked(
    () => fresh({}),
    () => fresh({ [absent.wire]: absent.probe }),
  );
  if (compared.end === 'same') return [];
  if (compared.end === 'unread') return [inconclusive('the answer is more than is read')];
  if (compared.end === 'unsteady') {
    return [inconclusive('the site changed, or asked for patience, between two identical requests')];
  }
  const { first, other } = compared;
  if (first.answer !== 'accepted' || other.answer !== 'accepted') {
    return [inconclusive(`answered otherwise in a retry (${describe(first)}, ${describe(other)})`)];
  }
  return [
    failure(
      `${operation.id} applies ${absent.wire} ${show(absent.probe)}, which the contract excludes (${absent.reason})`,
      {
        expected: 'the same answer with it as without it',
        observed: `${countOf(first)} without it, ${countOf(other)} with it`,
        reproduce: [first.curl, other.curl],
      },
    ),
  ];
}

function requestOf(operation: Operation, ground: Ground, args: Args): ReturnType<typeof toRequest> {
  return toRequest({ operation, ...ground, args: { ...ground.args, ...args } });
}

function allProbes({ absent }: Operation): Args {
  const known = absent.filter(({ probe }) => probe !== undefined);
  return Object.fromEntries(known.map(({ wire, probe }) => [wire, probe]));
}

function countOf({ json }: Observation): string {
  return Array.isArray(json) ? `${json.length} ${json.length === 1 ? 'record' : 'records'}` : 'no list';
}

function unjudged({ wire }: AbsentParameter, answer: Observation): Finding {
  if (answer.answer !== 'broken')
    return inconclusive(`the request with it is not evaluated (${describe(answer)})`);
  return failure(`${wire}, which the contract excludes, makes the server fail`, {
    expected: 'the same answer with it as without it',
    observed: describe(answer),
    reproduce: [answer.curl],
  });
}

function blockedBy({ id }: Operation, { as }: Ground): Finding {
  return blocked(checkId(id, 'answers', as));
}
