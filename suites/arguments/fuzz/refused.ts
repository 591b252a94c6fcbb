import type { Observation } from '../../../client/observation.ts';
import { judgeRefusal } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { show } from '../../../engine/show.ts';
import type { Operation } from '../../../specs/model.ts';
import type { Free, Property } from '../../search/fuzz-set.ts';
import type { Args } from '../call.ts';
import { controlOf, type Ground } from '../control.ts';
import { reportedAlone } from '../enforcement-checks.ts';
import { endOf } from './ask-set.ts';

/** How a set of arguments is sent. @param fresh whether nothing is remembered */
export type SendSet = (args: Args, fresh: boolean) => Promise<Observation>;

/** A set with one invalid argument is refused, whatever stands beside it. */
export function refused(
  session: Session,
  operation: Operation,
  ground: Ground,
  free: readonly Free[],
  send: SendSet,
): Property {
  const known = new Map(free.map(({ parameter }) => [parameter.wire, parameter]));
  return {
    edges: 'refused',
    keepsSubject: true,
    async judge(args, fresh) {
      const invalid = await send(args, fresh);
      const control = await controlOf(session, operation, ground, ground.args);
      const finding = judgeRefusal(`${show(args)} for ${operation.id}`, invalid, control, ground.search);
      return { end: endOf(invalid), finding, kind: invalid.answer };
    },
    // A simpler value may be a valid one: only whole arguments are left out.
    simpler: () => [],
    async reportedBy([name = '', ...others]) {
      const parameter = known.get(name);
      return parameter === undefined || others.length > 0
        ? undefined
        : reportedAlone(session, operation, parameter);
    },
  };
}
