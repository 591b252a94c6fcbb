import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import { type Alteration, variant } from '../alteration.ts';
import { endpointsIn, listAt, objectAt } from '../declarations.ts';
import { declaring } from '../handling.ts';

/** Other indexes of conforming sites. */
export const VARIANTS_INDEXES: readonly Alteration[] = [
  declared('pretty-links', 'routes link to themselves by pretty addresses', prettyLinks),
  declared('reversed-members', 'all members of the index come in another order', (index) => {
    const turned = reversed(index);
    for (const key of Object.keys(index)) delete index[key];
    Object.assign(index, turned);
  }),
  declared('reversed-lists', 'enums, methods and namespaces come in another order', (index) => {
    index.namespaces = listAt(index, 'namespaces').toReversed();
    eachArgument(index, (argument) => {
      if (Array.isArray(argument.enum)) argument.enum = argument.enum.toReversed();
      if (Array.isArray(argument.type)) argument.type = argument.type.toReversed();
    });
  }),
  declared('more-namespaces', 'plugins add namespaces and routes', (index) => {
    index.namespaces = [...listAt(index, 'namespaces'), 'shop/v1'];
    const entry = { namespace: 'shop/v1', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] };
    objectAt(index, 'routes')['/shop/v1'] = { ...entry };
    objectAt(index, 'routes')['/shop/v1/items/(?P<item>[\\d]+)'] = { ...entry };
    objectAt(index, 'routes')['/cms/v2/posts/(?P<id>[\\d]+)/likes'] = { ...entry, namespace: 'cms/v2' };
  }),
  declared('more-parameters', 'plugins add parameters to every endpoint', (index) => {
    eachEndpoint(index, (endpoint) => {
      endpoint.args = {
        ...(isObject(endpoint.args) ? endpoint.args : {}),
        plugin_flag: { type: 'boolean', default: false, required: false },
      };
    });
  }),
  declared('more-taxonomies', 'a plugin files records of every kind by genre', (index) => {
    const terms = { type: ['object', 'array'], items: { type: 'integer' }, required: false };
    const relation = { type: 'string', enum: ['AND', 'OR'], required: false };
    eachEndpoint(index, (endpoint) => {
      const args = isObject(endpoint.args) ? endpoint.args : {};
      if (args.orderby === undefined) return;
      endpoint.args = { ...args, tax_relation: relation, genre: terms, genre_exclude: terms };
    });
  }),
  declared('descriptions', 'every parameter has a description and members of its own', (index) => {
    eachArgument(index, (argument) => {
      argument.description = 'What it is for.';
      argument.sanitize = true;
    });
  }),
  declared('without-optional', 'parameters that are optional do not say so', (index) => {
    eachArgument(index, (argument) => {
      if (argument.required === false) delete argument.required;
    });
  }),
  declared('other-patterns', 'path parameters are spelt in another way', (index) => {
    const routes = objectAt(index, 'routes');
    const renamed = Object.entries(routes).map(([key, entry]) => [key.replaceAll('[\\d]+', '\\d+'), entry]);
    index.routes = Object.fromEntries(renamed);
  }),
  declared('self-link-list', 'routes link to themselves by path alone and to others as well', (index) => {
    for (const entry of Object.values(objectAt(index, 'routes'))) {
      if (isObject(entry) && isObject(entry._links)) entry._links = { ...entry._links, up: [{ href: '/' }] };
    }
  }),
  declared('more-members', 'the index has members that nothing states', (index) => {
    index.plugin = { version: 1 };
    index.timezone_string = 'Europe/Berlin';
    index.gmt_offset = '2';
  }),
  declared('other-scheme-of-addresses', 'the index names its addresses over https, with a slash', (index) => {
    for (const name of ['url', 'home']) index[name] = `${String(index[name]).replace('http:', 'https:')}/`;
  }),
  declared('no-contexts', 'parameters name no contexts and no variants', (index) => {
    eachArgument(index, (argument) => {
      for (const one of isObject(argument.properties) ? Object.values(argument.properties) : []) {
        if (isObject(one)) delete one.context;
      }
      if (isObject(argument.items)) delete argument.items.oneOf;
    });
  }),
  declared('more-methods', 'routes serve further methods', (index) => {
    for (const entry of Object.values(objectAt(index, 'routes'))) {
      if (!isObject(entry)) continue;
      entry.methods = [...listAt(entry, 'methods'), 'PURGE'];
      entry.endpoints = [...listAt(entry, 'endpoints'), { methods: ['PURGE'], args: {} }];
    }
  }),
];

function prettyLinks(index: JsonObject): void {
  for (const entry of Object.values(objectAt(index, 'routes'))) {
    if (!isObject(entry) || !isObject(entry._links)) continue;
    const links = listAt(entry._links, 'self').map((link) =>
      isObject(link)
        ? { ...link, href: String(link.href).replace('/index.php?rest_route=/', '/wp-json/') }
        : link,
    );
    entry._links = { self: links };
  }
}

function declared(id: string, title: string, declare: (index: JsonObject) => void): Alteration {
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

function eachEndpoint(index: JsonObject, turn: (endpoint: JsonObject) => void): void {
  for (const endpoint of Object.values(objectAt(index, 'routes')).flatMap(endpointsIn)) turn(endpoint);
}

function eachArgument(index: JsonObject, turn: (argument: JsonObject) => void): void {
  eachEndpoint(index, (endpoint) => {
    for (const argument of Object.values(objectAt(endpoint, 'args'))) if (isObject(argument)) turn(argument);
  });
}
