import type { Check } from '../engine/check.ts';
import { selectorOf } from '../engine/glob.ts';
import { matchesAny } from '../engine/plan.ts';
import { plural } from '../engine/text.ts';
import type { Contract, Route } from '../specs/model.ts';

/** A method before a route, as in reports. */
const METHOD = /^([A-Z]+)(?:, ?[A-Z]+)* +(?=\/)/;
/** A path parameter, as in an index. */
const CAPTURE = /\(\?P<(\w+)>(?:[^()[\]]|\[[^\]]*\])*\)/g;
const MOST_NAMED = 3;

/** The first of some operations for a sentence, with what precedes them. */
function ofNamed(operations: readonly string[]): string {
  const more = operations.length - MOST_NAMED;
  const named = [...operations.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])];
  return named.length === 0 ? '' : ` of ${named.join(', ')}`;
}

/**
 * Reads globs that may use words of the site: check ids with names of the site in place of neutral ones, and places
 * such as `wp/v2/posts`, `/wp/v2/posts/{id}/password` or `GET /wp/v2/posts`. A valid id in the words of the contract is
 * read as one; a glob that begins with a slash or a method is a place.
 * @returns a function that reads a glob: as globs of check ids, with a note if it was, or could be, in words of the site;
 * undefined if the glob selects nothing
 */
export function siteWords(
  contract: Contract,
  checks: readonly Check[],
): (glob: string) => { readonly globs: readonly string[]; readonly note?: string } | undefined {
  const toNeutral = neutralWords(contract);
  const places = placeMatcher(contract);
  const matching = (glob: string): Check[] => checks.filter(({ id }) => matchesAny(id, [glob]));

  return (glob) => {
    const isPlace = glob.startsWith('/') || METHOD.test(glob);
    const own = isPlace ? [] : matching(glob);
    const words = isPlace ? glob : toNeutral(glob);
    const translated = words === glob ? [] : matching(words);
    if (own.length > 0) {
      const others = translated.filter((check) => !own.includes(check)).length;
      const note = `"${glob}" is taken for words of the contract (${plural(own.length, 'check')}); what the site calls so is "${words}" (${plural(others, 'check')} more)`;
      return { globs: [glob], ...(others > 0 && { note }) };
    }
    if (translated.length > 0) {
      const note = `"${glob}" is taken for words of the site: "${words}" in the contract (${plural(translated.length, 'check')})`;
      return { globs: [words], note };
    }
    const there = checks.filter((check) => places(check, glob));
    if (there.length === 0) return undefined;
    const operations = [...new Set(there.flatMap(({ operation }) => operation ?? []))];
    const note = `"${glob}" is taken for a place of the site (${plural(there.length, 'check')}${ofNamed(operations)})`;
    return { globs: shortest(there, checks, operations), note };
  };
}

/** The ids of checks, shortened to the operation if all of its checks are selected. */
function shortest(
  selected: readonly Check[],
  checks: readonly Check[],
  operations: readonly string[],
): string[] {
  const wanted = new Set(selected);
  const whole = operations.filter((operation) => {
    const below = checks.filter(({ id }) => matchesAny(id, [operation]));
    return below.length > 0 && below.every((check) => wanted.has(check));
  });
  return [...whole, ...selected.map(({ id }) => id).filter((id) => !matchesAny(id, whole))];
}

/** Returns a function that translates the parts of a glob: routes and namespaces, then parameters and members. */
function neutralWords({ namespaces, routes, operations }: Contract): (glob: string) => string {
  const paths = [...routes.flatMap(beginnings), ...namespaces.map(({ wire, name }) => [wire, name] as const)]
    .filter(([wire, neutral]) => wire !== neutral)
    .map(([wire, neutral]) => [asIds(wire), asIds(neutral)] as const)
    .sort(([one], [other]) => other.length - one.length);
  const words = new Map(
    operations.flatMap(({ parameters }) =>
      parameters.flatMap(({ wire, name, schema }) => [
        ...(wire === name ? [] : [[wire, name] as const]),
        ...Object.entries(schema.properties ?? {}).flatMap(([member, inner]) =>
          inner['x-neutral'] === undefined ? [] : [[member, inner['x-neutral']] as const],
        ),
      ]),
    ),
  );
  return (glob) => {
    const [wire, neutral] = paths.find(([one]) => `/${glob}/`.includes(`/${one}/`)) ?? ['', ''];
    const path = wire === '' ? glob : `/${glob}/`.replace(`/${wire}/`, `/${neutral}/`).slice(1, -1);
    return path
      .split('/')
      .map((part) => words.get(part) ?? part)
      .join('/');
  };
}

/** A route and each of its beginnings down to the namespace, in both words. */
function beginnings({ wire, path, namespace }: Route): (readonly [wire: string, neutral: string])[] {
  const [theirs, ours] = [wire.slice(1).split('/'), path.slice(1).split('/')];
  const further = namespace === '' ? 0 : ours.length - namespace.split('/').length;
  return Array.from({ length: further }, (_, cut) => [
    theirs.slice(0, theirs.length - cut).join('/'),
    ours.slice(0, ours.length - cut).join('/'),
  ]);
}

function asIds(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Returns a function that decides whether a check is about a place, in the words of the site or neutral ones. */
function placeMatcher({ namespaces, routes, operations }: Contract): (check: Check, glob: string) => boolean {
  const wires = new Map([
    ...namespaces.map(({ name, wire }) => [`/${name}`, `/${wire}`] as const),
    ...routes.map(({ path, wire }) => [path, wire] as const),
  ]);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return ({ operation, parameter, place }, glob) => {
    const known = byId.get(operation ?? '');
    const path = known?.route.path ?? place;
    // Everything is below the index.
    if (path === undefined || path === '/') return false;
    const [, method] = METHOD.exec(glob) ?? [];
    if (method !== undefined && known?.methods.includes(method) !== true) return false;
    const wanted = glob
      .replace(METHOD, '')
      .replaceAll(CAPTURE, '{$1}')
      .replaceAll(' ', '/')
      .replaceAll(/^\/|\/$/g, '');
    const own = known?.parameters.find(({ name }) => name === parameter);
    return [path, wires.get(path) ?? path].some((route) => {
      const bare = route.slice(1);
      const names = own === undefined ? [bare] : [bare, `${bare}/${own.wire}`, `${bare}/${own.name}`];
      // A method selects only that operation; without one, everything below is selected too.
      if (method === undefined) return names.some((name) => matchesAny(name, [wanted]));
      return names.some((name) => name === wanted || selectorOf(wanted)(name));
    });
  };
}
