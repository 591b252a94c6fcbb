import { resolve } from 'node:path';
import { routeAddress } from '../../reference/dispatch.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation } from '../../reference/load-contract.ts';
import { routePattern, UNSTATED_PATH_PARAMETER } from '../../reference/load-contract.ts';
import { isSchema, SchemaFiles } from '../../reference/schema.ts';
import type { Entry } from '../../reference/site.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import { endpointOf, endpointsIn, entryOf, otherThan } from '../declarations.ts';
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
      index.namespaces.push(...index.namespaces.slice(0, 1));
    }),
    indexMutant(
      'index.read/context/required~number-everywhere',
      'the index declares every required as a number',
      (index) => {
        for (const { args } of endpointsIn(index))
          for (const arg of Object.values(args)) arg.required = arg.required === true ? 1 : 0;
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
      const large = endpointsIn(index).find(({ args }) => Object.keys(args).length > 5);
      if (large !== undefined) turn(large.args);
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
    described('enum-as-object', 'stated enums are objects with numbers for names', (args) => {
      for (const one of Object.values(args))
        if (isObject(one) && Array.isArray(one.enum)) one.enum = { ...one.enum };
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
      index.authentication = { [SCHEME]: { endpoints: { ...(authorization && { authorization }) } } };
    });
  return [
    settingMutant(`${id}~another`, 'advertises another scheme', 'authentication', () => ({ other: {} })),
    paged('missing', 'the advertised scheme has no page'),
    paged('another', 'the scheme names another page', 'http://127.0.0.1/other.php'),
    paged('elsewhere', 'the scheme names a page of another site', `${ELSEWHERE}/admin/${PAGE}`),
    paged('without-admin-path', 'the page of the scheme lies under no admin path', `{site}/${PAGE}`),
    indexMutant('index/authentication/one-scheme~two', 'the index advertises two schemes', (index) => {
      index.authentication = { ...Object(index.authentication), other: {} };
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
      index.namespaces = index.namespaces.filter((other) => other !== name);
    }),
    // Without its only route a namespace is broken in another way.
    routes.size > 1 &&
      indexMutant(`${about}~without-routes`, `no route is served under ${name}`, (index) => {
        for (const key of Object.keys(index.routes)) {
          if (isUnder(key, name) && !inner.some((other) => isUnder(key, other))) delete index.routes[key];
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
  const about = (aspect: string, how: string, change: (entry: Entry) => void): Mutant =>
    indexMutant(
      `routes/${name}/${aspect}~${how}`,
      `the entry of ${route} has its ${aspect} ${how}`,
      (index) => change(entryOf(index, operation)),
    );
  const setting = (aspect: string, how: string, name: keyof Entry, value: (entry: Entry) => Json): Mutant =>
    about(aspect, how, (entry) => {
      entry[name] = value(entry);
    });
  const dropping = (aspect: string, name: string): Mutant =>
    about(aspect, 'missing', (entry) => {
      delete entry[name];
    });
  const elsewhere = { self: [{ href: routeAddress('http://127.0.0.1', '/elsewhere') }] };
  return [
    indexMutant(`routes/${name}/present~dropped`, `the route ${route} is not listed`, (index) => {
      delete index.routes[routePattern(operation)];
    }),
    setting('namespace', 'another', 'namespace', () => `${namespace}x`),
    dropping('namespace', 'namespace'),
    setting('methods', 'hidden', 'methods', ({ methods }) => methods.slice(1)),
    setting('methods', 'one-more', 'methods', ({ methods }) => [...methods, 'PURGE']),
    setting('methods', 'as-text', 'methods', ({ methods }) => methods.join(', ')),
    setting('endpoints', 'empty', 'endpoints', () => []),
    about('endpoints', 'without-args', (entry) => {
      for (const one of entry.endpoints) Reflect.deleteProperty(one, 'args');
    }),
    Object.keys(pathParameters).length === 0 && [
      dropping('self-link', '_links'),
      setting('self-link', 'to-elsewhere', '_links', () => elsewhere),
    ],
  ];
}

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
        const others = (methods: string[]): string[] => methods.filter((one) => one !== method);
        endpoint.methods = others(endpoint.methods);
        entry.methods = others(entry.methods);
        entry.endpoints = entry.endpoints.filter(({ methods }) => methods.length > 0);
        // A route without any endpoint is broken in another way.
        if (entry.endpoints.length === 0) {
          entry.endpoints = [{ methods: ['TRACE'], args: {} }];
          entry.methods = ['TRACE'];
        }
      },
    ),
  );
}

function pathParameterMutants(operation: Operation): Mutants {
  const { route, pathParameters } = operation;
  const accepting = (name: string, how: string, what: string, other: string): Mutant =>
    indexMutant(
      `routes/${routeName(operation)}/captures/${name}~${how}`,
      `${route} takes ${what} as ${name}`,
      (index) => {
        const pattern = routePattern(operation);
        const entry = entryOf(index, operation);
        delete index.routes[pattern];
        const named = `(?P<${name}>`;
        index.routes[pattern.replace(`${named}${pathParameters[name]})`, () => `${named}${other})`)] = entry;
      },
    );
  return Object.entries(pathParameters)
    .filter(([, pattern]) => pattern !== UNSTATED_PATH_PARAMETER)
    .map(([name, pattern]) => [
      accepting(name, 'wider', 'more', '[^/]+'),
      accepting(name, 'narrower', 'less', `(?:${pattern.length > 3 ? '[q-s]' : '7'})`),
    ]);
}
