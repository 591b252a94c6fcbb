import { isObject, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { isAmong } from '../../compare/clients/hold.ts';
import { type Client, describeUse, type SentParameter, type Use } from '../../compare/clients/uses.ts';
import { callsOf, placesOf } from '../../compare/owners.ts';
import { type Check, checkId, type Finding } from '../../engine/check.ts';
import { failure, inconclusive, notApplicable } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import type { Contract } from '../../specs/model.ts';
import { loadObservedNames } from '../../specs/texts.ts';

/** What begins the id of a check that sends a call of a client again. */
const EXAMPLES = 'client';

/** The clients that each check concerns, by its id: it is about operations that they call, parameters that they send, members that they read. */
export function usedChecks(
  clients: readonly Client[],
  contract: Contract,
  checks: readonly Check[],
): Record<string, readonly string[]> {
  const places = placesOf(contract);
  const used = checks.flatMap((check): [string, readonly string[]][] => {
    const calls = callsOf(check, places);
    const names = clients
      .filter((client) =>
        calls === undefined
          ? check.id.startsWith(`${EXAMPLES}/${idPartOf(client)}/`)
          : client.uses.some((use) => isAmong(use, calls)),
      )
      .map(({ name }) => name);
    return names.length === 0 ? [] : [[check.id, names]];
  });
  return Object.fromEntries(used);
}

function idPartOf({ name }: Client): string {
  return name.replaceAll(/[^\w.-]/g, '_');
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

/** A check for each read of a client: the call is sent again, with ids and words that this site has. */
export function exampleChecks(client: Client): Check[] {
  const { name, uses } = client;
  return uses
    .filter(({ method }) => method === 'GET')
    .map((use): Check => {
      const { route, caller, context, parameters } = use;
      const parts = route.split('/').map((part) => part.replaceAll(/[^\w.-]/g, ''));
      const words = [caller, context, ...Object.keys(parameters)].filter((one) => one !== undefined);
      return {
        id: checkId(EXAMPLES, idPartOf(client), ...parts, words.join('+')),
        title: `the client ${name} is answered ${describeUse(use)}`,
        area: EXAMPLES,
        section: 'own',
        basis: 'implied',
        effect: 'reads',
        ...(caller === 'user' && { needsUser: true }),
        run: (session) => sendAgain(use, session),
      };
    });
}

async function sendAgain(use: Use, session: Session): Promise<Finding[]> {
  if (use.answers?.includes('accepted') === false) {
    return [notApplicable('it was refused each time that it was recorded')];
  }
  const route = await fill(use, session);
  if (route === undefined) return [inconclusive(`the site shows no record to ask ${use.route} for`)];
  const { query, left } = queryOf(use);
  const answer = await session.ask({ method: 'GET', route, query, as: use.caller });
  if (answer.answer === 'accepted') return missingMembers(use, answer);
  if (left.length > 0 && answer.answer === 'refused') {
    return [inconclusive(`it was sent without ${left.join(', ')}, of which no value is known, and refused`)];
  }
  if (answer.answer === 'throttled') return [inconclusive('throttled each time it was asked')];
  if (answer.answer === 'denied' && use.caller === 'user') return [inconclusive('denied to this user')];
  return [
    failure('the call is not answered', {
      expected: 'accepted',
      observed: `status ${answer.status}`,
      reproduce: [answer.curl],
    }),
  ];
}

/** The route with what the lists above its path parameters show; undefined where they show nothing. */
async function fill({ route, caller }: Use, session: Session): Promise<string | undefined> {
  let filled = '';
  for (const part of route.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      filled += `/${part}`;
      continue;
    }
    const { json } = await session.ask({ method: 'GET', route: filled, as: caller });
    const [first] = Array.isArray(json) ? json : isObject(json) ? Object.values(json) : [];
    const value = member(first, name) ?? member(first, 'slug') ?? member(first, loadObservedNames().identity);
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    filled += `/${value}`;
  }
  return filled;
}

/** What is sent, as far as the file of uses says it, and the names of what it does not. */
function queryOf({ context, parameters, members }: Use): { query: [string, string][]; left: string[] } {
  const names = loadObservedNames();
  const query: [string, string][] = context === undefined ? [] : [[names.context, context]];
  const left: string[] = [];
  for (const [name, sent] of Object.entries(parameters)) {
    const fields =
      name === names.tour.fields && members !== 'unknown'
        ? members.join(',').replaceAll('[]', '')
        : undefined;
    const value = fields ?? exampleOf(sent);
    if (value === undefined) left.push(name);
    else query.push([name, value]);
  }
  return { query, left };
}

function exampleOf({ kinds, words, most }: SentParameter): string | undefined {
  if (words !== undefined) return kinds.includes('list') ? words.join(',') : words[0];
  if (most !== undefined) return String(most);
  return kinds.includes('boolean') ? 'true' : undefined;
}

/** The members that no record of an answer has, though each has what they are inside of. */
function missingMembers({ members }: Use, { json, curl }: Observation): Finding[] {
  const records: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (members === 'unknown') return [];
  if (records.length === 0) return [inconclusive('the site answers no record that could show its members')];
  const missing = members.filter((path) => isMissing(records, path));
  if (missing.length === 0) return [];
  return [
    failure(`no record shows ${missing.slice(0, 10).join(', ')}`, {
      expected: 'the members that the client reads',
      observed: `${missing.length} of ${members.length} are missing`,
      reproduce: [curl],
    }),
  ];
}

function isMissing(records: readonly unknown[], path: string): boolean {
  let here = records;
  for (const part of path.split('.')) {
    const name = part.replace(/(?:\[\])+$/, '');
    const objects = here.filter(isObject);
    if (name === '' || name === '*' || objects.length === 0) return false;
    const found = objects.filter((one) => Object.hasOwn(one, name)).map((one) => one[name]);
    if (found.length === 0) return true;
    here = found.flat();
  }
  return false;
}
