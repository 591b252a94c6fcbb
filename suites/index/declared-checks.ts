import { showBase, siteBase } from '../../client/address.ts';
import { redirectOf } from '../../client/answer.ts';
import { asObject, member } from '../../client/json.ts';
import { type Check, type CheckSpec, check, checkId, type Finding, type Found } from '../../engine/check.ts';
import { blocked, failure, list, notApplicable, saidBy, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import type { Contract, Namespace } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import { firstViolation, publishedSchema, typeWords, withoutContents } from '../../specs/shapes.ts';
import { descriptionChecks, operationChecks } from './operation-checks.ts';
import { indexCurl, indexFailure, routeChecks, withoutAnchors } from './route-checks.ts';

/** All checks of the index at once, for contracts of usual size. */
export function declaredChecks(contract: Contract): Check[] {
  const checks: Check[] = [];
  eachDeclared(contract, (subjects, make) => {
    for (const subject of subjects) checks.push(...make(subject));
  });
  return checks;
}

/** The checks of the index in sequence: a large site has too many to hold them all. */
export function eachDeclared(
  { namespaces, routes, operations }: Contract,
  take: <T>(subjects: readonly T[], make: (subject: T) => Check[]) => void,
): void {
  take(
    [indexMemberChecks, siteAddressChecks, authenticationChecks, listedOnceCheck, descriptionChecks],
    (make) => [make()].flat(),
  );
  take(namespaces, namespaceChecks);
  const wires = new Map(namespaces.map(({ name, wire }) => [name, wire]));
  const served = Map.groupBy(operations, ({ route }) => route);
  take(routes, (route) =>
    routeChecks(route, served.get(route) ?? [], wires.get(route.namespace) ?? route.namespace),
  );
  take(operations, operationChecks);
}

/** The checks that only need the index, without the roots of namespaces. */
export function decidedByIndex(contract: Contract): Check[] {
  const roots = new Set(contract.namespaces.map(({ name }) => checkId('namespaces', name, 'root')));
  return declaredChecks(contract).filter(({ id }) => !roots.has(id));
}

/** A check of a member of the index itself. */
function indexCheck(spec: Omit<CheckSpec, 'kind' | 'basis' | 'operation'>): Check {
  return check({ section: '1', ...spec, kind: 'listed', basis: 'stated', operation: 'index.read' });
}

function asWarning(found: Finding): Finding {
  return { ...found, kind: 'warning' };
}

const LISTED = withoutContents(publishedSchema('index.schema.json#/properties/namespaces'));

/** The listed namespaces of the same software: others that come or go do not change the finding. */
function kindred(namespaces: readonly string[], wire: string): string {
  const [vendor = wire] = wire.split('/');
  const known = namespaces.filter((one) => one.split('/')[0] === vendor);
  return known.length === 0 ? `no namespace of ${show(vendor)}` : `namespaces ${list(known)}`;
}

const INCONCLUSIVE_ANSWERS: Readonly<Record<string, string>> = {
  denied: 'is denied to this caller',
  throttled: 'was throttled each time it was asked',
};

/** Checks that a namespace is listed and has routes (§1), and that its root answers (§4.1). */
function namespaceChecks(namespace: Namespace): Check[] {
  const { name, wire, basis } = namespace;
  const served = checkId('namespaces', name, 'served');
  const about = { kind: 'listed', place: `/${name}`, namespace: wire, basis };
  return [
    check({
      ...about,
      id: served,
      title: `serves the namespace ${wire}`,
      section: '1',
      needs: [checkId('index', 'namespaces', 'present'), checkId('index', 'routes', 'type')],
      run: (session) => evaluateServed(session, namespace),
    }),
    check({
      ...about,
      id: checkId('namespaces', name, 'root'),
      title: `answers at the root of ${wire}`,
      section: '4.1',
      needs: [served, checkId('routes', name, 'present')],
      run: (session) => evaluateRoot(session, wire),
    }),
  ];
}

function evaluateServed(session: Session, { name, wire }: Namespace): Found {
  const { index, contract } = session;
  const isListed = index.namespaces.includes(wire);
  if (!isListed && firstViolation(LISTED, member(index.document, 'namespaces')) !== undefined) {
    return blocked(checkId('index', 'namespaces', 'type'));
  }
  // Routes of builder/v1/documents do not show that builder/v1 is served.
  const inner = contract.namespaces.filter((other) => other.wire.startsWith(`${wire}/`));
  const hasRoutes = index.routes.some(
    ({ key }) => isUnder(key, wire) && !inner.some((other) => isUnder(key, other.wire)),
  );
  // If there is only one route, its own check reports that it is missing.
  const isSingle = contract.routes.filter((one) => one.namespace === name).length === 1;
  if (isListed && (hasRoutes || isSingle)) return [];
  const notListed = `the namespace ${wire} is not listed${hasRoutes ? ', though routes are served under it' : ''}`;
  const notServed = `the namespace ${wire} is listed, but no route is served under it`;
  return failure(isListed ? notServed : notListed, {
    expected: `${wire} in namespaces, and routes under /${wire}`,
    observed: `${kindred(index.namespaces, wire)}; ${hasRoutes ? 'routes' : 'no routes'} under /${wire}`,
    reproduce: [indexCurl(session, 'namespaces')],
  });
}

async function evaluateRoot(session: Session, wire: string): Promise<Found> {
  const root = await session.ask({ method: 'GET', route: `/${wire}`, as: 'user' });
  const { answer, json, status, problem, curl } = root;
  if (answer === 'accepted' && json !== undefined) return [];
  const why = INCONCLUSIVE_ANSWERS[answer];
  const elsewhere = redirectOf(root) === undefined ? 'does not answer' : `redirects${saidBy(root)}`;
  const found = failure(`the root of ${wire} ${why ?? elsewhere}`, {
    expected: 'an answer with JSON',
    observed: `status ${status}${problem === undefined ? '' : `, ${problem}`}`,
    reproduce: [curl],
  });
  return why === undefined ? found : { ...found, kind: 'inconclusive' };
}

/** The check that the index lists each namespace once (§1); a repeated name is a warning (R45). */
function listedOnceCheck(): Check {
  return indexCheck({
    id: checkId('index', 'namespaces', 'unique'),
    title: 'the index lists each namespace once',
    needs: [checkId('index', 'namespaces', 'type')],
    run(session) {
      const { namespaces } = session.index;
      const seen = new Set<string>();
      // A hostile index lists a hundred thousand.
      const twice = new Set(namespaces.filter((name) => seen.size === seen.add(name).size));
      if (twice.size === 0) return [];
      const message = `lists ${list([...twice])} more than once among its namespaces`;
      return asWarning(indexFailure(session, message, 'each once', list(namespaces)));
    },
  });
}

function isUnder(listed: string, namespace: string): boolean {
  const key = withoutAnchors(listed);
  return key === `/${namespace}` || key.startsWith(`/${namespace}/`);
}

/** Checks the members of the index (§1) by its published schema: presence, type, and stated values. */
function indexMemberChecks(): Check[] {
  const members: Readonly<Record<string, Schema>> = publishedSchema('index.schema.json').properties ?? {};
  return Object.entries(members).flatMap(([name, schema]) => memberChecks(name, schema));
}

function memberChecks(name: string, schema: Schema): Check[] {
  const { enum: allowed } = schema;
  const present = checkId('index', name, 'present');
  const section = schema['x-section'] ?? '1';
  const typed = ownType(schema);
  return [
    indexCheck({
      section,
      id: present,
      title: `the index has the member ${name}`,
      run(session) {
        const { document } = session.index;
        if (Object.hasOwn(document, name)) return [];
        const members = `members ${Object.keys(document).map(show).join(', ')}`;
        return indexFailure(session, `the index has no member ${name}`, name, members, name);
      },
    }),
    indexCheck({
      section,
      id: checkId('index', name, 'type'),
      title: `the index has ${name} as ${typeWords(schema)}`,
      needs: [present],
      run: (session) => evaluateIndexType(session, name, typed),
    }),
    ...(allowed === undefined
      ? []
      : [
          indexCheck({
            section,
            id: checkId('index', name, 'enum'),
            title: `the index has ${name} as one of ${allowed.map(show).join(', ')}`,
            needs: [checkId('index', name, 'type')],
            run(session) {
              const observed = member(session.index.document, name);
              if (firstViolation({ enum: allowed }, observed) === undefined) return [];
              const message = `${name} is none of the stated values`;
              return indexFailure(session, message, allowed.map(show).join(', '), show(observed), name);
            },
          }),
        ]),
  ];
}

/** The type without members and values of objects, which have checks of their own. */
function ownType(schema: Schema): Schema {
  const { enum: _, ...own } = withoutContents(schema);
  return { ...own, ...(schema.items !== undefined && { items: withoutContents(schema.items) }) };
}

function evaluateIndexType(session: Session, name: string, schema: Schema): Found {
  const { document } = session.index;
  const observed = member(document, name);
  const violation = firstViolation(schema, observed);
  if (violation === undefined) return [];
  const items = schema.items === undefined ? '' : ` of ${typeWords(schema.items)}`;
  const { pattern } = schema;
  const isOtherType = violation.place === '' && (pattern === undefined || typeof observed !== 'string');
  const message = isOtherType
    ? `${name} is no ${typeWords(schema)}`
    : `${name} is not as stated: ${violation.message}`;
  const like = pattern === undefined ? '' : ` like ${pattern}`;
  const found = indexFailure(session, message, `${typeWords(schema)}${items}${like}`, show(observed), name);
  // R25: known software answers a number if a named time zone is set.
  const isZoned = (member(document, 'timezone_string') ?? '') !== '';
  if (name !== 'gmt_offset' || typeof observed !== 'number' || !isZoned) return found;
  return asWarning({
    ...found,
    message: 'gmt_offset is a number beside a named time zone (doubtful, R25)',
  });
}

const SITE_ADDRESSES = ['url', 'home'] as const;

/** Checks that the site names the address under which it answers, ignoring the scheme (§1, R41). */
function siteAddressChecks(): Check[] {
  return SITE_ADDRESSES.map((name) =>
    indexCheck({
      id: checkId('index', name, 'address'),
      title: `the index has as ${name} the address under which the site answers`,
      needs: [checkId('index', name, 'type')],
      run(session) {
        const asked = showBase(siteBase(session.client.base));
        const observed = member(session.index.document, name);
        const [named, here] = [placeOfAddress(observed), placeOfAddress(asked)];
        if (named !== undefined && named.host === here?.host && named.path === here.path) return [];
        const message =
          named === undefined
            ? `${name} is no address, while the site answers at ${asked}`
            : `${name} names another address than the one that was asked: the site has its software in a folder of its own, is a copy that still names its original, or is reached through a tunnel`;
        return asWarning(indexFailure(session, message, asked, show(observed)));
      },
    }),
  );
}

const SCHEME = 'application-passwords';
const SHAPE = publishedSchema(`index.schema.json#/properties/authentication/properties/${SCHEME}`);
const PAGE = 'authorize-application.php';

/** Checks the advertised authentication of the index (§5). */
function authenticationChecks(): Check[] {
  const advertised = `index/authentication/${SCHEME}`;
  return [
    indexCheck({
      section: '5',
      id: advertised,
      title: `the index advertises the authentication scheme ${SCHEME}`,
      needs: [checkId('index', 'authentication', 'type')],
      run(session) {
        const schemes = asObject(member(session.index.document, 'authentication')) ?? {};
        if (Object.hasOwn(schemes, SCHEME)) return [];
        if (Object.keys(schemes).length === 0 && session.client.base.protocol === 'http:') {
          return notApplicable(
            `no scheme is advertised over plain http, where ${SCHEME} may be unavailable (R26)`,
          );
        }
        const message = `the index does not advertise ${SCHEME}`;
        return indexFailure(session, message, SCHEME, show(Object.keys(schemes)), 'authentication');
      },
    }),
    indexCheck({
      section: '5',
      id: checkId('index', 'authentication', 'one-scheme'),
      title: 'the index advertises one authentication scheme',
      needs: [checkId('index', 'authentication', 'type')],
      run(session) {
        const schemes = Object.keys(asObject(member(session.index.document, 'authentication')) ?? {});
        if (schemes.length < 2) return [];
        // R43: the software allows plugins to add schemes.
        const message = `the index advertises ${schemes.length} authentication schemes: whoever may log in by ${SCHEME} may by another one too`;
        return asWarning(indexFailure(session, message, SCHEME, list(schemes)));
      },
    }),
    authorizationCheck(advertised),
  ];
}

/** The check of the page where a user authorizes applications. @param advertised the id of the check of the scheme */
function authorizationCheck(advertised: string): Check {
  return indexCheck({
    section: '5',
    id: checkId(advertised, 'authorization'),
    title: 'the advertised scheme names an authorization page of the site itself',
    needs: [advertised],
    run(session) {
      const { document } = session.index;
      const scheme = member(member(document, 'authentication'), SCHEME);
      const address = member(member(scheme, 'endpoints'), 'authorization');
      const asked = showBase(siteBase(session.client.base));
      const bases = [asked, ...SITE_ADDRESSES.map((name) => member(document, name))];
      const fits = firstViolation(SHAPE, scheme) === undefined;
      if (fits && bases.some((base) => isPageOf(base, address))) return [];
      return indexFailure(
        session,
        'the address of the authorization page is not as stated',
        `${asked}/<admin path>/${PAGE}, or the same under url or home of the index`,
        show(address),
        'authentication',
      );
    },
  });
}

/** Whether an address is that of `authorize-application.php` below an admin path, ignoring the scheme (R42). */
function isPageOf(base: unknown, address: unknown): boolean {
  const [site, page] = [placeOfAddress(base), placeOfAddress(address)];
  if (site === undefined || page === undefined || page.host !== site.host) return false;
  if (!page.path.startsWith(`${site.path}/`)) return false;
  const segments = page.path.slice(site.path.length + 1).split('/');
  return segments.length > 1 && segments.every((one) => one !== '') && segments.at(-1) === PAGE;
}

/** The name and port of an address, without the default port of the scheme, and its path. */
function placeOfAddress(address: unknown): { host: string; path: string } | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const { protocol, host, pathname } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  return { host, path: pathname.replace(/\/+$/, '') };
}
