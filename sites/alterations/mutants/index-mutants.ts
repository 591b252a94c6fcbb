import { resolve } from 'node:path';
import { routeAddress } from '../../reference/index-document.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import {
  type Contract,
  type Operation,
  routePattern,
  UNSTATED_PATH_PARAMETER,
} from '../../reference/load-contract.ts';
import { isSchema, SchemaFiles } from '../../reference/schema.ts';
import { type Mutant, mutant } from '../alteration.ts';
import { endpointOf, entryOf, listAt, objectAt, otherThan, routeName } from '../declarations.ts';

const SCHEMA = resolve(import.meta.dirname, '../../../specs/schemas/index.schema.json');
const SCHEME = 'application-passwords';

/** Mutants in the members of the index and in its namespaces. */
export function indexMutants(contract: Contract): Mutant[] {
  const { properties } = new SchemaFiles().read(SCHEMA);
  const members = Object.entries(isObject(properties) ? properties : {});
  return [
    ...members.flatMap(([name, schema]) =>
      memberMutants(name, isSchema(schema) && schema.enum !== undefined),
    ),
    ...authenticationMutants(),
    ...['url', 'home'].map(copyMutant),
    mutant('index/namespaces/unique', 'twice', 'the index lists a namespace twice', {
      declare: (index) => {
        const names = listAt(index, 'namespaces');
        index.namespaces = [...names, ...names.slice(0, 1)];
      },
    }),
    ...contract.namespaces.flatMap((name) => namespaceMutants(contract, name)),
  ];
}

function memberMutants(name: string, hasEnum: boolean): Mutant[] {
  const mutants = [
    mutant(`index/${name}/present`, 'dropped', `the index has no ${name}`, {
      declare: (index) => {
        delete index[name];
      },
    }),
    mutant(`index/${name}/type`, 'another', `${name} of the index is of another type`, {
      declare: (index) => {
        index[name] = name === 'authentication' || name === 'routes' ? 'text' : { wrong: true };
      },
    }),
  ];
  if (!hasEnum) return mutants;
  const other = mutant(`index/${name}/enum`, 'another', `${name} of the index is none of its values`, {
    declare: (index) => {
      index[name] = otherThan(index[name] ?? null);
    },
  });
  return [...mutants, other];
}

function copyMutant(name: string): Mutant {
  return mutant(`index/${name}/address`, 'another', `${name} of the index names another site`, {
    declare: (index) => {
      index[name] = 'https://www.example.org';
    },
  });
}

function authenticationMutants(): Mutant[] {
  const id = `index/authentication/${SCHEME}`;
  return [
    mutant(id, 'another', 'the index advertises another scheme', {
      declare: (index) => {
        index.authentication = { other: {} };
      },
    }),
    mutant(`${id}/authorization`, 'missing', 'the advertised scheme has no page', {
      declare: (index) => {
        objectAt(index, 'authentication')[SCHEME] = { endpoints: {} };
      },
    }),
    mutant(`${id}/authorization`, 'another', 'the advertised scheme names another page', {
      declare: (index) => {
        objectAt(index, 'authentication')[SCHEME] = {
          endpoints: { authorization: 'http://127.0.0.1/other.php' },
        };
      },
    }),
    mutant(`${id}/authorization`, 'elsewhere', 'the advertised scheme names a page of another site', {
      declare: (index) => {
        objectAt(index, 'authentication')[SCHEME] = {
          endpoints: { authorization: 'https://www.example.org/admin/authorize-application.php' },
        };
      },
    }),
    mutant(`${id}/authorization`, 'without-admin-path', 'the page of the scheme lies under no admin path', {
      declare: (index) => {
        objectAt(index, 'authentication')[SCHEME] = {
          endpoints: { authorization: `${String(index.url)}/authorize-application.php` },
        };
      },
    }),
    mutant('index/authentication/one-scheme', 'two', 'the index advertises two schemes', {
      declare: (index) => {
        objectAt(index, 'authentication').other = {};
      },
    }),
  ];
}

function namespaceMutants(contract: Contract, name: string): Mutant[] {
  const patterns = (routes: object): string[] =>
    Object.keys(routes).filter((key) => key === `/${name}` || key.startsWith(`/${name}/`));
  const inner = contract.namespaces.filter((other) => other.startsWith(`${name}/`));
  const own = contract.operations.filter(({ namespace }) => namespace === name);
  const routes = new Set(own.map(({ route }) => route));
  const withoutRoutes = mutant(
    `namespaces/${name}/served`,
    'without-routes',
    `no route is served under ${name}`,
    {
      declare: (index) => {
        const routes = objectAt(index, 'routes');
        for (const key of patterns(routes)) {
          const isInner = inner.some((other) => key === `/${other}` || key.startsWith(`/${other}/`));
          if (!isInner) delete routes[key];
        }
      },
    },
  );
  return [
    mutant(`namespaces/${name}/served`, 'unlisted', `the namespace ${name} is not listed`, {
      declare: (index) => {
        index.namespaces = listAt(index, 'namespaces').filter((other) => other !== name);
      },
    }),
    // Without its only route a namespace is broken in another way.
    ...(routes.size > 1 ? [withoutRoutes] : []),
  ];
}

