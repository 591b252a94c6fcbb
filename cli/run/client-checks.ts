import { isAmong } from '../../compare/clients/hold.ts';
import { type Client, describeUse } from '../../compare/clients/uses.ts';
import { callsOf, placesOf } from '../../compare/owners.ts';
import type { Check } from '../../engine/check.ts';
import type { Contract } from '../../specs/model.ts';
import { isExample, isExampleOf } from './client-examples.ts';

/** The clients that each check concerns, by its id: it is about operations that they call, parameters that they send, members that they read. */
export function usedChecks(
  clients: readonly Client[],
  contract: Contract,
  checks: readonly Check[],
): Record<string, readonly string[]> {
  const places = placesOf(contract);
  const used = checks.flatMap((check): [string, readonly string[]][] => {
    const calls = isExample(check) ? undefined : callsOf(check, places);
    const names = clients
      .filter((client) =>
        calls === undefined ? isExampleOf(client, check) : client.uses.some((use) => isAmong(use, calls)),
      )
      .map(({ name }) => name);
    return names.length === 0 ? [] : [[check.id, names]];
  });
  return Object.fromEntries(used);
}

/** What the contract says of the calls of a client, in lines. */
export function coverageLines({ name, uses }: Client, { operations }: Contract): string[] {
  const beyond: string[] = [];
  const undocumented: string[] = [];
  const absent: string[] = [];
  for (const use of uses) {
    const own = operations.filter(({ methods, route }) => isAmong(use, { route: route.wire, methods }));
    if (own.length === 0) beyond.push(describeUse(use));
    for (const sent of Object.keys(use.parameters)) {
      // What begins so is of every route.
      if (own.length === 0 || sent.startsWith('_')) continue;
      const place = `${sent} of ${use.method} ${use.route}`;
      if (own.some((one) => one.absent.some(({ wire }) => wire === sent))) absent.push(place);
      else if (!own.some((one) => one.parameters.some(({ wire }) => wire === sent))) undocumented.push(place);
    }
  }
  const line = (what: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [`${name}: ${what}: ${[...new Set(all)].join(', ')}`];
  return [
    `${name}: the contract covers ${uses.length - beyond.length} of ${uses.length} calls`,
    ...line('beyond it', beyond),
    ...line('sent, and undocumented', undocumented),
    ...line('sent, and not supported by the contract', absent),
  ];
}
