import type { Finding } from '../../../engine/check.ts';
import { blocked, inconclusive } from '../../../engine/findings.ts';
import { judgeAcceptance } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { show } from '../../../engine/show.ts';
import { simplerValid } from '../../../generators/shrink.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { type Schema, typesOf } from '../../../specs/schema.ts';
import type { Free, Property } from '../../search/fuzz-set.ts';
import { type Acceptance, acceptanceOf } from '../acceptance.ts';
import { companionOf } from '../companions.ts';
import { controlOf, type Ground } from '../control.ts';
import { likelyValues } from '../likely-values.ts';
import { askSet, endOf } from './ask-set.ts';

/**
 * The parameters that every combination of valid values may hold on this site.
 * @returns the finding of a single value that is refused: every combination with it would repeat that
 */
export async function combinable(
  session: Session,
  operation: Operation,
  ground: Ground,
  parameters: readonly Parameter[],
): Promise<Free[] | Finding> {
  const acceptance = await acceptanceOf(session, operation);
  const { findings, inCompany }: Acceptance =
    'reason' in acceptance ? { findings: new Map(), inCompany: new Set() } : acceptance;
  for (const [{ checkId }, { kind }] of findings) {
    if (kind === 'failure') return blocked(checkId);
  }
  // What a site takes in company only is not taken in any combination.
  const bound = new Set([...inCompany].map(({ parameter }) => parameter.name));
  const free: Free[] = [];
  for (const parameter of parameters.filter(({ name }) => !bound.has(name))) {
    free.push({ parameter, schema: await onSite(session, operation, ground, parameter) });
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

/** Any combination of valid arguments is accepted, or denied. */
export function accepted(
  session: Session,
  operation: Operation,
  ground: Ground,
  free: readonly Free[],
): Property {
  const schemas = new Map(free.map(({ parameter, schema }) => [parameter.wire, schema]));
  return {
    edges: 'accepted',
    keepsSubject: false,
    async judge(args, fresh) {
      const control = await controlOf(session, operation, ground, ground.args);
      if (typeof control === 'string') return { end: 'other', finding: inconclusive(control) };
      if (control.answer === 'denied') {
        return { end: 'other', finding: inconclusive(`${operation.id} is denied to this caller`) };
      }
      const valid = await askSet(session, operation, ground, args, fresh);
      const finding = judgeAcceptance(`${show(args)} for ${operation.id}`, valid, control, ground.search);
      return { end: endOf(valid), finding, kind: valid.answer };
    },
    simpler: (name, value) => simplerValid(schemas.get(name) ?? {}, value),
    // A single value that is refused has stopped the search before.
    reportedBy: async () => undefined,
  };
}
