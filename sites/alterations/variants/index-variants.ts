import { isObject, type Json } from '../../reference/json.ts';
import type { Behaviour } from '../../reference/site.ts';
import { type Alteration, variant } from '../alteration.ts';
import { eachArg, endpointsIn } from '../declarations.ts';
import { declaring } from '../handling.ts';

/** Other indexes of conforming sites. */
export const VARIANTS_INDEXES: readonly Alteration[] = [
  declared('pretty-links', 'routes link to themselves by pretty addresses', ({ url, routes }) => {
    for (const [pattern, entry] of Object.entries(routes)) {
      if (entry._links) entry._links = { self: [{ href: `${String(url)}/wp-json${pattern}` }] };
    }
  }),
  declared('reversed-members', 'all members of the index come in another order', (index) => {
    const turned = reversed(index);
    for (const key of Object.keys(index)) delete index[key];
    Object.assign(index, turned);
  }),
  declared('more-parameters', 'plugins add parameters to every endpoint', (index) => {
    for (const { args } of endpointsIn(index))
      args.plugin_flag = { type: 'boolean', default: false, required: false };
  }),
  declared('more-taxonomies', 'a plugin files records of every kind by genre', (index) => {
    const terms = { type: ['object', 'array'], items: { type: 'integer' }, required: false };
    const relation = { type: 'string', enum: ['AND', 'OR'], required: false };
    for (const { args } of endpointsIn(index)) {
      if (args.orderby) Object.assign(args, { tax_relation: relation, genre: terms, genre_exclude: terms });
    }
  }),
  declared('without-optional', 'parameters that are optional do not say so', (index) => {
    eachArg(index, (arg) => {
      if (arg.required === false) delete arg.required;
    });
  }),
  declared('self-link-list', 'routes link to themselves by path alone and to others as well', (index) => {
    for (const entry of Object.values(index.routes)) {
      if (entry._links) entry._links = { ...Object(entry._links), up: [{ href: '/' }] };
    }
  }),
  declared('other-scheme-of-addresses', 'the index names its addresses over https, with a slash', (index) => {
    for (const name of ['url', 'home']) index[name] = `${String(index[name]).replace('http:', 'https:')}/`;
  }),
  declared('no-contexts', 'parameters name no contexts and no variants', (index) => {
    eachArg(index, ({ properties = {}, items }) => {
      for (const one of Object.values(properties)) delete one.context;
      delete items?.oneOf;
    });
  }),
  declared('more-methods', 'routes serve further methods', (index) => {
    for (const { methods, endpoints } of Object.values(index.routes)) {
      methods.push('PURGE');
      endpoints.push({ methods: ['PURGE'], args: {} });
    }
  }),
];

function declared(id: string, title: string, declare: Behaviour['declare']): Alteration {
  return variant(id, title, declaring(declare));
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]): [string, Json] => [key, reversed(member)])
      .toReversed(),
  );
}
