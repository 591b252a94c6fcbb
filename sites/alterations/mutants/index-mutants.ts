import { resolve } from 'node:path';
import { routeAddress } from '../../reference/dispatch.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { routePattern, UNSTATED_PATH_PARAMETER } from '../../reference/load-contract.ts';
import { isSchema, SchemaFiles } from '../../reference/schema.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import { endpointOf, endpointsIn, entryOf, listAt, objectAt, otherThan } from '../declarations.ts';
import { indexMutant } from '../handling.ts';

const SCHEMA = resolve(import.meta.dirname, '../../../specs/schemas/index.schema.json');
const SCHEME = 'application-passwords';
const PAGE = 'authorize-application.php';
const ELSEWHERE = 'https://www.example.org';

/** Mutants in the members of the index, in its namespaces, and in its routes. */
export function indexMutants(contract: Contract): Mutants {
  const { properties } = new SchemaFiles().read(SCHEMA);
  const members = Object.entries(isObject(properties) ? properties : {});
  return [
    members.map(([name, schema]) => memberMutants(name, isSchema(schema) && schema.enum !== undefined)),
    authenticationMutants(),
    ['url', 'home'].map((name) =>
      settingMutant(`${name}/address~another`, 'names another site', name, () => ELSEWHERE),
    ),
    indexMutant('index/namespaces/unique~twice', 'the index lists a namespace twice', (index) => {
      const names = listAt(index, 'namespaces');
      index.namespaces = [...names, ...names.slice(0, 1)];
    }),
    indexMutant(
      'index.read/context/required~number-everywhere',
      'the index declares every required as a number',
      (index) => {
        for (const { args } of Object.values(objectAt(index, 'routes')).flatMap(endpointsIn)) {
          for (const declaration of Object.values(isObject(args) ? args : {})) {
            if (isObject(declaration)) declaration.required = declaration.required === true ? 1 : 0;
          }
        }
      },
    ),
    descriptionMutants(),
    contract.namespaces.map((name) => namespaceMutants(contract, name)),
    routeMutants(contract),
  ];
}

function descriptionMutants(): Mutants {
  const described = (how: string, title: string, turn: (args: JsonObject) => void): Mutant =>
    indexMutant(`index/routes/descriptions~${how}`, title, (index) => {
      const [args] = Object.values(objectAt(index, 'routes'))
        .flatMap(endpointsIn)
        .flatMap((one) => (isObject(one.args) && Object.keys(one.args).length > 5 ? [one.args] : []));
      if (args !== undefined) turn(args);
    });
  return [
    described('required-as-text', 'a further parameter has its required as a text', (args) => {
      args.extra = { required: 'true' };
    }),
    described('text', 'a further parameter has a text as its description', (args) => {
      args.extra = 'what it is for';
    }),
    described('limit-as-text', 'a parameter without limits has one as a text', (args) => {
      for (const one of Object.values(args)) if (isObject(one)) one.maxLength ??= '9';
    }),
  ];
}

function settingMutant(id: string, title: string, name: string, value: (index: JsonObject) => Json): Mutant {
  return indexMutant(`index/${id}`, `${name} of the index ${title}`, (index) => {
    index[name] = value(index);
  });
}

function memberMutants(name: string, hasEnum: boolean): Mutants {
  const wrong = name === 'authentication' || name === 'routes' ? 'text' : { wrong: true };
  return [
    indexMutant(`index/${name}/present~dropped`, `the index has no ${name}`, (index) => {
      delete index[name];
    }),
    settingMutant(`${name}/type~another`, 'is of another type', name, () => wrong),
    hasEnum &&
      settingMutant(`${name}/enum~another`, 'is none of its values', name, (index) =>
        otherThan(index[name] ?? null),
      ),
  ];
}

function authenticationMutants(): Mutants {
  const id = `authentication/${SCHEME}`;
  const paged = (how: string, title: string, page?: string): Mutant =>
    indexMutant(`index/${id}/authorization~${how}`, title, (index) => {
      const authorization = page?.replace('{site}', String(index.url));
      objectAt(index, 'authentication')[SCHEME] = { endpoints: { ...(authorization && { authorization }) } };
    });
  return [
    settingMutant(`${id}~another`, 'advertises another scheme', 'authentication', () => ({ other: {} })),
    paged('missing', 'the advertised scheme has no page'),
    paged('another', 'the scheme names another page', 'http://127.0.0.1/other.php'),
    paged('elsewhere', 'the scheme names a page of another site', `${ELSEWHERE}/admin/${PAGE}`),
    paged('without-admin-path', 'the page of the scheme lies under no admin path', `{site}/${PAGE}`),
    indexMutant('index/authentication/one-scheme~two', 'the index advertises two schemes', (index) => {
      objectAt(index, 'authentication').other = {};
    }),
  ];
}

