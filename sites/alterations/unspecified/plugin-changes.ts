import assert from 'node:assert/strict';
import type { Json } from '../../reference/json.ts';
import { Refusal } from '../../reference/request.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';
import type { Behaviour, Handler } from '../../reference/site.ts';
import { type Change, rereading } from './change.ts';

const ACTIVATIONS = ['themes.activate', 'plugins.activate', 'plugins.deactivate', 'plugins.upgrade'];
/** Routes of which only the name of the path parameter is given: here it takes digits alone. */
const BARE = /^\/(?:builder-one\/v1\/themes|builder\/v1\/(?:favorites|kit-elements-defaults))\//;

/** Another behaviour of the plugins' routes where nothing is stated about it, by the id of the unspecified point. */
export const PLUGIN_CHANGES: Readonly<Record<string, Change>> = {
  'activation-transitions': {
    deployment: 'b',
    behaviour: ({ handlers }) => ({
      handlers: {
        ...handlers,
        ...Object.fromEntries(ACTIVATIONS.map((id) => [`builder-one.${id}`, refuse])),
      },
    }),
    shows: async (ask) =>
      (await ask({ method: 'POST', route: '/builder-one/v1/themes/7/activate' })).status < 300,
  },
  'capture-kinds': {
    deployment: 'b',
    index: (index) => {
      const bare = Object.keys(index.routes).filter((route) => BARE.test(route));
      assert(bare.length > 0, 'no route has a path parameter of which only the name is given');
      for (const route of bare) {
        const { [route]: entry, ...others } = index.routes;
        const digits = route.replace(/\(\?P<(\w+)>[^)]*\)/, '(?P<$1>[\\d]+)');
        index.routes = { ...others, ...(entry && { [digits]: entry }) };
      }
    },
    behaviour: (usual) =>
      rereading(usual, (given, { request }) => {
        const segment = BARE.test(request.route) && request.route.split('/').slice(4)[0];
        if (segment && /\D/.test(segment)) throw new Refusal('rest_no_route', 'No such route.', 404);
        return given;
      }),
    shows: async (ask) => [
      await ask({ method: 'DELETE', route: '/builder/v1/kit-elements-defaults/abc' }).then(
        ({ status }) => status < 300,
      ),
      (await ask({ route: '/' })).json,
    ],
  },
  'bodies-of-none-listed': {
    behaviour: (usual) =>
      rereading(usual, (given, { operation, request }) => {
        const listed = Object.keys(operation.parameters.properties).filter(
          (name) => !(name in operation.pathParameters),
        );
        const sent = Object.keys({ ...request.json, ...request.form });
        if (listed.length === 0 && sent.length > 0) throw new Refusal('no_body', 'Nothing is taken.', 400);
        return given;
      }),
    shows: async (ask) => {
      const route = '/host/cache-plugin/v1/rate_limit_status';
      return (await ask({ method: 'POST', route, body: { any: 1 } })).status < 300;
    },
  },
};

/** Plugins that take a value of any type; a site of its own, because a check may warn of each. */
export const LENIENT_PLUGINS: Readonly<Record<string, Change>> = {
  'plugin-argument-types': {
    behaviour: (usual): Partial<Behaviour> => ({
      readArguments: (parameters, given, asked) => {
        const { namespace } = asked.operation;
        if (namespace === '' || namespace === 'cms/v2' || namespace === 'oembed/1.0')
          return usual.readArguments(parameters, given, asked);
        const typed = Object.entries(given).map(([name, value]) => {
          const schema = parameters.properties[name];
          return [name, schema === undefined ? value : retyped(value, schema)];
        });
        return usual.readArguments(parameters, Object.fromEntries(typed), asked);
      },
    }),
    shows: async (ask) =>
      (await ask({ route: '/builder/v1/favorites', query: { page: 'soon' } })).status < 300,
  },
};

const refuse: Handler = () => {
  throw new Refusal('as_it_is', 'It is so already.', 409);
};

/** A value of the declared type in place of one that is not. */
function retyped(value: Json, schema: Schema): Json {
  const [type, more] = typesOf(schema);
  if (more !== undefined) return value;
  if (type === 'integer') return /^-?\d+$/.test(String(value)) ? value : (schema.minimum ?? 1);
  if (type === 'boolean') return /^(?:true|false|0|1)$/.test(String(value)) ? value : true;
  if (type === 'string')
    return typeof value === 'string' || typeof value === 'number' ? value : textOf(schema);
  return value;
}

function textOf(schema: Schema): Json {
  return schema.enum?.[0] ?? 'a';
}
