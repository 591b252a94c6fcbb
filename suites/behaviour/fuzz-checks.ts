import fc from 'fast-check';
import { invalidArgument, validArgument } from '../../generators/argument-arbitraries.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import type { Observation } from '../../target/observation.ts';
import type { Check, Finding } from '../check.ts';
import type { Session } from '../session.ts';
import { show } from '../show.ts';
import { type Args, toRequest } from './call.ts';
import { companionOf } from './companions.ts';
import { controlOf, type Ground, groundOf } from './control.ts';
import { judgeAcceptance, judgeRefusal } from './probe.ts';

const RUNS = 6;
const FEWEST_PARAMETERS = 3;
/** Parameters whose valid values depend on what the site holds. */
const SITE_BOUND: ReadonlySet<string> = new Set(['page', 'offset', 'password', 'url']);

/**
 * Property-based checks of reads with several parameters: any combination of valid arguments is accepted, any single
 * invalid one is refused, and nothing makes the server fail. A counterexample is shrunk before it is reported.
 */
export function fuzzChecks(operation: Operation): Check[] {
  if (operation.effect !== 'reads') return [];
  const free = operation.parameters.filter((one) => one.in !== 'path' && !SITE_BOUND.has(one.name));
  if (free.length < FEWEST_PARAMETERS) return [];
  const core = operation.route.namespace === 'cms/v2';
  return [
    fuzzCheck(operation, 'accepted', 'accepts any combination of valid arguments', (session, ground) =>
      fuzzValid(session, operation, ground, free),
    ),
    // Outside the core a declared type need not be enforced (R34).
    ...(core
      ? [
          fuzzCheck(operation, 'refused', 'refuses any invalid argument', (session, ground) =>
            fuzzInvalid(session, operation, ground, free),
          ),
        ]
      : []),
  ];
}

function fuzzCheck(
  operation: Operation,
  aspect: string,
  title: string,
  run: (session: Session, ground: Ground) => Promise<Finding[]>,
): Check {
  return {
    id: `${operation.id}/fuzz/${aspect}`,
    title: `${operation.id} ${title}`,
    section: operation.section,
    basis: 'implied',
    effect: 'reads',
    operation: operation.id,
    dependsOn: [`${operation.id}/method/${operation.methods[0]}`],
    async run(session) {
      const ground = await groundOf(session, operation);
      return 'reason' in ground ? [{ kind: 'inconclusive', message: ground.reason }] : run(session, ground);
    },
  };
}

async function fuzzValid(
  session: Session,
  operation: Operation,
  ground: Ground,
  free: readonly Parameter[],
): Promise<Finding[]> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const parameter of free) {
    const arbitrary = validArgument(standingAlone(parameter));
    if (arbitrary !== undefined) members[parameter.wire] = arbitrary;
  }
  const arguments_ = fc.record(members, { requiredKeys: [] });
  return explore(session, arguments_, async (args) => {
    const control = await controlOf(session, operation, ground, ground.args);
    if (typeof control === 'string') return { kind: 'inconclusive', message: control };
    const valid = await ask(session, operation, ground, args);
    return judgeAcceptance(`${show(args)} for ${operation.id}`, valid, control);
  });
}

/** A schema without the members that need company or credentials: those have checks of their own. */
function standingAlone(parameter: Parameter): Schema {
  const { schema } = parameter;
  const alone = (members: readonly unknown[]): unknown[] =>
    members.filter((value) => companionOf(parameter, value) === undefined);
  if (schema.enum !== undefined) return { ...schema, enum: alone(schema.enum) };
  if (schema.items?.enum === undefined) return schema;
  return { ...schema, items: { ...schema.items, enum: alone(schema.items.enum) } };
}

async function fuzzInvalid(
  session: Session,
  operation: Operation,
  ground: Ground,
  free: readonly Parameter[],
): Promise<Finding[]> {
  const single = free.flatMap(({ wire, schema }) => {
    const arbitrary = invalidArgument(schema);
    return arbitrary === undefined ? [] : [arbitrary.map((value): Args => ({ [wire]: value }))];
  });
  if (single.length === 0)
    return [{ kind: 'not-applicable', message: 'no parameter has values that are refused for sure' }];
  return explore(session, fc.oneof(...single), async (args) => {
    const invalid = await ask(session, operation, ground, args);
    return judgeRefusal(
      `${show(args)} for ${operation.id}`,
      invalid,
      await controlOf(session, operation, ground, ground.args),
    );
  });
}

function ask(session: Session, operation: Operation, ground: Ground, args: Args): Promise<Observation> {
  return session.ask(toRequest({ operation, ...ground, args: { ...ground.args, ...args } }));
}

/** Tries examples and shrinks the first that fails; the finding of the smallest one is kept. */
async function explore(
  session: Session,
  examples: fc.Arbitrary<Args>,
  judge: (args: Args) => Promise<Finding | undefined>,
): Promise<Finding[]> {
  let untold: Finding | undefined;
  let smallest: Finding | undefined;
  const property = fc.asyncProperty(examples, async (args) => {
    const finding = await judge(args);
    if (finding?.kind === 'failure') {
      smallest = finding;
      return false;
    }
    untold ??= finding;
    return true;
  });
  const details = await fc.check(property, {
    numRuns: RUNS,
    seed: session.seed,
    interruptAfterTimeLimit: 60_000,
  });
  if (details.failed && smallest === undefined)
    throw new Error(`the generator failed: ${String(details.errorInstance)}`);
  if (smallest === undefined) return untold === undefined ? [] : [untold];
  return [
    {
      ...smallest,
      message: `${smallest.message} (found with seed ${session.seed}, path ${details.counterexamplePath ?? ''})`,
    },
  ];
}