function namespaceMutants({ namespaces, operations }: Contract, name: string): Mutants {
  const isUnder = (key: string, other: string): boolean =>
    key === `/${other}` || key.startsWith(`/${other}/`);
  const inner = namespaces.filter((other) => other.startsWith(`${name}/`));
  const routes = new Set(operations.filter(({ namespace }) => namespace === name).map(({ route }) => route));
  const about = `namespaces/${name}/served`;
  return [
    indexMutant(`${about}~unlisted`, `the namespace ${name} is not listed`, (index) => {
      index.namespaces = listAt(index, 'namespaces').filter((other) => other !== name);
    }),
    // Without its only route a namespace is broken in another way.
    routes.size > 1 &&
      indexMutant(`${about}~without-routes`, `no route is served under ${name}`, (index) => {
        const listed = objectAt(index, 'routes');
        for (const key of Object.keys(listed)) {
          if (isUnder(key, name) && !inner.some((other) => isUnder(key, other))) delete listed[key];
        }
      }),
  ];
}

function routeMutants(contract: Contract): Mutants {
  const byRoute = Map.groupBy(contract.operations, routePattern);
  return [...byRoute.values()].map((sharing) => {
    const [first] = sharing;
    return first ? [entryMutants(first), sharing.map(methodMutants), pathParameterMutants(first)] : [];
  });
}

function entryMutants(operation: Operation): Mutants {
  const { route, namespace, pathParameters } = operation;
  const name = routeName(operation);
  const about = (aspect: string, how: string, change: (entry: JsonObject) => void): Mutant =>
    indexMutant(
      `routes/${name}/${aspect}~${how}`,
      `the entry of ${route} has its ${aspect} ${how}`,
      (index) => change(entryOf(index, operation)),
    );
  const setting = (aspect: string, how: string, name: string, value: (entry: JsonObject) => Json): Mutant =>
    about(aspect, how, (entry) => {
      entry[name] = value(entry);
    });
  const dropping = (aspect: string, how: string, name: string): Mutant =>
    about(aspect, how, (entry) => {
      delete entry[name];
    });
  const elsewhere = { self: [{ href: routeAddress('http://127.0.0.1', '/elsewhere') }] };
  return [
    indexMutant(`routes/${name}/present~dropped`, `the route ${route} is not listed`, (index) => {
      delete objectAt(index, 'routes')[routePattern(operation)];
    }),
    setting('namespace', 'another', 'namespace', () => `${namespace}x`),
    dropping('namespace', 'missing', 'namespace'),
    setting('methods', 'hidden', 'methods', (entry) => listAt(entry, 'methods').slice(1)),
    setting('methods', 'as-text', 'methods', (entry) => listAt(entry, 'methods').join(', ')),
    setting('endpoints', 'empty', 'endpoints', () => []),
    about('endpoints', 'without-args', (entry) => {
      for (const one of endpointsIn(entry)) delete one.args;
    }),
    Object.keys(pathParameters).length === 0 && [
      dropping('self-link', 'missing', '_links'),
      setting('self-link', 'to-elsewhere', '_links', () => elsewhere),
    ],
  ];
}

/** The part of the ids of checks that names a route. */
function routeName(operation: Operation): string {
  return operation.route === '/' ? 'index' : operation.route.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodMutants(operation: Operation): Mutants {
  return operation.methods.map((method) =>
    indexMutant(
      `${operation.id}/method/${method}~dropped`,
      `${operation.route} does not declare ${method}`,
      (index) => {
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
    ),
  );
}

function hasMethods(endpoint: Json): boolean {
  return isObject(endpoint) && Array.isArray(endpoint.methods) && endpoint.methods.length > 0;
}

function pathParameterMutants(operation: Operation): Mutants {
  const { route, pathParameters } = operation;
  const accepting = (name: string, how: string, what: string, other: string): Mutant =>
    indexMutant(
      `routes/${routeName(operation)}/captures/${name}~${how}`,
      `${route} takes ${what} as ${name}`,
      (index) => {
        const routes = objectAt(index, 'routes');
        const pattern = routePattern(operation);
        const entry = entryOf(index, operation);
        delete routes[pattern];
        const named = `(?P<${name}>`;
        routes[pattern.replace(`${named}${pathParameters[name]})`, () => `${named}${other})`)] = entry;
      },
    );
  return Object.entries(pathParameters)
    .filter(([, pattern]) => pattern !== UNSTATED_PATH_PARAMETER)
    .map(([name, pattern]) => [
      accepting(name, 'wider', 'more', '[^/]+'),
      accepting(name, 'narrower', 'less', `(?:${pattern.length > 3 ? '[q-s]' : '7'})`),
    ]);
}
