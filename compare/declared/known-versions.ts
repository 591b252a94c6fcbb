import { plainRoute } from '../../client/route-pattern.ts';
import { plural } from '../../engine/text.ts';
import { loadVersions, type Versions } from '../../specs/versions/versions.ts';
import type { Group } from '../groups/groups.ts';
import type { Surface } from './surface.ts';

/** An index with a smaller share of the earliest version belongs to other software. */
const LEAST_SHARE = 0.9;

/** What an index lists: routes, and parameters as `METHOD route name`. */
export function listingOf({ routes }: Surface): ReadonlySet<string> {
  return new Set(
    [...routes.values()].flatMap(({ key, calls }) => [
      key,
      ...[...calls.values()].flatMap(({ method, args }) =>
        Object.keys(args).map((name) => `${method} ${key} ${name}`),
      ),
    ]),
  );
}

type Part = Readonly<Record<'has' | 'all', number>> & { readonly version: string };

/** Which version of a known software an index looks like, with the grounds: a guess, never a verdict. */
export function looksLike(surface: Surface): string | undefined {
  const versions = loadVersions();
  const parts = partsOf(surface, versions);
  const [first] = parts;
  if (first === undefined) return undefined;
  const { software, namespaces } = versions;
  const others = [...surface.namespaces].filter((name) => !namespaces.includes(name)).length;
  const plugins = others === 0 ? '' : `, ${plural(others, 'namespace')} of plugins`;
  const { latest, gap } = extentOf(parts);
  const last = parts[gap === -1 ? latest : gap - 1];
  const next = parts[gap];
  // Plugins with newer routes replace some of the core: a version that is listed but for a few may be there.
  const isNearly = next !== undefined && next.has >= next.all * LEAST_SHARE;
  if (last === undefined || (gap !== -1 && latest > gap) || isNearly) {
    const lacks = parts.slice(0, latest + 1).reduce((sum, { all, has }) => sum + all - has, 0);
    return `near ${software} ${short(parts[latest] ?? first)}, but no version that is known: it lacks ${lacks} of what that lists${plugins}`;
  }
  return `${software} ${rangeOf(last, next)}${plugins}`;
}

/** How much an index has of each version, the oldest first; empty for other software. */
function partsOf(surface: Surface, { runs, came }: Versions): Part[] {
  const listed = listingOf(surface);
  const parts = runs.map(({ version }): Part => {
    const all = came[version] ?? [];
    return { version, all: all.length, has: all.filter((name) => listed.has(name)).length };
  });
  const [first] = parts;
  return first === undefined || first.has < first.all * LEAST_SHARE ? [] : parts;
}

/** The last version of which the index lists anything, and the first one that it does not list in full; -1 for none. */
function extentOf(parts: readonly Part[]): { readonly latest: number; readonly gap: number } {
  return {
    latest: parts.findLastIndex(({ has }) => has > 0),
    gap: parts.findIndex(({ has, all }) => has < all),
  };
}

/** The index of the version that a site certainly has; undefined otherwise. */
function versionPlace(surface: Surface, versions: Versions): number | undefined {
  const parts = partsOf(surface, versions);
  const { latest, gap } = extentOf(parts);
  return latest === -1 || (gap !== -1 && latest >= gap) ? undefined : latest;
}

/** The possible versions in words, with the grounds. @param next the first version that is not listed in full */
function rangeOf(last: Part, next: Part | undefined): string {
  const all = `all that ${last.version} lists`;
  if (next === undefined) return `${short(last)} or later (${all})`;
  if (next.has === 0) return `${short(last)} (${all}, nothing that came with ${next.version})`;
  const some = `${next.has} of ${next.all} that came with ${next.version}`;
  return `${short(last)} or later, before ${short(next)} (${all}, ${some})`;
}

function short({ version }: Part): string {
  return /^\d+\.\d+/.exec(version)?.[0] ?? version;
}

type SoftwareOf = Readonly<Record<'surface', Surface | undefined> & Record<'software', string | undefined>>;

/** Marks the causes that every site shows between the versions of both sides, as the known steps between them do. */
export function markEverywhere(
  groups: readonly Group[],
  [was, is]: readonly [SoftwareOf, SoftwareOf],
  versions: Versions = loadVersions(),
): Group[] {
  const [from, to] = [was, is].map((side) => placeOf(side, versions));
  if (from === undefined || to === undefined || from >= to) return [...groups];
  const known = new Set(
    versions.steps
      .slice(from, to)
      .flatMap(({ breaking, unknown, others = [] }) => [...breaking, ...unknown, ...others])
      .map(({ id, headline }) => keyOf(id, headline)),
  );
  const [first, last] = [versions.runs[from]?.version, versions.runs[to]?.version];
  const everywhere = `${versions.software} ${first} to ${last}`;
  return groups.map((group) =>
    known.has(keyOf(group.digest, plainRoute(group.headline))) ? { ...group, everywhere } : group,
  );
}

function keyOf(id: string, headline: string): string {
  const thing = headline.replace(/(?:, for [^:]* only)?(?:: \d+ (?:routes|places|methods))?$/, '');
  return `${id} ${thing.slice(thing.indexOf(': ') + 1).trim()}`;
}

/** The given version has precedence over the one that an index looks like, and covers its patch releases. */
function placeOf({ surface, software }: SoftwareOf, versions: Versions): number | undefined {
  if (software === undefined) return surface && versionPlace(surface, versions);
  const [, name, version = ''] = /^(.*?)\s+(\d\S*)$/.exec(software) ?? [];
  if (name?.toLowerCase() !== versions.software.toLowerCase()) return undefined;
  const at = versions.runs.findIndex((run) => minorOf(run.version) === minorOf(version));
  return at === -1 ? undefined : at;
}

function minorOf(version: string): string {
  return version.split(/[.-]/).slice(0, 2).join('.');
}
