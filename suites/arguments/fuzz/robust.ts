import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { describeAnswer, failure, inconclusive, warning } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { show } from '../../../engine/show.ts';
import { simplerValues } from '../../../generators/shrink.ts';
import type { Operation } from '../../../specs/model.ts';
import type { Free, Property } from '../../search/fuzz-set.ts';
import { acceptanceOf } from '../acceptance.ts';
import { reportedAlone } from '../enforcement-checks.ts';
import { endOf } from './ask-set.ts';
import type { SendSet } from './refused.ts';

/** What the inside of software looks like: stack traces, files of the server, and the words of a database. */
const INSIDE: readonly RegExp[] = [
  /\bStack trace:|\bTraceback \(most recent call last\)/,
  /\bat (?:\S+ )?\(?\S+\.[cm]?[jt]s:\d+:\d+/,
  /(?:\/[\w.-]+){2,}\.php\b(?:\(\d+\)| on line \d+|:\d+)/,
  /\bSQLSTATE\[|\byou have an error in your SQL syntax|\b(?:SELECT|INSERT|UPDATE)\b.{1,200}\bwp_\w+/i,
];

/** No value at all makes the server fail, and a refusal shows nothing of the inside of the software. */
export function robust(
  session: Session,
  operation: Operation,
  free: readonly Free[],
  send: SendSet,
): Property {
  const known = new Map(free.map(({ parameter }) => [parameter.wire, parameter]));
  return {
    keepsSubject: false,
    async judge(args, fresh) {
      const answer = await send(args, fresh);
      const finding = judgeRobustness(`${show(args)} for ${operation.id}`, answer);
      return { end: endOf(answer), finding, kind: answer.answer };
    },
    simpler: (_name, value) => simplerValues(value),
    async reportedBy([name = '', ...others]) {
      const parameter = known.get(name);
      if (parameter === undefined || others.length > 0) return undefined;
      const enforced = await reportedAlone(session, operation, parameter);
      if (enforced !== undefined || operation.effect !== 'reads') return enforced;
      const acceptance = await acceptanceOf(session, operation);
      if ('reason' in acceptance) return undefined;
      const failing = [...acceptance.findings].find(
        ([
          {
            parameter: { wire },
            checkId,
          },
          { kind },
        ]) => wire === name && kind === 'failure' && !session.deselected.has(checkId),
      );
      return failing?.[0].checkId;
    },
  };
}

/** Whether an answer shows the inside of the software. What is accepted may show texts of the site, whatever they look like. */
export function showsInside({ answer, text }: Observation): boolean {
  return answer !== 'accepted' && INSIDE.some((sign) => sign.test(text));
}

function judgeRobustness(what: string, answer: Observation): Finding | undefined {
  const shown = { observed: describeAnswer(answer), reproduce: [answer.curl] };
  if (answer.answer === 'broken') {
    return failure(`${what} makes the server fail`, { expected: 'an answer, or a refusal', ...shown });
  }
  if (answer.answer === 'throttled') return inconclusive('throttled each time it was asked');
  if (showsInside(answer)) {
    return warning(`the refusal of ${what} shows the inside of the software`, {
      expected: 'no paths, queries or stack traces',
      ...shown,
    });
  }
  return undefined;
}
