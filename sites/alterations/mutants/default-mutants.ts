import type { Operation } from '../../reference/contract.ts';
import { isObject, type Json } from '../../reference/json.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';
import type { Behaviour, Call } from '../../reference/site.ts';
import { otherThan } from '../toolkit/alterations.ts';
import { handling, healthy, isGiven, kindOf, turningArgs } from '../toolkit/handling.ts';
import { type Mutant, mutant } from './mutant.ts';

/** Orders and contexts that stand only beside another argument, or only for some callers. */
const DEMANDING: readonly Json[] = ['relevance', 'include', 'include_slugs', 'edit'];

/** Parameters whose values change nothing by themselves: without them the answer is another one. */
const SILENT = /^oembed\.proxy\/(format|discover)$/;

/** Mutants that apply another default than the declared one: to everybody, or only to callers with credentials. */
export function defaultMutants(operation: Operation): Mutant[] {
  if (operation.effect !== 'reads') return [];
  return Object.entries(operation.parameters.properties)
    .filter(([name, schema]) => !(name in operation.pathParameters) && isSendable(schema))
    .flatMap(([name, schema]) => {
      const applying = (how: string, applies: (call: Call) => boolean): Mutant =>
        mutant(
          `${operation.id}/${name}/default/applied`,
          how,
          `${operation.id} without ${name} means another value than the declared default`,
          SILENT.test(`${operation.id}/${name}`)
            ? answeringOtherwise(operation.id, (call) => !isGiven(call, name) && applies(call))
            : turningArgs(operation.id, (args, call) =>
                isGiven(call, name) || !applies(call) ? args : { ...args, [name]: other(name, schema, call) },
              ),
        );
      return [
        applying('another', () => true),
        applying('differs-with-credentials', ({ request }) => request.account !== undefined),
      ];
    });
}

/** Mutants of term filters of which a member that is left out means another value than its default. */
export function nestedDefaultMutants({ id, parameters }: Operation): Mutant[] {
  return Object.entries(parameters.properties).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([member, schema]) => {
      const value = schema.enum?.find((one) => one !== schema.default) ?? schema.default !== true;
      if (schema.default === undefined || Array.isArray(schema.default)) return [];
      return [
        mutant(
          `${id}/${name}/properties/${member}/default/applied`,
          'another',
          `${id} without ${member} of ${name} means another value than the declared default`,
          turningArgs(id, (args, { request }) => {
            const [given, read] = [request.query[name], args[name]];
            return isObject(given) && isObject(read) && !(member in given)
              ? { ...args, [name]: { ...read, [member]: value } }
              : args;
          }),
        ),
      ];
    }),
  );
}

function answeringOtherwise(id: string, applies: (call: Call) => boolean): Partial<Behaviour> {
  return handling(id, async (call) => {
    const answer = await healthy(call);
    return isObject(answer.body) && applies(call)
      ? { ...answer, body: { ...answer.body, type: 'link' } }
      : answer;
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
  // Ids often have the order of the dates; titles seldom do.
  if (name === 'orderby' && members?.includes('title')) return 'title';
  if (members) {
    const found = members.find((one) => !DEMANDING.includes(one) && ![stated].flat().includes(one)) ?? null;
    return typesOf(schema).includes('array') ? [found] : found;
  }
  const known: Record<string, Json> = {
    context: 'help',
    format: 'xml',
    per_page: 1,
    maxwidth: 300,
    author: [2],
    author_exclude: [1],
    parent: [0],
    parent_exclude: [0],
    namespace: site.contract.namespaces.find((one) => one !== stated) ?? null,
  };
  const kind = kindOf(operation);
  const ids = kind ? site.store.ofKind(kind).map(({ id }) => id) : [];
  // Some of them, so that what is left is still a list.
  if (name === 'include' || name === 'exclude') return ids.filter((_, at) => at % 2 === 0);
  return known[name] ?? otherThan(stated);
}
