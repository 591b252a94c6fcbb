import { resolve } from 'node:path';
import type { Contract } from '../../reference/contract.ts';
import { isObject } from '../../reference/json.ts';
import { isSchema, SchemaFiles } from '../../reference/schema.ts';
import { otherThan } from '../toolkit/alterations.ts';
import { listAt } from '../toolkit/declared.ts';
import { objectAt } from '../toolkit/places.ts';
import { type Mutant, mutant } from './mutant.ts';

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
