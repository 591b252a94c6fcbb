import { isObject, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { isAmong } from '../../compare/clients/hold.ts';
import type { NamedClient, SentParameter, Use } from '../../compare/clients/uses.ts';
import { describeUse, readClient } from '../../compare/clients/uses.ts';
import { callsOf, placesOf } from '../../compare/owners.ts';
import { type Check, checkId, type Finding } from '../../engine/check.ts';
import { failure, inconclusive, notApplicable } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { present } from '../../engine/text.ts';
import type { Contract } from '../../specs/model.ts';
import { loadObservedNames } from '../../specs/texts.ts';
import { writeAgain } from './client-writes.ts';

/** The prefix of ids of checks that repeat a call of a client. */
const EXAMPLES = 'client';

/** Whether a check repeats a call of any client; see `isExampleOf`. */
function isExample({ area }: Pick<Check, 'area'>): boolean {
  return area === EXAMPLES;
}

/** Whether a check repeats a call of this client. */
function isExampleOf(client: NamedClient, { id }: Pick<Check, 'id'>): boolean {
  return id.startsWith(`${EXAMPLES}/${idPartOf(client)}/`);
}

function idPartOf({ name }: NamedClient): string {
  return name.replaceAll(/[^\w.-]/g, '_');
}

/**
 * The checks that repeat the calls of some clients.
 * @param paths of client files
 */
export function exampleChecks(paths: readonly string[] = [], contract: Contract): Check[] {
  return paths.map(readClient).flatMap((client) => examplesOf(client, contract));
}

/**
 * A check that repeats each call of a client: a read with ids and words of this site, a write in mode `write` on an own
 * record, with generated values.
 */
function examplesOf(client: NamedClient, contract: Contract): Check[] {
  return client.uses.map((use) => {
    const { method, route, caller, context, parameters, body } = use;
    const parts = route.split('/').map((part) => part.replaceAll(/[^\w.-]/g, ''));
    const isRead = method === 'GET' || method === 'HEAD';
    const words = present([method !== 'GET' && method, body, caller, context, ...Object.keys(parameters)]);
    const about = {
      id: checkId(EXAMPLES, idPartOf(client), ...parts, words.join('+')),
      title: `the client ${client.name} is answered ${describeUse(use)}`,
      area: EXAMPLES,
      section: 'own',
      basis: 'implied',
    } as const;
    if (isRead) {
      const needsUser = caller === 'user' && { needsUser: true };
      return { ...about, ...needsUser, effect: 'reads', run: (session) => readAgain(use, session) };
    }
    const operation = contract.operations.find(({ methods, route: { wire } }) =>
      isAmong(use, { route: wire, methods }),
    );
    // A log shows no caller with cookies, but only users can write.
    return {
      ...about,
      ...(operation !== undefined && { operation: operation.id }),
      effect: 'writes',
      mode: 'write',
      needsUser: true,
      async run(session) {
        if (operation === undefined) return notApplicable('the contract does not know what it writes');
        if (isRefused(use)) return REFUSED;
        const sent = await writeAgain(use, operation, session);
        return 'kind' in sent ? sent : evaluate(use, sent.answer, sent.left);
      },
    };
  });
}

const REFUSED = notApplicable('it was refused each time that it was recorded');

function isRefused({ answers }: Use): boolean {
  return answers?.includes('accepted') === false;
}

async function readAgain(use: Use, session: Session): Promise<Finding | Finding[]> {
  if (isRefused(use)) return REFUSED;
  const route = await fill(use, session);
  if (route === undefined) return inconclusive(`the site shows no record to ask ${use.route} for`);
  const { query, left } = queryOf(use);
  const method = use.method === 'HEAD' ? 'HEAD' : 'GET';
  return evaluate(use, await session.ask({ method, route, query, as: use.caller }), left);
}

/** @param left the names of parameters that were left out */
function evaluate(use: Use, answer: Observation, left: readonly string[]): Finding | Finding[] {
  if (answer.answer === 'accepted') return missingMembers(use, answer);
  if (left.length > 0 && answer.answer === 'refused') {
    return inconclusive(`it was sent without ${left.join(', ')}, of which no value is known, and refused`);
  }
  if (answer.answer === 'throttled') return inconclusive('throttled each time it was asked');
  if (answer.answer === 'denied' && use.caller === 'user') return inconclusive('denied to this user');
  return failure('the call is not answered', {
    expected: 'accepted',
    observed: `status ${answer.status}`,
    reproduce: [answer.curl],
  });
}

/** The route with values from the lists above its path parameters; undefined if they are empty. */
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
    // In a list below a record, `parent` is the id of that record.
    const named = name === 'parent' ? undefined : member(first, name);
    const value = named ?? member(first, loadObservedNames().identity) ?? member(first, 'slug');
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    filled += `/${value}`;
  }
  return filled;
}

/** The query of the call, as far as the client file has values, and the names without. */
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
    if (value !== undefined) query.push([name, value]);
    // Names with an underscore apply to every route, and do not cause a refusal.
    else if (!name.startsWith('_')) left.push(name);
  }
  return { query, left };
}

function exampleOf({ kinds, words, most }: SentParameter): string | undefined {
  if (words !== undefined) return kinds.includes('list') ? words.join(',') : words[0];
  if (most !== undefined) return String(most);
  return kinds.includes('boolean') ? 'true' : undefined;
}

/** The members that no record of an answer has, although each has the object around them. */
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

/**
 * The clients that each check affects, by id: it is about operations that they call, parameters that they send, or
 * members that they read.
 */
export function usedChecks(
  clients: readonly NamedClient[],
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
