import type { Contract } from './model.ts';
import { SpecError } from './spec-error.ts';

/**
 * Refuses a vocabulary that gives two neutral words one word in one place: what the site says there could not be told apart.
 * @throws SpecError that names both words and the place
 */
export function refuseSharedWords({ namespaces, routes, operations, vocabulary }: Contract): void {
  refuse(
    `the vocabulary ${vocabulary}`,
    'namespace',
    namespaces.map(({ name, wire }) => [name, wire]),
  );
  refuse(
    `the vocabulary ${vocabulary}`,
    'route',
    routes.map(({ path, wire }) => [path, wire]),
  );
  for (const { id, parameters, route } of operations) {
    refuse(
      `the vocabulary ${vocabulary}, in ${id}`,
      'parameter',
      // A path parameter may be called as a parameter is (R14).
      parameters.filter((one) => one.in !== 'path').map(({ name, wire }) => [name, wire]),
    );
    for (const { name, schema } of parameters) {
      const members = (schema.enum ?? schema.items?.enum ?? []).map((member) => JSON.stringify(member));
      const twice = members.find((member, at) => members.indexOf(member) !== at);
      if (twice === undefined) continue;
      throw new SpecError(
        `the vocabulary ${vocabulary}, in ${id} on ${route.path}: two values of ${name} become ${twice}; give each a word of its own`,
      );
    }
  }
}

function refuse(where: string, what: string, words: readonly (readonly [string, string])[]): void {
  const known = new Map<string, string>();
  for (const [neutral, wire] of words) {
    const other = known.get(wire);
    if (other !== undefined) {
      throw new SpecError(
        `${where}: the ${what}s "${other}" and "${neutral}" both become "${wire}"; give each a word of its own`,
      );
    }
    known.set(wire, neutral);
  }
}
