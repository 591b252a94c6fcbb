import type { Contract, Resource } from '../../reference/contract.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import { type Call, CONTEXTS as FIELDS } from '../../reference/site.ts';
import { idOf, ownResources, showing } from '../toolkit/handling.ts';
import { type Mutant, mutant } from './mutant.ts';

const CONTEXTS = ['view', 'embed', 'edit'];

/** Mutants that show a member of a field in a context where it must not be, or not where it must. */
export function contextMutants(contract: Contract): Mutant[] {
  return ownResources(contract).flatMap(fieldMutants);
}

function fieldMutants(resource: Resource): Mutant[] {
  return Object.entries(resource.operations.create?.parameters.properties ?? {}).flatMap(([field, schema]) =>
    Object.entries(schema.properties ?? {}).flatMap(([member, { 'x-contexts': contexts }]) =>
      contexts
        ? ['list', 'read'].flatMap((way) => memberMutants(idOf(resource, way), field, member, contexts))
        : [],
    ),
  );
}

function memberMutants(id: string, field: string, member: string, contexts: readonly string[]): Mutant[] {
  // A field that is not in a context at all has no members there to miss.
  const shownIn = CONTEXTS.filter(
    (context) => !contexts.includes(context) || FIELDS[field]?.some((one) => one === context) !== false,
  );
  return shownIn.map((context) => {
    const isShown = contexts.includes(context);
    return mutant(
      `${id}/contexts/${field}.${member}`,
      `${isShown ? 'missing-in' : 'leaked-into'}-${context}`,
      `${id} ${isShown ? 'does not show' : 'shows'} ${field}.${member} in the context ${context}`,
      showing(id, (record, call) =>
        contextOf(call) === context ? turned(record, field, member, isShown) : record,
      ),
    );
  });
}

function contextOf({ args }: Call): Json {
  return args.context ?? 'view';
}

function turned(record: JsonObject, field: string, member: string, isShown: boolean): JsonObject {
  const shown = record[field];
  // A field that is not shown at all cannot leak a part of itself alone.
  const value = isObject(shown) ? shown : {};
  const { [member]: old, ...rest } = value;
  const leaked = member === 'block_version' ? 1 : member === 'protected' ? false : 'Text';
  return { ...record, [field]: isShown ? rest : { ...value, [member]: old ?? leaked } };
}
