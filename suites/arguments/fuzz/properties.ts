import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { blocked, failure, inconclusive, show, warning } from '../../../engine/findings.ts';
import { describe, judgeAcceptance, judgeRefusal } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { simplerValid, simplerValues } from '../../../generators/shrink.ts';
import type { Free, Judged, Property } from '../../../probing/search/fuzz-set.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';
import { type Acceptance, acceptanceOf } from '../acceptance-checks.ts';
import { likelyValues } from '../argument-values.ts';
import { type Args, toRequest } from '../call.ts';
import { type Baseline, controlOf } from '../control.ts';
import { isOfPlugin, optionalSets, requiredBeside } from '../control-candidates.ts';
import { reportedAlone } from '../enforcement-checks.ts';
import { routeWith } from './drawn-sets.ts';

/**
 * The parameters that every combination of valid values may hold on this site.
 * @returns the finding of a single value that is refused: every combination with it would repeat that
 */
export async function combinable(
  session: Session,
  operation: Operation,
  baseline: Baseline,
  parameters: readonly Parameter[],
): Promise<Free[] | Finding> {
  const acceptance = await acceptanceOf(session, operation);
  const { findings, besideOthers }: Acceptance =
    'reason' in acceptance ? { findings: new Map(), besideOthers: new Set() } : acceptance;
  for (const [{ checkId }, { kind }] of findings) {
    if (kind === 'failure') return blocked(checkId);
  }
  // What a site takes beside others only, or not for sure (R51), is not taken in any combination.
  const doubtful = [...findings].filter(([, { kind }]) => kind === 'warning').map(([sample]) => sample);
  const bound = new Set([...besideOthers, ...doubtful].map(({ parameter }) => parameter.name));
  const free: Free[] = [];
  for (const parameter of parameters.filter(({ name }) => !bound.has(name))) {
    free.push({ parameter, schema: await onSite(session, operation, baseline, parameter) });
  }
  return free;
}

/**
 * The schema of a parameter on a site: where a plugin does not take any text or number for the name of something of the
 * site, it is one of the values that are known.
 */
async function onSite(
  session: Session,
  operation: Operation,
  baseline: Baseline,
  parameter: Parameter,
): Promise<Schema> {
  const { wire, schema } = parameter;
  const { named } = await likelyValues(session, operation, parameter);
  if (operation.strict || named.length === 0) return standingAlone(parameter);
  const known = { ...schema, enum: named };
  // Of numbers, the first that comes to mind may be an id by chance.
  const types = typesOf(schema);
  if (types.includes('integer')) return known;
  const any = types.includes('array') ? ['sample'] : 'sample';
  const control = await controlOf(session, operation, baseline, { ...baseline.args, [wire]: any });
  return typeof control === 'string' || control.answer !== 'refused' ? standingAlone(parameter) : known;
}

/** A schema without the members that require others or credentials: those have checks of their own. */
function standingAlone(parameter: Parameter): Schema {
  const { schema } = parameter;
  const alone = (members: readonly unknown[]): unknown[] =>
    members.filter((value) => requiredBeside(parameter, value) === undefined);
  if (schema.enum !== undefined) return { ...schema, enum: alone(schema.enum) };
  if (schema.items?.enum === undefined) return schema;
  return { ...schema, items: { ...schema.items, enum: alone(schema.items.enum) } };
}

/** Any combination of valid arguments is accepted, or denied. */
export function accepted(
  session: Session,
  operation: Operation,
  baseline: Baseline,
  free: readonly Free[],
): Property {
  const schemas = new Map(free.map(({ parameter, schema }) => [parameter.wire, schema]));
  return {
    edges: 'accepted',
    keepsSubject: false,
    async judge(args, fresh) {
      const control = await controlOf(session, operation, baseline, baseline.args);
      if (typeof control === 'string') return { end: 'other', finding: inconclusive(control) };
      if (control.answer === 'denied') {
        return { end: 'other', finding: inconclusive(`${operation.id} is denied to this caller`) };
      }
      const valid = await askSet(session, operation, baseline, args, fresh);
      const finding = judgeAcceptance(`${show(args)} for ${operation.id}`, valid, control, baseline.search);
      const isDoubtful = valid.answer === 'refused' && finding?.kind === 'failure' && isOfPlugin(operation);
      for (const siblings of isDoubtful ? await optionalSets(session, operation) : []) {
        const other = await askSet(session, operation, baseline, { ...siblings, ...args }, fresh);
        if (other.answer === 'accepted') return { end: endOf(other), finding: undefined, kind: other.answer };
      }
      return {
        end: endOf(valid),
        finding: isDoubtful ? { ...finding, kind: 'warning' } : finding,
        kind: valid.answer,
      };
    },
    simpler: (name, value) => simplerValid(schemas.get(name) ?? {}, value),
    // A single value that is refused has stopped the search before.
    reportedBy: async () => undefined,
  };
}

/** How a set of arguments is sent. @param fresh whether nothing is remembered */
export type SendSet = (args: Args, fresh: boolean) => Promise<Observation>;

/** A set with one invalid argument is refused, whatever stands beside it. */
export function refused(
  session: Session,
  operation: Operation,
  baseline: Baseline,
  free: readonly Free[],
  send: SendSet,
): Property {
  const known = new Map(free.map(({ parameter }) => [parameter.wire, parameter]));
  return {
    edges: 'refused',
    keepsSubject: true,
    async judge(args, fresh) {
      const invalid = await send(args, fresh);
      const control = await controlOf(session, operation, baseline, baseline.args);
      const finding = judgeRefusal(`${show(args)} for ${operation.id}`, invalid, control, baseline.search);
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
  const shown = { observed: describe(answer), reproduce: [answer.curl] };
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

/**
 * Sends a set of arguments of a read on the baseline request of its operation; those that are named as a capture go into the path.
 * @param fresh whether nothing is remembered
 */
export function askSet(
  session: Session,
  operation: Operation,
  baseline: Baseline,
  args: Args,
  fresh: boolean,
): Promise<Observation> {
  const inRoute = new Set(operation.route.pathParameters.map(({ name }) => name));
  const given = Object.entries(args).filter(([name]) => !inRoute.has(name));
  const route = routeWith(operation, baseline.route, args);
  const spec = toRequest({
    operation,
    ...baseline,
    route,
    args: { ...baseline.args, ...Object.fromEntries(given) },
  });
  return fresh ? session.client.request(spec) : session.ask(spec);
}

export function endOf({ answer }: Observation): Judged['end'] {
  return answer === 'accepted' || answer === 'refused' ? answer : 'other';
}
