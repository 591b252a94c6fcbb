import { type Contract, type Operation, routePattern } from '../../reference/contract.ts';
import { routeAddress } from '../../reference/index-document.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import { UNSTATED_PATH_PARAMETER } from '../../reference/load-contract.ts';
import { endpointOf, entryOf, listAt, routeName } from '../toolkit/declared.ts';
import { objectAt } from '../toolkit/places.ts';
import { type Mutant, mutant } from './mutant.ts';

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
