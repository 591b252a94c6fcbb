import type { Operation } from '../contract.ts';
import type { Call } from '../handler.ts';
import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import { type Schema, typesOf } from '../schema.ts';
import { otherThan } from './alterations.ts';
import { type Fault, fault } from './fault.ts';
import { isGiven, kindOf, turningArgs } from './handling.ts';

/** Orders and contexts that stand only beside another argument, or only for some callers. */
const DEMANDING: readonly Json[] = ['relevance', 'include', 'include_slugs', 'edit'];

/** Faults that apply another default than the declared one: to everybody, or only to callers with credentials. */
export function defaultFaults(operation: Operation): Fault[] {
  if (operation.effect !== 'reads') return [];
  return Object.entries(operation.parameters.properties)
    .filter(([name, schema]) => !(name in operation.captures) && isSendable(schema))
    .flatMap(([name, schema]) => {
      const applying = (how: string, applies: (call: Call) => boolean): Fault =>
        fault(
          `${operation.id}/${name}/default/applied`,
          how,
          `${operation.id} without ${name} means another value than the declared default`,
          turningArgs(operation.id, (args, call) =>
            isGiven(call, name) || !applies(call) ? args : { ...args, [name]: other(name, schema, call) },
          ),
        );
      return [
        applying('another', () => true),
        applying('differs-with-credentials', ({ request }) => request.account !== undefined),
      ];
    });
}

function isSendable(schema: Schema): boolean {
  const { default: stated } = schema;
  if (stated === undefined || stated === null) return false;
  return !(isObject(stated) && !typesOf(schema).includes('object'));
}

/** Another value that shows: one that lists other records where the parameter filters a list. */
function other(name: string, schema: Schema, { site, operation }: Call): Json {
  const stated = schema.default ?? null;
  const members = schema.enum ?? schema.items?.enum;
  if (members) {
    const found = members.find((one) => !DEMANDING.includes(one) && ![stated].flat().includes(one)) ?? null;
    return typesOf(schema).includes('array') ? [found] : found;
  }
  const known: Record<string, Json> = {
    context: 'help',
    format: 'xml',
    per_page: 1,
    author: [2],
    author_exclude: [1],
    parent: [0],
    parent_exclude: [0],
    namespace: site.contract.namespaces.find((one) => one !== stated) ?? null,
  };
  const kind = kindOf(operation.id);
  const ids = kind ? site.store.ofKind(kind).map(({ id }) => id) : [];
  if (name === 'include' || name === 'exclude') return ids;
  return known[name] ?? otherThan(stated);
}
