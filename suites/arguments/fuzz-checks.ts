import type { Observation } from '../../client/observation.ts';
import type { Check, Finding } from '../../engine/check.ts';
import { outOfTime } from '../../engine/out-of-time.ts';
import { judgeAcceptance, judgeRefusal } from '../../engine/probe.ts';
import type { Session } from '../../engine/session.ts';
import { show } from '../../engine/show.ts';
import { invalidSingles, validSets } from '../../generators/argument-sets.ts';
import { explore } from '../../generators/explore.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { isDeclaredAsStated } from '../declarations/declared-constraints.ts';
import { type Acceptance, acceptanceOf } from './acceptance.ts';
import { type Args, toRequest } from './call.ts';
import { companionOf } from './companions.ts';
import { controlOf, type Ground, groundOf } from './control.ts';
import { likelyValues } from './likely-values.ts';

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
  const checks = [
    fuzzCheck(operation, free, 'accepted', 'accepts any combination of valid arguments', fuzzValid),
  ];
  // Outside the core a declared type need not be enforced (R34).
  if (operation.route.namespace === 'cms/v2') {
    checks.push(fuzzCheck(operation, free, 'refused', 'refuses any invalid argument', fuzzInvalid));
  }
  return checks;
}

function fuzzCheck(
  operation: Operation,
  free: readonly Parameter[],
  aspect: string,
  title: string,
  run: typeof fuzzValid,
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
      if ('reason' in ground) return [{ kind: 'inconclusive', message: ground.reason }];
      // What the target declares otherwise is reported already.
      const sound = free.filter((parameter) => isDeclaredAsStated(session.index, operation, parameter));
      return run(session, operation, ground, sound);
    },
  };
}

async function fuzzValid(
  session: Session,
  operation: Operation,
  ground: Ground,
  free: readonly Parameter[],
): Promise<Finding[]> {
  const acceptance = await acceptanceOf(session, operation);
  const { findings, inCompany }: Acceptance =
    'reason' in acceptance ? { findings: new Map(), inCompany: new Set() } : acceptance;
  const known = [...findings].filter(([, { kind }]) => kind === 'failure');
  // A single value that is refused has a finding of its own; every combination with it would repeat that.
  if (known[0] !== undefined) return [{ kind: 'blocked', message: `blocked by ${known[0][0].checkId}` }];
  const schemas: Record<string, Schema> = {};
  // What a site takes in company only is not taken in any combination.
  const bound = new Set([...inCompany].map(({ parameter }) => parameter.name));
  for (const parameter of free.filter(({ name }) => !bound.has(name)))
    schemas[parameter.wire] = await onSite(session, operation, ground, parameter);
  return search(session, validSets(schemas), async (args) => {
    const control = await controlOf(session, operation, ground, ground.args);
    if (typeof control === 'string') return { kind: 'inconclusive', message: control };
    if (control.answer === 'denied') {
      return { kind: 'inconclusive', message: `${operation.id} is denied to this caller` };
    }
    const valid = await ask(session, operation, ground, args);
    return judgeAcceptance(`${show(args)} for ${operation.id}`, valid, control, ground.search);
  });
}

/**
 * The schema of a parameter on a site: where a plugin does not take any text or number for the name of something of the
 * site, it is one of the values that are known.
 */
async function onSite(
  session: Session,
  operation: Operation,
  ground: Ground,
  parameter: Parameter,
): Promise<Schema> {
  const { wire, schema } = parameter;
  const { named } = await likelyValues(session, operation, parameter);
  if (operation.route.namespace === 'cms/v2' || named.length === 0) return standingAlone(parameter);
  const known = { ...schema, enum: named };
  // Of numbers, the first that comes to mind may be an id by chance.
  const types = typesOf(schema);
  if (types.includes('integer')) return known;
  const any = types.includes('array') ? ['sample'] : 'sample';
  const control = await controlOf(session, operation, ground, { ...ground.args, [wire]: any });
  return typeof control === 'string' || control.answer !== 'refused' ? standingAlone(parameter) : known;
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
  const singles = invalidSingles(Object.fromEntries(free.map(({ wire, schema }) => [wire, schema])));
  if (singles === undefined) {
    return [{ kind: 'not-applicable', message: 'no parameter has values that are refused for sure' }];
  }
  return search(session, singles, async (args) => {
    const invalid = await ask(session, operation, ground, args);
    const control = await controlOf(session, operation, ground, ground.args);
    return judgeRefusal(`${show(args)} for ${operation.id}`, invalid, control, ground.search);
  });
}

function ask(session: Session, operation: Operation, ground: Ground, args: Args): Promise<Observation> {
  return session.ask(toRequest({ operation, ...ground, args: { ...ground.args, ...args } }));
}

/** Looks for a failure and keeps the finding of the smallest example that shows it. */
async function search(
  session: Session,
  examples: Parameters<typeof explore<Args>>[0],
  judge: (args: Args) => Promise<Finding | undefined>,
): Promise<Finding[]> {
  let untold: Finding | undefined;
  let failure: Finding | undefined;
  const holds = async (args: Args): Promise<boolean> => {
    const finding = await judge(args);
    if (finding?.kind === 'failure') failure = finding;
    else untold ??= finding;
    return finding?.kind !== 'failure';
  };
  const { how, cut } = await explore(examples, holds, { runs: RUNS, seed: session.seed });
  if (how !== undefined && failure !== undefined) {
    return [{ ...failure, message: `${failure.message} (found with ${how})` }];
  }
  if (cut !== undefined) return [outOfTime(cut)];
  return untold === undefined ? [] : [untold];
}