/** Mutants in the entries of the routes of a contract, one route after the other. */
export function routeMutants(contract: Contract): Mutant[] {
  const byRoute = Map.groupBy(contract.operations, routePattern);
  return [...byRoute.values()].flatMap((sharing) => {
    const [first] = sharing;
    return first
      ? [...entryMutants(first), ...sharing.flatMap(methodMutants), ...pathParameterMutants(first)]
      : [];
  });
}

function entryMutants(operation: Operation): Mutant[] {
  const name = routeName(operation);
  const pattern = routePattern(operation);
  const about = (aspect: string, how: string, change: (entry: JsonObject) => void): Mutant =>
    mutant(`routes/${name}/${aspect}`, how, `the entry of ${operation.route} has its ${aspect} ${how}`, {
      declare: (index) => change(entryOf(index, operation)),
    });
  const mutants = [
    mutant(`routes/${name}/present`, 'dropped', `the route ${operation.route} is not listed`, {
      declare: (index) => {
        delete objectAt(index, 'routes')[pattern];
      },
    }),
    about('namespace', 'another', (entry) => {
      entry.namespace = `${operation.namespace}x`;
    }),
    about('namespace', 'missing', (entry) => {
      delete entry.namespace;
    }),
    about('methods', 'hidden', (entry) => {
      entry.methods = listAt(entry, 'methods').slice(1);
    }),
    about('methods', 'as-text', (entry) => {
      entry.methods = listAt(entry, 'methods').join(', ');
    }),
    about('endpoints', 'empty', (entry) => {
      entry.endpoints = [];
    }),
    about('endpoints', 'without-args', (entry) => {
      for (const one of listAt(entry, 'endpoints')) if (isObject(one)) delete one.args;
    }),
  ];
  if (Object.keys(operation.pathParameters).length > 0) return mutants;
  return [
    ...mutants,
    about('self-link', 'missing', (entry) => {
      delete entry._links;
    }),
    about('self-link', 'to-elsewhere', (entry) => {
      entry._links = { self: [{ href: routeAddress('http://127.0.0.1', '/elsewhere') }] };
    }),
  ];
}

function methodMutants(operation: Operation): Mutant[] {
  return operation.methods.map((method) =>
    mutant(`${operation.id}/method/${method}`, 'dropped', `${operation.route} does not declare ${method}`, {
      declare: (index) => {
        const entry = entryOf(index, operation);
        const endpoint = endpointOf(index, operation);
        const others = (methods: Json[]): Json[] => methods.filter((one) => one !== method);
        endpoint.methods = others(listAt(endpoint, 'methods'));
        entry.methods = others(listAt(entry, 'methods'));
        // A route without any endpoint is broken in another way.
        entry.endpoints = listAt(entry, 'endpoints').filter((one) => one !== endpoint || hasMethods(one));
        if (listAt(entry, 'endpoints').length === 0) {
          entry.endpoints = [{ methods: ['TRACE'], args: {} }];
          entry.methods = ['TRACE'];
        }
      },
    }),
  );
}

function hasMethods(endpoint: Json): boolean {
  return isObject(endpoint) && Array.isArray(endpoint.methods) && endpoint.methods.length > 0;
}

function pathParameterMutants(operation: Operation): Mutant[] {
  return Object.entries(operation.pathParameters)
    .filter(([, pattern]) => pattern !== UNSTATED_PATH_PARAMETER)
    .flatMap(([name, pattern]) =>
      Object.entries({ wider: '[^/]+', narrower: `(?:${pattern.length > 3 ? '[q-s]' : '7'})` }).map(
        ([how, other]) =>
          mutant(
            `routes/${routeName(operation)}/captures/${name}`,
            how,
            `${operation.route} takes ${how === 'wider' ? 'more' : 'less'} as ${name}`,
            { declare: (index) => rename(index, operation, name, pattern, other) },
          ),
      ),
    );
}

function rename(index: JsonObject, operation: Operation, name: string, from: string, to: string): void {
  const routes = objectAt(index, 'routes');
  const pattern = routePattern(operation);
  const entry = entryOf(index, operation);
  delete routes[pattern];
  routes[pattern.replace(`(?P<${name}>${from})`, () => `(?P<${name}>${to})`)] = entry;
}
